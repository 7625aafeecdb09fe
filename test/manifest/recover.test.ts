import { expect, test } from 'vitest';
import { parseManifests } from '../../server/src/manifest/parse';
import { reparseManifests } from '../../server/src/manifest/reparse';

const around = (line: string) =>
  `spec:\n  containers:\n  - name: a\n${line}    image: i\n  z: 1\nq: 2\n---\nkind: Pod\n`;

test.each([
  ['    ima\n', 'syntax/missing-colon', {}],
  ['    "ima\n', 'syntax/unclosed', {}],
  ['    x: "abc\n', 'syntax/unclosed', { x: 'abc' }],
  ['    args: [a, b\n', 'syntax/unclosed', { args: ['a', 'b'] }],
  ['    args: {a: \n', 'syntax/unclosed', { args: { a: null } }],
  ['      over: 1\n', 'syntax/indentation', { over: 1 }],
  ['   under: 1\n', 'syntax/indentation', { under: 1 }],
  ['    - \n', 'syntax/indentation', {}],
  ['    x: @a\n', 'syntax/yaml', { x: '@a' }],
  ['    x: a: b\n', 'syntax/yaml', { x: 'a: b' }],
])('the broken line %j leaves the rest of the text as it is', (line, code, more) => {
  const [first, second] = parseManifests('a.yaml', around(line)).documents;
  expect(first!.problems.map(it => it.code)).toContain(code);
  expect(first!.value).toEqual({ spec: { containers: [{ name: 'a', ...more, image: 'i' }], z: 1 }, q: 2 });
  expect(second!.value).toEqual({ kind: 'Pod' });
});

test.each(['['.repeat(10_000), '- '.repeat(10_000), '{a: '.repeat(10_000)])(
  'nesting without end is one problem',
  text => {
    const problems = parseManifests('a.yaml', text).documents.flatMap(it => it.problems);
    expect(problems.map(it => it.code)).toEqual(['syntax/too-deep']);
  },
);

test('a binary file is one problem of the file', () => {
  expect(parseManifests('a.yaml', 'a\0b').problems.map(it => it.code)).toEqual(['syntax/binary']);
});

test('what comes after documents that expand to too much is left out', () => {
  const bomb = `a: &a [${Array(90).fill('x').join(',')}]\nb: [${Array(900).fill('*a').join(' , ')}]\n`;
  const plain = 'a: 1\n';
  const text = Array(6).fill(bomb).join('---\n');
  const { documents, problems } = parseManifests('a.yaml', `${text}---\n${plain}`);
  expect(documents).toHaveLength(4);
  expect(problems).toMatchObject([{ code: 'syntax/alias-limit', span: { start: 4 * bomb.length + 4 * 4 } }]);
  const few = reparseManifests(parseManifests('a.yaml', `${text}---\n${plain}`), `${bomb}---\n${plain}`);
  expect(few).toMatchObject({ problems: [], documents: [{ problems: [] }, { value: { a: 1 } }] });
  const again = reparseManifests(few, `${text}---\n${plain}`);
  expect(again.documents).toHaveLength(4);
});

test('an alias bomb is cut off', () => {
  const lines = [...'bcdefghi'].map((it, i) => `${it}: &${it} [${Array(10).fill(`*${'abcdefgh'[i]}`)}]`);
  const text = `a: &a [${Array(10).fill('x')}]\n${lines.join('\n')}\n`;
  const [document] = parseManifests('a.yaml', text).documents;
  expect(document!.problems.map(it => it.code)).toEqual(['syntax/alias-limit']);
});
