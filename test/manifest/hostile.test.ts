import { describe, expect, test } from 'vitest';
import { FieldPath } from '../../server/src/manifest/fieldPath';
import { isParsed } from '../../server/src/manifest/file';
import { parseManifests } from '../../server/src/manifest/parse';
import { isPaddedBase64 } from '../../server/src/text/base64';
import { randomFrom } from '../support/random';

const uri = 'file:///a.yaml';
const documentOf = (text: string) => parseManifests(uri, text).documents[0]!;
const countsOf = (text: string): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { code, more = 0 } of documentOf(text).problems) counts[code] = (counts[code] ?? 0) + 1 + more;
  return counts;
};

describe('a broken text', () => {
  test.each([3, 900, 5_000])('has each of its %i errors counted, even if it is read twice', count => {
    expect(countsOf(`a: [${','.repeat(count)}`)).toEqual({ 'syntax/yaml': count, 'syntax/unclosed': 1 });
    // Finally read as unclosed, so that the problems of the first reading are discarded.
    expect(countsOf(`a: [${','.repeat(count)}\nb: [${','.repeat(count)}`)).toEqual({
      'syntax/yaml': 2 * count,
      'syntax/unclosed': 2,
    });
  });

  test('has about 1,000 of its errors listed', () => {
    expect(documentOf(`a: [${',@ '.repeat(2_000)}`).problems.length).toBeLessThan(1_100);
  });

  test('of list items where keys are expected is read without recursion', () => {
    const text = `a:\n  b: 1\n${Array.from({ length: 20_000 }, (_, i) => `${' '.repeat(2 + (i % 2))}- c\n`).join('')}`;
    expect(documentOf(text).problems.length).toBeGreaterThan(0);
  });
});

test('documents of one short text without objects share what was read', () => {
  const { documents } = parseManifests(uri, `${'---\n'.repeat(1_000)}${'---\n1\n'.repeat(1_000)}`);
  expect(documents.map(it => it.value)).toEqual([...Array(1_000).fill(undefined), ...Array(1_000).fill(1)]);
  expect(new Set(documents.filter(isParsed).map(it => it.content)).size).toBe(2);
});

test('equal objects are read apart, since each has positions of its own', () => {
  const { documents } = parseManifests(uri, 'a: 1\n---\na: 1\n');
  expect(new Set(documents.flatMap(it => it.objects.map(object => object.contentId))).size).toBe(2);
});

test('many suppressions above a line all apply to that line', () => {
  const text = `${'# berth-ignore a/b: c\n\n'.repeat(5_000)}kind: Pod\n`;
  const { suppressions } = documentOf(text);
  expect(suppressions).toHaveLength(5_000);
  const targets = new Set(suppressions.map(({ target }) => text.slice(target.start, target.end)));
  expect([...targets]).toEqual(['kind: Pod']);
});

test('a suppression at the end of a line applies only to its line', () => {
  const text = 'kind: Pod # berth-ignore a/b: c\n# berth-ignore a/b: c\nspec: {}\n';
  expect(documentOf(text).suppressions.map(({ target }) => text.slice(target.start, target.end).split(' ')[0])).toEqual(
    ['kind:', 'spec:'],
  );
});

test('the fields of a large mapping are found at their last definition, merged ones at their source', () => {
  const field = (i: number): string => `  k${i}: v${i}\n`;
  const many = Array.from({ length: 100 }, (_, i) => field(i)).join('');
  const text = `base: &base\n  m: 1\n  k5: x\nkind: Pod\nspec:\n${many}  <<: *base\n  k7: again\n`;
  const [object] = documentOf(text).objects;
  const lineOf = (name: string): string | undefined => {
    const { start } = object!.spanOf(FieldPath.of('spec', name), 'key');
    return text.slice(start).split('\n')[0];
  };
  expect(['k0', 'k99', 'k7', 'm', 'k5'].map(lineOf)).toEqual(['k0: v0', 'k99: v99', 'k7: again', 'm: 1', 'k5: x']);
  expect(object!.has(FieldPath.of('spec', 'k100'))).toBe(false);
});

describe('base64', () => {
  const BY_PATTERN = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

  test('is what the pattern accepts', () => {
    const pick = randomFrom(15);
    for (let i = 0; i < 5_000; i++) {
      const text = Array.from({ length: pick(10) }, () => 'aZ/==\n'[pick(6)]).join('');
      expect([text, isPaddedBase64(text)]).toEqual([text, BY_PATTERN.test(text)]);
    }
  });

  test('of any length can be checked', () => {
    expect(isPaddedBase64('YWFh'.repeat(4_000_000))).toBe(true);
    expect(isPaddedBase64(`${'YWFh'.repeat(4_000_000)}!`)).toBe(false);
  });
});
