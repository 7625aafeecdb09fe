import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { diskFrom } from '../../server/src/cli/disk';
import { engineThatIsNotBuilt } from '../support/policyEngine';
import { type Run, runIn } from './world';

const top = realpathSync(mkdtempSync(join(tmpdir(), 'berth-outside-')));
afterAll(() => rmSync(top, { recursive: true }));

const SECRET = '[default]\nkey = sesame\n';
const POD = 'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [{ name: c, image: i }] }\n';
const NODE = 'apiVersion: v1\nkind: Node\nmetadata: { name: n1 }\nstatus: { allocatable: { cpu: "4", pods: "9" } }\n';
const TEST = (manifests: string): string =>
  `apiVersion: berth.dev/v1alpha1\nkind: PlacementTest\nmanifests: [${manifests}]\ntests: [{ name: a, expect: [{ scheduled: all }] }]\n`;

/** Files with their texts; `->` and a target for a link. */
function write(files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(top, path)), { recursive: true });
    if (content.startsWith('->')) symlinkSync(content.slice(2), join(top, path));
    else writeFileSync(join(top, path), content);
  }
}

const REPOSITORY = {
  credentials: SECRET,
  'secret/more.yaml': SECRET,
  'secret/kustomization.yaml': 'resources: []\n',
  'repo/.git/config': SECRET,
  'repo/shared/node.yaml': NODE,
  'repo/deploy/web.yaml': POD,
  'repo/deploy/shared.yaml': '->../shared/node.yaml',
  'repo/deploy/up.yaml': '->../../credentials',
  'repo/deploy/absolute.yaml': `->${join(top, 'credentials')}`,
  'repo/deploy/twice.yaml': '->up.yaml',
  'repo/deploy/token.yaml': '->../.git/config',
  'repo/deploy/dangling.yaml': '->../../nothing',
  'repo/deploy/zero.yaml': '->/dev/zero',
  'repo/deploy/folder': '->../../secret',
  'repo/deploy/picture.png': '->../../credentials',
  'repo/ignored/.gitignore': '*.yaml\n',
  'repo/ignored/up.yaml': '->../../credentials',
  'repo/quiet/.gitignore': '->../../credentials',
  'repo/quiet/web.yaml': POD,
};
const NO_REPOSITORY = {
  'plain/app/web.yaml': POD,
  'plain/app/up.yaml': '->../beside.yaml',
  'plain/beside.yaml': SECRET,
  linked: '->plain/app',
};
if (process.platform !== 'win32') write({ ...REPOSITORY, ...NO_REPOSITORY });

/** Runs a command line on the real file system, from a folder below the top. */
async function berth(cwd: string, ...argv: readonly string[]): Promise<Run & { started: readonly string[] }> {
  const started: string[] = [];
  const world = {
    ...diskFrom(join(top, cwd)),
    post: async () => ({ failure: 'there is no network here' }),
    live: () => {
      throw new Error('there is no cluster here');
    },
    runProcess: async (command: string) => {
      started.push(command);
      return { end: 'exited' as const, code: 0, out: '', err: '' };
    },
    policyEngine: engineThatIsNotBuilt(),
  };
  return { ...(await runIn(world, argv, {}, '')), started };
}

const checked = (cwd: string, ...argv: readonly string[]) => berth(cwd, 'check', '--format', 'json', ...argv);
const skippedOf = ({ out }: Run): readonly string[] =>
  (JSON.parse(out).skipped ?? []).map((it: { path: string }) => it.path);

function checkSilent({ out, err }: Run): void {
  expect(out + err).not.toContain('sesame');
}

describe.runIf(process.platform !== 'win32')('a link that leads nowhere', () => {
  write({ 'broken/gone.yaml': '->nowhere.yaml', 'broken/web.yaml': POD });

  it('is told as such in a folder, and as an argument', async () => {
    for (const argv of [['.'], ['gone.yaml']]) {
      const { problems } = JSON.parse((await checked('broken', ...argv)).out) as {
        readonly problems: readonly { readonly path: string; readonly message: string }[];
      };
      const told = problems.map(it => `${it.path}: ${it.message}`);
      expect(told).toEqual(['gone.yaml: The file cannot be read: the link leads nowhere.']);
    }
    const { code, err } = await berth('broken', 'place', 'gone.yaml');
    expect([code, err]).toEqual([2, expect.stringContaining('the link leads nowhere')]);
  });

  it('is told of a configuration that names it', async () => {
    write({ 'named/gone': '->nowhere', 'named/berth.yaml': 'environments: { prod: { paths: [gone] } }\n' });
    const { code, err } = await berth('named', 'check', '--environment', 'prod');
    expect([code, err]).toEqual([2, expect.stringContaining('but it cannot be read: the link leads nowhere.')]);
  });
});

describe.runIf(process.platform !== 'win32')('links in a folder that lead out', () => {
  const OUT = ['absolute.yaml', 'dangling.yaml', 'folder', 'token.yaml', 'twice.yaml', 'up.yaml', 'zero.yaml'];
  const paths = (folder: string): readonly string[] => OUT.map(it => `${folder}${it}`);

  it('are skipped and told once, and what is in the repository is read', async () => {
    const run = await checked('repo', 'deploy');
    checkSilent(run);
    expect(skippedOf(run)).toEqual(paths('deploy/'));
    expect(JSON.parse(run.out).summary.files).toBe(2);
    expect(run.code).toBe(0);
    const words =
      'is a link that leads out of the folder and of its repository, and is skipped; --allow-outside follows it.';
    const told = run.err.split('\n').filter(it => it.includes('link'));
    expect(told).toEqual(paths('deploy/').map(it => `berth: ${it} ${words}`));
  });

  it.each([
    ['the present folder', 'repo/deploy', ['.'], paths('')],
    ['a folder twice', 'repo', ['deploy', '../repo/deploy'], paths('deploy/')],
    ['an ignored one', 'repo', ['ignored'], []],
    ['an ignore file', 'repo', ['quiet'], ['quiet/.gitignore']],
    ['without a repository', 'plain', ['app'], ['app/up.yaml']],
    ['a folder that is itself behind a link', '.', ['linked'], ['linked/up.yaml']],
  ] as const)('%s', async (_name, cwd, argv, expected) => {
    const run = await checked(cwd, ...argv);
    checkSilent(run);
    expect(skippedOf(run)).toEqual(expected);
  });

  it('are followed where the command line says so, but devices are not read', async () => {
    const run = await checked('repo', 'deploy', '--allow-outside');
    expect(skippedOf(run)).toEqual([]);
    const told = JSON.parse(run.out).problems.map((it: { path: string; code: string }) => `${it.path} ${it.code}`);
    expect(told).toContain('deploy/zero.yaml syntax/unreadable');
    expect((await berth('repo', 'check', 'deploy', '--allow-outside')).out).toContain('sesame');
  });

  it.each([
    ['file', ['check', 'deploy/up.yaml']],
    ['folder', ['check', 'deploy/folder']],
    ['scenario', ['place', 'deploy/up.yaml']],
    ['configuration', ['check', 'deploy/web.yaml', '--config', 'deploy/up.yaml']],
    ['baseline', ['check', 'deploy/web.yaml', '--baseline', 'deploy/up.yaml']],
    ['snapshot', ['place', 'deploy/web.yaml', '--cluster', 'snapshot:deploy/up.yaml']],
    ['scheduler', ['place', 'deploy/web.yaml', '--scheduler-config', 'deploy/up.yaml']],
  ])('out of a repository end the command where it names one: %s', async (_name, argv) => {
    const run = await berth('repo', ...argv);
    checkSilent(run);
    expect([run.code, run.out + run.err]).toEqual([2, expect.stringContaining('outside')]);
    expect((await berth('repo', ...argv, '--allow-outside')).err).not.toContain('outside');
  });

  it('are read where an argument names them, or what they lead to', async () => {
    expect((await berth('plain', 'check', 'app/up.yaml')).out).toContain('sesame');
    expect((await berth('repo', 'check', '../credentials')).out).toContain('sesame');
    expect((await berth('repo', 'check', join(top, 'credentials'))).out).toContain('sesame');
  });

  it.each([
    ['sarif', '"text":"deploy/up.yaml is a link that leads out'],
    ['github', '::notice file=deploy/up.yaml,title=link skipped::deploy/up.yaml is a link that leads out'],
  ])('are told in %s', async (format, words) => {
    const { out } = await berth('repo', 'check', '--format', format, 'deploy');
    expect(out.replaceAll('": ', '":')).toContain(words);
  });

  it.each([
    ['place', ['place', '--format', 'json', 'deploy'], paths('deploy/')],
    ['what-if', ['what-if', '--format', 'json', 'deploy', '--vpa'], undefined],
    ['policy test', ['policy', 'test', 'deploy'], undefined],
    ['baseline', ['baseline', 'deploy'], undefined],
  ] as const)('are skipped by %s, too', async (_name, argv, expected) => {
    const run = await berth('repo', ...argv);
    checkSilent(run);
    expect(run.err).toContain('deploy/up.yaml is a link that leads out');
    if (expected) expect(skippedOf(run)).toEqual(expected);
  });
});

describe.runIf(process.platform !== 'win32')('what berth.yaml names', () => {
  const OUTSIDE =
    'it lies outside of the repository, or of the folder where there is none, and --allow-outside was not given.';

  it.each([
    ['baseline', 'baseline: ../credentials\n', ['check']],
    ['link', 'baseline: link\n', ['check']],
    ['scheduler', 'schedulerConfig: ../credentials\n', ['check', 'place']],
    ['snapshot', 'cluster: snapshot:../credentials\n', ['check', 'place']],
    ['absolute', `cluster: snapshot:${join(top, 'credentials')}\n`, ['check', 'place']],
    ['share', 'cluster: snapshot://host/share/nodes.yaml\n', ['check', 'place']],
    ['folder', 'cluster: snapshot:../secret\n', ['check', 'place']],
    ['kind', 'cluster: kind:../credentials\n', ['check', 'place']],
    ['device', 'cluster: snapshot:/dev/zero\n', ['check', 'place']],
    ['environment', 'environments: { a: { paths: [., ../credentials] } }\n', ['check', 'check --environment a']],
    ['pattern', 'environments: { a: { paths: [., "../sec*/**"] } }\n', ['check', 'place --environment a']],
  ])('ends the command with one sentence where it leads out: %s', async (name, text, verbs) => {
    const folder = `named/${name}`;
    write({ [`${folder}/berth.yaml`]: text, [`${folder}/web.yaml`]: POD, [`${folder}/link`]: '->../credentials' });
    writeFileSync(join(top, 'named/credentials'), SECRET);
    for (const verb of verbs) {
      const run = await berth(folder, ...verb.split(' '), '--format', 'json');
      checkSilent(run);
      expect([run.code, JSON.parse(run.out).error], verb).toEqual([2, expect.stringContaining(OUTSIDE)]);
    }
  });

  it('is read within the repository, and beyond where the command line says so', async () => {
    write({ 'inner/.git/HEAD': '', 'inner/nodes.yaml': NODE, 'nodes.yaml': NODE });
    write({ 'inner/a/berth.yaml': 'cluster: snapshot:../nodes.yaml\n', 'inner/a/web.yaml': POD });
    write({ 'inner/b/berth.yaml': 'cluster: snapshot:../../nodes.yaml\n', 'inner/b/web.yaml': POD });
    const inside = await berth('inner/a', 'place', '.');
    expect([inside.code, inside.out]).toEqual([0, expect.stringContaining('of the given cluster')]);
    expect((await berth('inner/b', 'place', '.')).code).toBe(2);
    expect((await berth('inner/b', 'place', '.', '--allow-outside')).code).toBe(0);
    expect((await berth('inner/b', 'place', '.', '--cluster', 'snapshot:../../nodes.yaml')).code).toBe(0);
  });

  it('a link in place of it is no configuration', async () => {
    write({ 'lost/berth.yaml': '->../credentials', 'lost/web.yaml': POD });
    const run = await checked('lost', '.');
    checkSilent(run);
    expect([run.code, skippedOf(run)]).toEqual([0, ['berth.yaml']]);
  });

  it.each([
    ['the top of the repository', 'git', 2],
    ['the present folder, where there is none', 'no-git', 0],
  ])('is looked for up to %s', async (_name, folder, elsewhere) => {
    const broken = 'severity: 5\n';
    write({ [`${folder}/.berth.yaml`]: broken, [`${folder}/last/deep/app/web.yaml`]: POD });
    if (folder === 'git') write({ 'git/last/.git/HEAD': '' });
    const codes = async () => [
      (await checked(`${folder}/last`, 'deep/app')).code,
      (await checked('plain', join(top, folder, 'last/deep/app'))).code,
    ];
    expect(await codes()).toEqual([0, 0]);
    write({ [`${folder}/last/berth.yaml`]: broken });
    expect(await codes()).toEqual([2, elsewhere]);
  });
});

describe.runIf(process.platform !== 'win32')('what other files name', () => {
  it.each(['../../credentials', '../../secret', 'link.yaml'])('a placement test: %s', async manifests => {
    const folder = `repo/tests-${manifests.replaceAll(/\W/g, '')}`;
    write({ [`${folder}/a.placement-test.yaml`]: TEST(manifests), [`${folder}/link.yaml`]: '->../../credentials' });
    const run = await berth(folder, 'test');
    checkSilent(run);
    expect([run.code, run.err]).toEqual([2, expect.stringContaining('it lies outside of the repository')]);
  });

  it('a placement test without a repository: what lies beside its folder, below the present one', async () => {
    write({ 'split/cluster/node.yaml': `${NODE}---\n${POD}`, 'split/tests/a.placement-test.yaml': TEST('../cluster') });
    const below = await berth('split', 'test', 'tests');
    expect([below.code, below.err]).toEqual([0, '']);
    const beside = await berth('split/tests', 'test', '.');
    expect([beside.code, beside.err]).toEqual([2, expect.stringContaining('it lies outside of the repository')]);
  });

  it('a test accepts nothing into a file outside', async () => {
    write({
      'accepting/node.yaml': `${NODE}---\n${POD}`,
      'accepting/a.placement-test.yaml': TEST('node.yaml').replace('scheduled: all', 'unmoved: true'),
      'accepting/a.placements.json': '->../bashrc',
    });
    const { code, err, written } = await berth('accepting', 'test', '.', '--update');
    expect([code, written]).toEqual([2, {}]);
    expect(err).toContain('a.placements.json is not read: it lies outside');
  });

  it('nothing is written through a link that leads out', async () => {
    write({ 'writing/web.yaml': POD, 'writing/berth-baseline.json': '->../bashrc' });
    const { code, err } = await berth('writing', 'baseline');
    expect([code, err]).toEqual([2, expect.stringContaining('berth-baseline.json is not written: it lies outside')]);
    expect(existsSync(join(top, 'bashrc'))).toBe(false);
  });

  it('a search is not saved through one, either', async () => {
    const system =
      'apiVersion: berth.dev/v1alpha1\nkind: System\nmetadata: { name: a }\nspec:\n  variables: { v: 0 }\n' +
      '  processes: [{ name: p, start: s, steps: [{ name: a, from: s, to: s, set: { v: v + 1 } }] }]\n';
    write({ 'saving/a.yaml': system, 'saving/kept': '->../bashrc' });
    const { code, err } = await berth('saving', 'explore', 'a.yaml', '--max-states', '2', '--save', 'kept');
    expect([code, err]).toEqual([2, expect.stringContaining('kept is not written: it lies outside')]);
    expect(existsSync(join(top, 'bashrc'))).toBe(false);
  });

  it('a kustomization is not rendered, nor is it told what is there', async () => {
    write({ 'bases/app/kustomization.yaml': 'resources: [../../secret, ../../nowhere]\n' });
    const run = await checked('bases', '--render', 'app');
    expect(run.started).toEqual([]);
    expect(JSON.parse(run.out).problems.map((it: { message: string }) => it.message)).toEqual([
      expect.stringContaining('a path that may not be looked at'),
    ]);
    write({ 'nowhere/kustomization.yaml': 'resources: []\n' });
    expect((await checked('bases', '--render', 'app', '--allow-outside')).started).toEqual(['kustomize']);
  });

  it('a chart whose links lead out is not rendered', async () => {
    write({
      'charts/app/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
      'charts/app/files/own': 'x',
      'charts/app/templates/own.txt': '->../files/own',
    });
    expect((await checked('charts', '--render', 'app')).started).toEqual(['helm']);
    write({ 'charts/app/files/key': '->../../../credentials' });
    const run = await checked('charts', '--render', 'app');
    expect(run.started).toEqual([]);
    expect(JSON.parse(run.out).problems[0].message).toContain('helm follow app/files/key, a link that leads out');
  });

  it('a pipe is not waited for', async () => {
    write({ 'pipes/.git/HEAD': '', 'pipes/web.yaml': POD });
    for (const name of ['a.yaml', 'named']) execFileSync('mkfifo', [join(top, 'pipes', name)]);
    expect((await checked('pipes', '.')).code).toBe(0);
    const naming = [['a.yaml'], ['.', '--config', 'named'], ['.', '--baseline', 'named']];
    for (const argv of naming) expect((await checked('pipes', ...argv)).code, argv.join(' ')).toBe(2);
    write({ 'pipes/berth.yaml': 'cluster: kind:named\n' });
    expect((await berth('pipes', 'place', 'web.yaml')).code).toBe(2);
  });
});
