import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lazy } from '../../server/src/base/lazy';
import { RULES } from '../../server/src/rules/engine/registry';
import { ROOMS } from '../../tools/scaffold/rule.mjs';
import { problemsIn } from '../support/typescript';

const root = resolve(import.meta.dirname, '../..');
const artifacts = join(root, 'artifacts');
const COPIED = ['server/src', 'server/data', 'test/support', 'test/scheduler/support.ts', 'tools'];
const FILES = ['server/tsconfig.json', 'tsconfig.base.json', 'package.json', 'biome.json', '.gitignore'];
const codes = Object.keys(ROOMS).map(it => `${it}/new-${it}-thing`);
const at = { tree: '' };

const run = (...args: string[]): string =>
  execFileSync(process.execPath, args, { cwd: at.tree, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const textOf = (path: string): string => readFileSync(join(at.tree, path), 'utf8');

/** What tests of a new file use. */
type Used = Pick<typeof import('../support/check'), 'diagnose' | 'worldOf'> &
  Pick<typeof import('../../server/src/rules/engine/registry'), 'RULES'> &
  Pick<typeof import('../scheduler/support'), 'objectsIn' | 'verdictTable' | 'isGateOn'> &
  Pick<typeof import('../../server/src/scheduler/scenario'), 'runScenario'>;
const USED = [
  'test/support/check',
  'test/scheduler/support',
  'server/src/rules/engine/registry',
  'server/src/scheduler/scenario',
];

/** The same, with what was made in it. */
function bundled(): Used {
  const outfile = join(at.tree, 'used.cjs');
  buildSync({
    stdin: { contents: USED.map(it => `export * from './${it}';`).join('\n'), resolveDir: at.tree },
    bundle: true,
    platform: 'node',
    outfile,
    define: { 'import.meta.dirname': JSON.stringify(join(at.tree, 'test/support')) },
  });
  return createRequire(import.meta.url)(outfile) as Used;
}

beforeAll(() => {
  mkdirSync(artifacts, { recursive: true });
  at.tree = mkdtempSync(join(artifacts, 'scaffold-'));
  for (const it of [...COPIED, ...FILES]) cpSync(join(root, it), join(at.tree, it), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(at.tree, 'node_modules'), 'junction');
});
afterAll(() => rmSync(at.tree, { recursive: true, force: true }));

const ISSUE = 'new-known-thing';

describe('npm run new:rule, new:plugin and new:known-issue', () => {
  /** Once they have run. */
  const used = lazy(bundled);

  test('make files that they name, and next steps whose files are there', () => {
    const said = [
      run('tools/new-rule.mjs', ...codes),
      run('tools/new-plugin.mjs', 'fooBar'),
      run('tools/new-known-issue.mjs', ISSUE),
    ].join('\n');
    const named = said.match(
      /\b(?:server|docs)\/[\w./-]*\w|\btest\/fixtures\/[\w./-]+|\btest\/scheduler\/scenarios\/\w+\.yaml/g,
    );
    expect(named?.length).toBeGreaterThan(2 * codes.length);
    expect(named?.filter(it => !existsSync(join(at.tree, it)))).toEqual([]);
    const tests = said.match(/\btest\/\w+\/\w+\.test\.ts/g) ?? [];
    expect(tests.filter(it => !existsSync(join(root, it)))).toEqual([]);
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    const verbs = [...said.matchAll(/npm run ([\w:]+)/g)].map(([, it]) => it!);
    expect(verbs.filter(it => !(it in scripts))).toEqual([]);
  });

  test('know every room that has rules', () => {
    const rooms = new Set(RULES.map(it => it.meta.code.split('/')[0]));
    expect([...rooms].toSorted()).toEqual(Object.keys(ROOMS).toSorted());
  });

  test('write what the compiler and the linter take', () => {
    const sources = readdirSync(join(at.tree, 'server/src'), { recursive: true })
      .map(it => join('server/src', String(it)))
      .filter(it => it.endsWith('.ts'));
    const isAsBefore = (path: string): boolean =>
      existsSync(join(root, path)) && readFileSync(join(root, path), 'utf8') === textOf(path);
    const written = sources.filter(it => !isAsBefore(it));
    expect(written.length).toBeGreaterThan(codes.length + 2);
    // The tables that got a line import everything there is; the tests below run what they hold.
    const paths = written.filter(it => !existsSync(join(root, it))).map(it => join(at.tree, it));
    expect(paths.length).toBeGreaterThan(codes.length);
    const project = join(at.tree, 'server/tsconfig.new.json');
    const compilerOptions = { composite: false, incremental: false, noEmit: true, tsBuildInfoFile: null };
    writeFileSync(project, JSON.stringify({ extends: './tsconfig.json', compilerOptions, include: [], files: paths }));
    expect(problemsIn(project, paths)).toEqual([]);
    run('node_modules/@biomejs/biome/bin/biome', 'check', ...written);
  });

  test.each(codes)('make of %s a rule of its room that finds something in its fixture', code => {
    const { diagnose, worldOf, RULES: made } = used();
    const rule = made.find(it => it.meta.code === code);
    const like = RULES.filter(it => it.meta.code.split('/')[0] === code.split('/')[0]);
    expect(like.map(it => it.meta.category)).toContain(rule?.meta.category);
    expect(rule?.meta.preset).toBe(code.startsWith('practice/') ? 'best-practice' : undefined);
    const text = textOf(`test/fixtures/rules/${code}.yaml`);
    expect(diagnose(text, worldOf(text)).map(it => it.code)).toContain(code);
    // An opinion is off where nobody has turned it on.
    const { severity: _, ...plain } = worldOf(text);
    expect(diagnose(text, plain).some(it => it.code === code)).toBe(!code.startsWith('practice/'));
  });

  test('make a known issue that is met in its fixture, and not where it is mended', () => {
    const { diagnose, worldOf } = used();
    const text = textOf(`test/fixtures/rules/known-issue/${ISSUE}.yaml`);
    const codesAt = (minor = '') => diagnose(text, { minor }).map(it => [it.code, it.object?.name]);
    expect(codesAt(worldOf(text).minor)).toEqual([[`known-issue/${ISSUE}`, 'hits']]);
    const mended = /^# mended: (.*)$/m.exec(text)?.[1]?.split(', ') ?? [];
    expect(mended.map(codesAt)).toEqual([[], []]);
    expect(textOf('docs/known-issues.md')).toContain(`(rules/known-issue/${ISSUE}.md)`);
  });

  test('make a plugin that filters and scores in its scenario', () => {
    const { objectsIn, verdictTable, isGateOn, runScenario } = used();
    const objects = objectsIn(textOf('test/scheduler/scenarios/fooBar.yaml'));
    const table = verdictTable(runScenario(objects, { kubernetesVersion: '1.37', isGateOn }));
    expect(table).toMatch(/n1 FooBar Unschedulable: /);
    expect(table).toMatch(/n3 .*, FooBar 100\/100\/100/);
    expect(table).not.toContain('note:');
  });

  test('write nothing over', () => {
    expect(() => run('tools/new-rule.mjs', codes[0]!)).toThrow(/there already/);
    expect(() => run('tools/new-plugin.mjs', 'fooBar')).toThrow(/there already/);
    expect(() => run('tools/new-known-issue.mjs', ISSUE)).toThrow(/there already/);
    expect(() => run('tools/new-known-issue.mjs', 'New_Thing')).toThrow(/usage/);
    expect(() => run('tools/new-rule.mjs', 'nowhere/thing')).toThrow(/usage/);
  });
});
