import { expect, test } from 'vitest';
import { purposeOf } from '../../server/src/start/purposes';
import { run } from '../cli/world';

test('code is kept for each verb that the help names, and once for everything else', async () => {
  const help = (await run(['--help'])).out;
  const verbs = [...help.matchAll(/^ {2}([a-z][a-z-]*) /gm)].map(it => it[1]!).filter(it => it !== 'help');
  expect(verbs).toContain('what-if');
  expect(verbs.map(purposeOf)).toEqual(verbs);
  expect(['chek', '--help', '../x', 'constructor', undefined].map(purposeOf)).toEqual(Array(5).fill('other'));
});
