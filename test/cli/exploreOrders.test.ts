import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from './world';

const node = (name: string) => `apiVersion: v1
kind: Node
metadata: { name: ${name}, labels: { kubernetes.io/hostname: ${name} } }
status: { allocatable: { cpu: "4", memory: 8Gi, pods: "20" } }
`;

const pod = (name: string, cpu: number) => `apiVersion: v1
kind: Pod
metadata: { name: ${name} }
spec: { containers: [{ name: app, image: nginx, resources: { requests: { cpu: "${cpu}", memory: 1Gi } } }] }
`;

const joined = (...documents: readonly string[]) => documents.join('---\n');

const files = {
  'folder/pack.yaml': joined(node('n1'), node('n2'), pod('big', 4), pod('s1', 1), pod('s2', 1)),
  'roomy.yaml': joined(node('n1'), pod('s1', 1)),
  'broken.yaml': 'kind: Pod\nmetadata: { name: [',
};

const text = (...args: readonly string[]) => run(['explore', ...args], files);
const json = async (...args: readonly string[]) => {
  const { code, out } = await text(...args, '--format', 'json');
  return {
    code,
    lines: out
      .trim()
      .split('\n')
      .map(it => JSON.parse(it)),
  };
};

describe('berth explore of a scenario', () => {
  it('without a Pod says just that', async () => {
    const { code, out } = await run(['explore', 'nodes.yaml'], { 'nodes.yaml': node('n1') });
    expect([code, out]).toEqual([0, 'nodes.yaml\nThere is no Pod to place.\n']);
  });

  describe.each([
    ['orders', []],
    ['drains alone', ['--ask', 'drain']],
  ])('of which %s are asked', (_, asked) => {
    const explored = (file: string, ...more: readonly string[]) =>
      run(['explore', 'a.yaml', ...asked, ...more], { 'a.yaml': joined(node('n1'), pod('s1', 1), file) });

    it.each([
      [
        pod('odd', 1).replace('name: odd', 'name: odd, labels: { app: yes }'),
        'metadata.labels.app is not a string, so',
      ],
      [pod('ODD', 1), 'the API server refuses it: metadata.name: '],
    ])('tells what does not count, or would not in a cluster', async (file, said) => {
      const { code, out } = await explored(file);
      expect(code).toBe(0);
      expect(out).toMatch(new RegExp(`^note .*${said}`, 'm'));
      expect(out.match(/^note /gm)).toHaveLength(1);
      const { notes } = JSON.parse((await explored(file, '--format', 'json')).out);
      expect(notes).toEqual([expect.stringContaining(said)]);
    });

    it('cannot read a part of it, and says so', async () => {
      const { code, err } = await explored(files['broken.yaml']);
      expect(code).toBe(2);
      expect(err).toContain('a.yaml:');
    });
  });

  it('--format junit has a case for the placement of all and one for groups', async () => {
    const { code, out } = await text('folder/pack.yaml', 'roomy.yaml', '--format', 'junit');
    expect(code).toBe(1);
    expect(out).toContain('<testsuite name="folder/pack.yaml" tests="2" failures="1" errors="0">');
    expect(out).toMatch(/<failure message="a Pod is not placed in some order: .*s1 to n\d.*" type="alwaysPlaced"\/>/);
    expect(out).toContain('<testsuite name="roomy.yaml" tests="2" failures="0" errors="0">');
  });

  it('tells in how many orders a Pod is stranded, one such order, and all that may become of the Pods', async () => {
    const { code, out } = await text('folder/pack.yaml');
    expect(out).toBe(`pack.yaml
3 Pods may arrive in 3 orders, names of equal Pods left aside.
Stranded in 1 of 3 orders: s1, s2, big
Shortest way there: s1 to n1, s2 to n2
1 of 3 orders may end so, as s1, s2, big:
  n1: s1
  n2: s2
  waits: big
2 of 3 orders may end so, as big, s1, s2:
  n1: big
  n2: s1, s2
fix let the scheduler fill nodes (MostAllocated) (then every Pod is placed)
`);
    expect(code).toBe(1);
  });

  it('tells what is refused apart from what arrives, and that a quota goes by the order of the files', async () => {
    const quota = 'apiVersion: v1\nkind: ResourceQuota\nmetadata: { name: q }\nspec: { hard: { requests.cpu: "2" } }\n';
    const world = { 'quota.yaml': joined(node('n1'), quota, pod('a', 1), pod('b', 1), pod('c', 2)) };
    const { code, out } = await run(['explore', 'quota.yaml'], world);
    expect(code).toBe(1);
    expect(out).toContain('Every Pod that is let in is placed, whatever the order.\n');
    expect(out).toContain('default/c is refused: pods "c" is forbidden: exceeded quota: q, requested: requests.cpu=2');
    expect(out).toContain('note Quotas let Pods in by the order of the files.');
    const junit = await run(['explore', 'quota.yaml', '--format', 'junit'], world);
    expect(junit.out).toContain('message="default/c is refused: pods ');
  });

  it('prints a line of JSON for each argument, with all names', async () => {
    const { code, lines } = await json('roomy.yaml', 'folder/pack.yaml');
    const [roomy, pack] = lines;
    expect(code).toBe(1);
    expect(roomy).toEqual({
      contract: 1,
      scenario: 'roomy.yaml',
      complete: true,
      outcomes: [
        {
          placements: { 'default/s1': 'n1' },
          pending: [],
          evicted: [],
          orders: 1,
          witness: { order: ['default/s1'] },
        },
      ],
      alwaysPlaced: true,
      samePlacements: true,
      permutations: 1,
      strandedOrders: 0,
    });
    expect(pack).toMatchObject({
      scenario: 'pack.yaml',
      alwaysPlaced: false,
      samePlacements: false,
      strandedOrders: 2,
    });
    expect(pack.outcomes.map((it: { orders: number }) => it.orders).sort()).toEqual([2, 2, 4, 4]);
  });

  it('ends with 0 when every Pod is placed whatever the order, and with 2 for what cannot be read', async () => {
    expect((await text('roomy.yaml')).code).toBe(0);
    const { code, lines } = await json('broken.yaml', 'roomy.yaml');
    expect(code).toBe(2);
    expect(lines[0].error).toMatch(/^broken\.yaml/);
    expect(lines[1].alwaysPlaced).toBe(true);
  });

  it('ends where the time is over long before one order was followed', async () => {
    let asked = 0;
    // Past every limit once the Pods begin to arrive.
    const now = (): number => (asked++ < 1_500 ? 0 : 1e9);
    const many = { 'many.yaml': joined(node('a'), ...Array.from({ length: 230 }, (_, i) => pod(`p${i}`, i + 1))) };
    const args = ['explore', '--format', 'json', 'many.yaml'];
    const { code, err } = await run(args, many, '', undefined, undefined, undefined, 'plain', now);
    expect([code, err]).toEqual([2, expect.stringContaining('before one order was followed to its end')]);
  });

  it('says what a limit left out', async () => {
    const { lines } = await json('folder/pack.yaml', '--max-states', '2');
    expect(lines[0]).toMatchObject({ complete: false, samePlacements: false });
    expect(lines[0].cut).toContain('After 3 states the other orders were not followed to their ends.');
  });
});

const web = (strategy: string) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 1
  strategy: ${strategy}
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: app, image: nginx, ports: [{ containerPort: 80, hostPort: 80 }] }] }
`;

describe('berth explore of a cluster with controllers', () => {
  const stuck = joined(node('n1'), web('{ rollingUpdate: { maxUnavailable: 0 } }'));
  const given = { 'stuck.yaml': stuck, 'fine.yaml': joined(node('n1'), web('{ type: Recreate }')) };

  it('--ask chooses the questions; a finding has its shortest way, and the exit code is 1', async () => {
    const { code, out } = await run(['explore', '--ask', 'rollout', 'stuck.yaml'], given);
    expect(
      out,
    ).toBe(`  ✗ a rollout of Deployment web never ends (maxSurge 1, maxUnavailable 0): no node has room for a new Pod while the old ones run
      1. Deployment web: scale the new ReplicaSet to 1
      2. Deployment web: make web (new)
    fix let Deployment web roll out with maxUnavailable: 1
    fix let Deployment web roll out with the strategy Recreate
`);
    expect(code).toBe(1);
  });

  it('says what holds, and asks nothing where no controller makes a Pod', async () => {
    const { code, out } = await run(['explore', '--ask', 'rollout', 'fine.yaml'], given);
    expect([code, out]).toEqual([0, '  ✓ every rollout of Deployment web ends\n']);
    expect((await json('roomy.yaml')).lines[0]).not.toHaveProperty('questions');
  });

  it('--format junit has a case for each question', async () => {
    const { out } = await run(['explore', '--ask', 'rollout,drain', 'stuck.yaml', '--format', 'junit'], given);
    expect(out).toContain('tests="2" failures="1"');
    expect(out).toContain('never ends (maxSurge 1, maxUnavailable 0)');
  });

  it('a limit leaves a question open', async () => {
    const { code, out } = await run(
      ['explore', '--ask', 'rollout', 'fine.yaml', '--max-states', '1', '--format', 'json'],
      given,
    );
    expect(JSON.parse(out).questions[0]).toMatchObject({ question: 'rollout', holds: null });
    expect(code).toBe(0);
  });

  it.each(['nosuch', '', 'order,x'])('refuses --ask %j', async asked => {
    const { code, err } = await run(['explore', '--ask', asked, 'fine.yaml'], given);
    expect(code).toBe(2);
    expect(err).toMatch(/^berth: --ask /);
  });
});

describe('the examples of what controllers do show what their comments say', () => {
  const folder = join(import.meta.dirname, '../../examples/what-controllers-do');
  it.each([
    ['rollout', 'a rollout of Deployment web never ends', ['maxUnavailable: 0', 'maxUnavailable: 1']],
    ['drain', 'while one node at a time is drained, 1 of 3 replicas of Deployment web are left', undefined],
  ])('%s', async (name, finding, cure) => {
    const written = readFileSync(join(folder, name, `${name}.yaml`), 'utf8');
    const { code, out } = await run(['explore', 'a.yaml'], { 'a.yaml': written });
    expect(out).toContain(finding);
    expect(code).toBe(1);
    const budget =
      '---\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: web }\nspec: { minAvailable: 2, selector: { matchLabels: { app: web } } }\n';
    const cured = cure ? written.replace(cure[0]!, cure[1]!) : `${written}${budget}`;
    expect((await run(['explore', 'a.yaml'], { 'a.yaml': cured })).code).toBe(0);
  });
});

describe('the examples of arrival orders show what their comments say', () => {
  const folder = join(import.meta.dirname, '../../examples/arrival-orders');
  it.each([
    ['big-and-small.yaml', 'Stranded in 1 of 3 orders: small-1, small-2, big\n', 1],
    ['two-jobs.yaml', 'Deadlock in 12 of 20 orders: each of Job train, Job score holds room that another needs', 1],
    ['two-gangs.yaml', '10 of 20 orders may end so, as train-1, train-2, train-3, score-1, score-2, score-3:\n', 1],
  ])('%s', async (name, line, exit) => {
    const { out, code } = await run(['explore', name], {
      [name]: readFileSync(join(folder, name.replace('.yaml', ''), name), 'utf8'),
    });
    expect(out).toContain(line);
    expect(out.includes('Deadlock')).toBe(name === 'two-jobs.yaml');
    expect(code).toBe(exit);
  });
});
