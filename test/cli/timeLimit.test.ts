import { describe, expect, it } from 'vitest';
import { refusalsOf } from '../../server/src/analysis/placement/refusalNotes';
import { createMemo } from '../../server/src/base/memo';
import { runToEnd } from '../../server/src/base/steps';
import { boundedAttempts, sizeLimit } from '../../server/src/cli/answerSize';
import { expandWorkloadSteps } from '../../server/src/cluster/controllers/workloads';
import type { Note } from '../../server/src/cluster/pods/note';
import { loadKube } from '../../server/src/kube/load';
import type { Attempt } from '../../server/src/scheduler/result';
import { readPack } from '../support/packs';
import { sizedFor } from '../support/thorough';
import { run } from './world';

const node =
  'apiVersion: v1\nkind: Node\nmetadata: { name: n1 }\nstatus: { allocatable: { cpu: "4", memory: 8Gi, pods: "20" } }\n';
const deployment = (name: string, replicas: number): string => `---
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: ${name} } }
  template: { metadata: { labels: { app: ${name} } }, spec: { containers: [{ name: c, image: a, resources: { requests: { cpu: 1m } } }] } }
`;
const policy = `apiVersion: descheduler/v1alpha2
kind: DeschedulerPolicy
profiles:
  - name: all
    pluginConfig: [{ name: RemoveDuplicates }]
    plugins: { balance: { enabled: [RemoveDuplicates] } }
`;
const tests = `apiVersion: berth.dev/v1alpha1
kind: PlacementTest
manifests: [../shop.yaml]
tests:
  - { name: first, expect: [{ fits: withAnyNodeDown }, { whatever: order }] }
  - { name: second, expect: [{ scheduled: all }] }
`;
const UNMOVED = `apiVersion: berth.dev/v1alpha1
kind: PlacementTest
manifests: [../shop.yaml]
tests:
  - { name: first, expect: [{ unmoved: true }] }
  - { name: second, changes: [{ scaleBy: 1 }], expect: [{ unmoved: true }] }
`;
const files = {
  'shop.yaml': node + deployment('web', 40),
  'policy.yaml': policy,
  'tests/all.placement-test.yaml': tests,
};

/** A clock that stands still until it was asked so often, and then is past every limit. */
function clock(questions: number): () => number {
  let asked = 0;
  return () => {
    asked += 1;
    return asked <= questions ? 0 : 1e9;
  };
}
const within = async (questions: number, ...argv: readonly string[]) => {
  const { code, out, err } = await run(argv, files, '', undefined, undefined, undefined, 'plain', clock(questions));
  return { code, err, answer: JSON.parse(out) };
};
const place = ['place', 'shop.yaml', '--format', 'json'];
/** So many questions are between two ends of the time. */
const EACH = sizedFor({ thorough: 13, quick: 29 });

describe('the size of an answer', () => {
  const long = 'x'.repeat(200_000);
  const longNamed = {
    'shop.yaml': node.replace('name: n1', `name: ${long}`) + deployment('web', 20),
    'tests/all.placement-test.yaml': tests.replace('fits: withAnyNodeDown', 'pending: all'),
  };

  it.each([
    ['place', 'json', ['place', 'shop.yaml', '--format', 'json']],
    ['place', 'text', ['place', 'shop.yaml']],
    ['place', 'verbose text', ['place', 'shop.yaml', '--verbose']],
    ['test', 'json', ['test', 'tests', '--format', 'json']],
    ['explore', 'json', ['explore', 'shop.yaml', '--format', 'json']],
    ['test', 'text', ['test', 'tests']],
  ])('is no product of long names and many Pods: %s, %s', async (_, _format, argv) => {
    const { out } = await run(argv, longNamed);
    expect(out).toContain('more characters)');
    expect(out.length).toBeLessThan(20 * 4 * 5_000);
  });

  it('leaves out verdicts and ties of further attempts, and counts these', () => {
    const limit = sizeLimit(10);
    const attempts = ['a', 'b', 'c'].map(
      pod => ({ pod, attempt: 1, status: 'scheduled', node: 'n1', tiedNodes: ['n1'], nodes: [] }) as unknown as Attempt,
    );
    const printed = attempts.map(it => {
      const own = limit.within(it);
      limit.add('12345678');
      return Object.keys(own);
    });
    const whole = ['pod', 'attempt', 'status', 'node', 'tiedNodes', 'nodes'];
    expect(printed).toEqual([whole, whole, whole.slice(0, 4)]);
    expect(limit.left()).toEqual({ nodes: 1, tiedNodes: 1 });
  });
});

describe('--time-limit', () => {
  it('leaves placement tests undecided, which fail, and tells how many', async () => {
    const counts: number[] = [];
    for (let questions = 2; counts.at(-1) !== 0 && questions < 100_000; questions *= 3) {
      const { code, err, answer } = await within(questions, 'test', 'tests', '--format', 'json');
      const [{ tests: told }] = answer.files;
      const late = told.filter((it: { failures: { message: string }[] }) =>
        it.failures.some(({ message }) => message === 'the time was over before this was decided'),
      );
      counts.push(late.length);
      if (late.length === 0) break;
      expect(code).toBe(2);
      expect(err).toContain(
        `The time limit of 60 s (--time-limit) was over before ${late.length === 1 ? '1 test' : '2 tests'} of tests/all.placement-test.yaml came to an end.`,
      );
    }
    expect(counts[0]).toBe(2);
    expect(counts.at(-1)).toBe(0);
  });

  it('leaves Pods without a turn, tells how many, and keeps what is known', async () => {
    const cuts: number[] = [];
    for (let questions = 1; cuts.at(-1) !== 0 && questions < 400; questions += 9) {
      const { code, err, answer } = await within(questions, ...place);
      if (answer.cut?.parts !== undefined) {
        expect(answer.cut.parts).toEqual(['placement']);
        expect(err).toBe('berth: The time limit of 60 s (--time-limit) was over before the scenario was read.\n');
        continue;
      }
      const left = answer.cut?.pods ?? 0;
      cuts.push(left);
      expect(new Set(answer.attempts.map((it: Attempt) => it.pod)).size + left).toBe(40);
      if (left > 0)
        expect(err).toBe(
          `berth: The time limit of 60 s (--time-limit) was over before ${left} Pod${left === 1 ? '' : 's'} had a turn.\n`,
        );
      expect(code).toBe(left > 0 ? 2 : 1);
      expect(answer.error === undefined).toBe(left === 0);
    }
    expect(cuts.at(-1)).toBe(0);
    expect(cuts.some(it => it > 0 && it < 40)).toBe(true);
  });

  it('accepts no placement of a test that is not decided, which stays failed beside others that are', async () => {
    const own = { 'shop.yaml': files['shop.yaml'], 'moves/a.placement-test.yaml': UNMOVED };
    const argv = ['test', 'moves', '--update', '--format', 'json'];
    const counts: number[] = [];
    for (let questions = 2; counts.at(-1) !== 0 && questions < 2_000; questions += 20) {
      const { code, out, written } = await run(
        argv,
        own,
        '',
        undefined,
        undefined,
        undefined,
        'plain',
        clock(questions),
      );
      const [{ tests: told }] = JSON.parse(out).files;
      const failed = told.filter((it: { failures: unknown[] }) => it.failures.length > 0).length;
      const accepted = Object.keys(JSON.parse(Object.values(written)[0] ?? '{}')).length;
      expect([code, failed + accepted]).toEqual([failed > 0 ? 2 : 0, 2]);
      counts.push(failed);
    }
    expect(new Set(counts)).toEqual(new Set([2, 1, 0]));
  });

  it('prints no verdict of a node once the time is over, and counts the Pods without any', async () => {
    const counts: number[] = [];
    for (let questions = 1; counts.at(-1) !== 0 && questions < 600; questions += EACH) {
      const { answer } = await within(questions, ...place);
      if (answer.cut?.parts !== undefined) continue;
      const without = answer.attempts.filter((it: Attempt) => !('nodes' in it)).length;
      expect(answer.cut?.nodes ?? 0).toBe(without);
      counts.push(without);
    }
    expect(counts.at(-1)).toBe(0);
    expect(counts.some(it => it > 0 && it < 40)).toBe(true);
  });

  it('prints a text without what nodes said once the time is over, too', async () => {
    const argv = ['place', 'shop.yaml'];
    const texts: string[] = [];
    for (let questions = 1; questions < 600; questions += EACH) {
      const { out } = await run(argv, files, '', undefined, undefined, undefined, 'plain', clock(questions));
      texts.push(out);
    }
    const cut = (text: string): number =>
      Number(/What the nodes said is left out for (\d+) attempt/.exec(text)?.[1] ?? 0);
    const reasons = (text: string): number => text.match(/web-\d+ +n1 +the only node that fits/g)?.length ?? 0;
    const placed = (text: string): number => text.match(/web-\d+ +n1/g)?.length ?? 0;
    for (const it of texts) expect(reasons(it) + cut(it)).toBe(placed(it));
    expect(cut(texts.at(-1) ?? '')).toBe(0);
    expect(texts.some(it => cut(it) > 0 && reasons(it) > 0)).toBe(true);
  });

  it('tells which of the questions have no answer', async () => {
    const all = [...place, '--suggest', '--compare', '--explain', 'web-1'];
    const { code, answer } = await within(1, ...all);
    expect([code, answer.cut]).toEqual([2, { parts: ['placement'] }]);
    const answered = await within(100_000, ...all);
    expect([answered.answer.cut, answered.answer.comparison.strategies.length]).toEqual([undefined, 4]);
    // Enough for the placement of all Pods, and not for what comes after it.
    for (let questions = 60; questions < 400; questions += 9) {
      const { answer: some } = await within(questions, ...all);
      if (some.cut?.pods !== undefined || some.cut?.parts?.includes('placement')) continue;
      expect(some.cut.parts).toContain('comparison');
      expect(some.attempts.length).toBeGreaterThanOrEqual(40);
      break;
    }
  });

  it('stops the descheduler and says that its end is not known', async () => {
    const argv = ['what-if', 'shop.yaml', '--descheduler', 'policy.yaml', '--format', 'json'];
    const found = async (questions: number): Promise<Awaited<ReturnType<typeof within>>> => {
      const told = await within(questions, ...argv);
      return told.answer.descheduler === undefined ? found(questions + 1) : told;
    };
    const { code, err, answer } = await found(1);
    expect([code, answer.descheduler.ending]).toEqual([2, { kind: 'unknown', rounds: 0, stopped: true }]);
    expect(err).toContain(
      'before it was told what does not count, and before it was known whether the descheduler comes to rest',
    );
  });

  it('must be a number of seconds', async () => {
    const { code, err } = await run(['place', 'shop.yaml', '--time-limit', 'long'], files);
    expect([code, err]).toEqual([2, 'berth: --time-limit "long" must be a whole number from 1.\n']);
  });
});

it('Pods of all workloads together are made up to a number, and the rest is told', () => {
  const workload = (i: number) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: `w${i}` },
    spec: {
      replicas: 10_000,
      selector: { matchLabels: { app: 'a' } },
      template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'a' }] } },
    },
  });
  const notes: Note[] = [];
  const { pods } = runToEnd(
    expandWorkloadSteps(
      Array.from({ length: 6 }, (_, i) => workload(i)),
      createMemo(),
      { isOn: () => true, admitted: it => it },
      it => notes.push(it),
    ),
  );
  expect(pods).toHaveLength(50_000);
  expect(notes.map(it => it.message)).toEqual(['Deployment w5 lacks 10000 Pods; only the first 0 are placed.']);
});

it('whether the API server takes the objects is looked at for the first alone where the time is over', () => {
  const kube = loadKube('1.37', {}, readPack);
  const pods = Array.from({ length: 150 }, (_, i) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: `p${i}` } }));
  expect(refusalsOf(pods, kube).notes).toHaveLength(150);
  const { notes, cut } = refusalsOf(pods, kube, () => true);
  expect([notes.length, notes[0]]).toEqual([100, expect.stringContaining('Pod p0: the API server refuses it')]);
  expect(cut).toBe('Whether the API server takes the objects was looked at for 100, and not for 50 more.');
});

it('an answer of very many verdicts tells what nodes said for the first Pods alone, and reads no more', () => {
  let read = 0;
  const attempt = (i: number): Attempt =>
    Object.defineProperty({ pod: `a/${i}`, attempt: 1, status: 'unschedulable', tiedNodes: ['n1'] }, 'nodes', {
      enumerable: true,
      configurable: true,
      get() {
        read += 1;
        return [];
      },
    }) as unknown as Attempt;
  const { attempts, without, withoutTies } = boundedAttempts(
    Array.from({ length: 10 }, (_, i) => attempt(i)),
    5,
    20,
    7,
  );
  expect(attempts.map(it => 'tiedNodes' in it)).toEqual([...Array(7).fill(true), ...Array(3).fill(false)]);
  expect(withoutTies).toBe(3);
  expect([attempts.length, without, read]).toEqual([10, 6, 0]);
  expect(attempts.map(it => 'nodes' in it)).toEqual([...Array(4).fill(true), ...Array(6).fill(false)]);
});
