import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { UnknownObject } from '../../server/src/base/json';
import { withChanges } from '../../server/src/cluster/changes';
import { run } from '../cli/world';
import { objectsIn } from '../scheduler/support';

const folder = join(import.meta.dirname, '../fixtures/explore');
const objectsOf = (name: string): readonly UnknownObject[] => objectsIn(readFileSync(join(folder, name), 'utf8'));

interface Trace {
  readonly steps: readonly { readonly process: string; readonly step: string }[];
  readonly cycle?: Trace['steps'];
}

interface Line {
  readonly alwaysPlaced?: boolean;
  readonly questions?: readonly { readonly holds: boolean | null; readonly says?: string; readonly trace?: Trace }[];
}

/** Explores one cluster as `berth explore` does. */
async function explored(objects: readonly UnknownObject[]): Promise<{ readonly code: number; readonly line: Line }> {
  const text = objects.map(it => JSON.stringify(it)).join('\n---\n');
  const { code, out } = await run(['explore', '--format', 'json', 'cluster.yaml'], { 'cluster.yaml': text });
  return { code: code!, line: JSON.parse(out) as Line };
}

/** Each finding: what it says, the steps to it, and after `again` those that repeat. */
function findingsIn({ questions = [] }: Line): readonly string[] {
  const words = (steps: Trace['steps']): string => steps.map(it => `${it.process}: ${it.step}`).join('; ');
  return questions.flatMap(({ says, trace }) =>
    says === undefined || trace === undefined
      ? []
      : [`${says} | ${words(trace.steps)}${trace.cycle ? ` | again ${words(trace.cycle)}` : ''}`],
  );
}

/** By fixture: its findings. The variant `.cured` replaces objects of the fixture and has none. */
const FINDINGS: Readonly<Record<string, readonly string[]>> = {
  E04: [
    'the evictions of descheduler may go on for ever: nothing ends it |  | again descheduler: RemoveDuplicates evicts web from n2; Deployment web: make web; scheduler: web to n2',
  ],
  E05: [
    'the evictions of descheduler may go on for ever: nothing ends it | descheduler: RemovePodsViolatingTopologySpreadConstraint evicts web from n0, web from n0; Deployment web: make 2 × web; scheduler: web to n1; scheduler: web to n0 | again descheduler: RemovePodsViolatingTopologySpreadConstraint evicts web from n0; Deployment web: make web; scheduler: web to n0',
  ],
  E06: [
    'a drain may go on for ever, as what it evicts comes back to the node | drain: cordon n1 | again drain: evict web from n1; Deployment web: make web on n1',
    'the evictions of taint eviction may go on for ever: nothing ends it |  | again taint eviction: evict web from n1; Deployment web: make web on n1',
  ],
  E08: [
    'a rollout of Deployment web never ends (maxSurge 1, maxUnavailable 0): no node has room for a new Pod while the old ones run | Deployment web: scale the new ReplicaSet to 1; Deployment web: make web (new)',
  ],
  E09: ['the drain of n0 never ends: web stays, as the budget web wants 3 available, and 3 are | drain: cordon n0'],
  E10: [
    'the drain of n0 never ends: web stays, as the budgets web and web-too both select it, and the eviction API refuses a Pod with several | drain: cordon n0',
  ],
  E12: [
    'the evictions of descheduler may go on for ever: nothing ends it | descheduler: HighNodeUtilization evicts web from n1, web from n1; Deployment web: make 2 × web; scheduler: web to n1; scheduler: web to n2 | again descheduler: HighNodeUtilization evicts web from n1, web from n2; Deployment web: make 2 × web; scheduler: web to n1; scheduler: web to n2',
  ],
  E13: [
    'the evictions of descheduler may go on for ever: nothing ends it |  | again descheduler: LowNodeUtilization evicts big from n0; Deployment big: make big; scheduler: big to n0',
  ],
  E16: [
    'while one node at a time is drained, 1 of 3 replicas of Deployment web are left | drain: cordon n0; drain: evict web from n0; Deployment web: make web; scheduler: web to n1; drain: n0 is empty; uncordon it; drain: cordon n1; drain: evict web from n1; Deployment web: make web; drain: evict web from n1',
  ],
  E17: [
    'a rollout of Deployment web never ends (maxSurge 1, maxUnavailable 0): a new Pod waits for a volume that an old one holds on another node | Deployment web: scale the new ReplicaSet to 1; Deployment web: make web (new); scheduler: web (new) to n1',
  ],
};

describe('the scenarios of a cluster with controllers', () => {
  const files = readdirSync(folder);
  const fixtures = files.filter(it => !it.includes('.cured'));

  it('are all in the table, each with a cured variant', () => {
    expect(fixtures.map(it => it.replace('.yaml', ''))).toEqual(Object.keys(FINDINGS));
    expect(files.filter(it => it.includes('.cured'))).toEqual(fixtures.map(it => it.replace('.yaml', '.cured.yaml')));
  });

  it.each(Object.entries(FINDINGS))('%s has its findings, with the shortest ways', async (name, findings) => {
    const { code, line } = await explored(objectsOf(`${name}.yaml`));
    expect(findingsIn(line)).toEqual(findings);
    expect(code).toBe(1);
  });

  it.each(Object.keys(FINDINGS))('%s, cured, has none', async name => {
    const cure = objectsOf(`${name}.cured.yaml`);
    const { objects } = withChanges(objectsOf(`${name}.yaml`), [{ do: 'apply', objects: cure }]);
    const { code, line } = await explored(objects);
    expect(findingsIn(line)).toEqual([]);
    expect(line.questions!.map(it => it.holds)).not.toContain(null);
    expect(code).toBe(0);
  });
});
