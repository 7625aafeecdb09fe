import { expect, it } from 'vitest';
import { analysisOf } from './analyse';

const broken = 'services:\n  web: "unclosed\n';

it.each([
  ['an editor, broken YAML of another tool', 'skip', 'file:///ws/compose.yaml', broken, []],
  ['the command line, broken YAML of another tool', 'check', 'file:///ws/compose.yaml', broken, ['syntax/unclosed']],
  ['the command line, broken JSON of another tool', 'check', 'file:///ws/package.json', '{"name": "web"', []],
  ['an editor, a broken manifest', 'skip', 'file:///ws/a.yaml', `kind: Pod\n${broken}`, ['syntax/unclosed']],
] as const)('%s', (_, foreignFiles, uri, text, codes) => {
  const problems = analysisOf({ [uri]: text }, { foreignFiles }).diagnostics(uri);
  expect(problems.map(it => it.code).filter(it => it.startsWith('syntax/'))).toEqual(codes);
});
