import { expect, test } from 'vitest';
import { applyEdits } from '../../server/src/text/span';
import { diagnose } from '../support/check';

const told = (text: string) =>
  diagnose(text).map(it => `${it.severity} ${it.code} ${text.slice(it.span.start, it.span.end)}: ${it.message}`);

test.each([
  ['on', 'true'],
  ['y', 'true'],
  ['No', 'false'],
  ['0777', '511'],
  ['1_000', '1000'],
  ['1.0', '1'],
])('the key %s has another name, which is told with a fix', (key, name) => {
  const text = `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata:\n  ${key}: "x"\n`;
  const problems = diagnose(text);
  expect(told(text)).toEqual([
    `warning syntax/key-type ${key}: The name of this key is "${name}", as which YAML reads ${key}: put it in quotes.`,
  ]);
  const mended = applyEdits(text, problems[0]?.fixes[0]?.edits ?? []);
  expect(mended).toContain(`  "${key}": "x"`);
  expect(told(mended)).toEqual([]);
});

test.each(['1', 'true', 'yes-or-no', 'one', '"on"'])('the key %s has the name that is written', key => {
  expect(told(`apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata:\n  ${key}: x\n`)).toEqual([]);
});

test('keys of files that are no objects of Kubernetes are read by other programs', () => {
  expect(told('name: ci\non: [push]\njobs: {}\n')).toEqual([]);
});
