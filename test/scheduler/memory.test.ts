import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { UnknownObject } from '../../server/src/base/json';
import { createRunMemory, type RunMemory } from '../../server/src/scheduler/incremental/runCache';
import { type Simulation, simulate, simulateSteps } from '../../server/src/scheduler/scenario';
import { scenarioOf } from '../conformance/scheduling/generate';
import { THEMES } from '../conformance/scheduling/themes';
import { sizedFor } from '../support/thorough';
import { isGateOn, objectsIn, verdictTable } from './support';

const run = (objects: readonly UnknownObject[], memory?: RunMemory): Simulation =>
  simulate(objects, { kubernetesVersion: '1.37', isGateOn, ...(memory && { memory }) });

/** Steps of another run are mixed with those of this one, which is cancelled after some of them. */
function runPartly(objects: readonly UnknownObject[], memory: RunMemory, turns: number): void {
  const left = simulateSteps(objects, { kubernetesVersion: '1.37', isGateOn, memory });
  for (let i = 0; i < turns; i++) left.next();
}

const resultText = ({ result }: Simulation): string => `${verdictTable(result)}${JSON.stringify(result.queue)}`;

/** Changes the list of objects; `more` supplies new ones. */
type Edit = (objects: readonly UnknownObject[], more: readonly UnknownObject[]) => readonly UnknownObject[];

const place = fc.nat(50);
const at = <T>(list: readonly T[], i: number): T | undefined => list[i % Math.max(1, list.length)];
const withLabel = (object: UnknownObject, value: string): UnknownObject => {
  const metadata = object.metadata as UnknownObject | undefined;
  return { ...object, metadata: { ...metadata, labels: { ...(metadata?.labels as UnknownObject), app: value } } };
};
const withCpu = (object: UnknownObject, cpu: string): UnknownObject => {
  const spec = object.spec as UnknownObject | undefined;
  if (object.kind !== 'Pod' || !Array.isArray(spec?.containers)) return object;
  const containers = (spec.containers as readonly UnknownObject[]).map(it => ({
    ...it,
    resources: { requests: { cpu } },
  }));
  return { ...object, spec: { ...spec, containers } };
};
const withImage = (object: UnknownObject, image: string): UnknownObject => {
  const changed = (it: unknown): unknown => {
    if (Array.isArray(it)) return it.map(changed);
    if (typeof it !== 'object' || it === null) return it;
    const entries = Object.entries(it).map(([key, value]) => [key, key === 'image' ? image : changed(value)]);
    return Object.fromEntries(entries);
  };
  return object.kind === 'Pod' || object.kind === 'Deployment' ? (changed(object) as UnknownObject) : object;
};
/** A workload with Pods like one of the scenario's. */
const workloadLike = (object: UnknownObject, replicas: number): UnknownObject => {
  const { nodeName: _, priority: __, ...spec } = (object.spec ?? {}) as UnknownObject;
  const { name, namespace, labels } = (object.metadata ?? {}) as UnknownObject;
  const template = { metadata: { labels: labels ?? { app: 'x' } }, spec };
  const selector = { matchLabels: template.metadata.labels };
  const metadata = { name, ...(namespace !== undefined && { namespace }) };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { replicas, selector, template } };
};
const expanding = (object: UnknownObject): UnknownObject =>
  object.kind === 'ScenarioOptions' ? { ...object, expandWorkloads: true } : object;

const changing = (change: (object: UnknownObject, value: number) => UnknownObject) =>
  fc.tuple(place, fc.integer({ min: 1, max: 3 })).map(
    ([where, value]): Edit =>
      objects =>
        objects.map(it => (it === at(objects, where) ? change(it, value) : it)),
  );

const edits: fc.Arbitrary<Edit> = fc.oneof(
  place.map(
    (where): Edit =>
      objects =>
        objects.filter(it => it !== at(objects, where)),
  ),
  fc.tuple(place, place).map(
    ([where, which]): Edit =>
      (objects, more) => {
        const found = at(more, which);
        const i = where % (objects.length + 1);
        return found ? [...objects.slice(0, i), found, ...objects.slice(i)] : objects;
      },
  ),
  changing((it, value) => withLabel(it, `v${value}`)),
  { weight: 3, arbitrary: changing((it, value) => withCpu(it, `${value * 300}m`)) },
  {
    weight: 3,
    arbitrary: changing((it, value) => withImage(it, ['nobody/has:1', 'nor/this:2', 'img-a:v1'][value - 1]!)),
  },
  changing((it, value) => (it.kind === 'Pod' ? workloadLike(it, value) : it)),
  changing((it, value) =>
    it.kind === 'Deployment' ? { ...it, spec: { ...(it.spec as UnknownObject), replicas: value } } : it,
  ),
  fc.constant<Edit>(objects => objects.map(expanding)),
  // All objects as new values, as after formatting the whole file.
  fc.constant<Edit>(objects => structuredClone(objects) as readonly UnknownObject[]),
);

describe('the cache between runs changes no decision', () => {
  it.each(Object.keys(THEMES))('%s', theme => {
    fc.assert(
      fc.property(
        fc.nat(10_000),
        fc.array(fc.tuple(edits, fc.nat(6)), { minLength: 1, maxLength: 8 }),
        (seed, changes) => {
          const memory = createRunMemory();
          const more = scenarioOf(theme, seed + 20_000);
          let objects = scenarioOf(theme, seed);
          run(objects, memory);
          for (const [change, turns] of changes) {
            objects = change(objects, more);
            runPartly(objects, memory, turns);
            expect(resultText(run(objects, memory))).toBe(resultText(run(objects)));
          }
        },
      ),
      { numRuns: sizedFor({ thorough: 5, quick: 1 }), seed: 7 },
    );
  });
});

describe('a run that is cancelled between two Pods', () => {
  it.each(Object.keys(THEMES))('comes to the same beside others that share its memory, %s', theme => {
    for (let seed = 1; seed <= sizedFor({ thorough: 5, quick: 2 }); seed++) {
      const memory = createRunMemory();
      const [objects, others] = [scenarioOf(theme, seed), scenarioOf(theme, seed + 20_000)];
      const runs = [objects, others].map(it => simulateSteps(it, { kubernetesVersion: '1.37', isGateOn, memory }));
      const ends: Simulation[] = [];
      while (ends.length < runs.length) {
        for (const turns of runs) {
          const step = turns.next();
          if (step.done && step.value) ends.push(step.value);
        }
      }
      expect(ends.map(resultText).sort()).toEqual([objects, others].map(it => resultText(run(it))).sort());
    }
  });
});

describe('a change of one object', () => {
  const cluster = `
apiVersion: v1
kind: Node
metadata: {name: n1}
status: {allocatable: {cpu: "4", memory: 4Gi, pods: "10"}}
---
apiVersion: v1
kind: Node
metadata: {name: n2}
status: {allocatable: {cpu: "4", memory: 4Gi, pods: "10"}}
`;
  const pod = (name: string, cpu: string): string => `
apiVersion: v1
kind: Pod
metadata: {name: ${name}}
spec: {containers: [{name: main, image: i, resources: {requests: {cpu: ${cpu}}}}]}
`;
  const [objects, [changed]] = [
    objectsIn([cluster, pod('a', '1'), pod('b', '2'), pod('c', '1')].join('---')),
    objectsIn(pod('b', '3')),
  ];

  it('reuses the cycles before the changed Pod, and none after it', () => {
    const memory = createRunMemory();
    const before = run(objects, memory).result.attempts;
    const after = run(
      objects.map((it, i) => (i === 3 ? changed! : it)),
      memory,
    ).result.attempts;
    expect(after.map((it, i) => it === before[i])).toEqual([true, false, false]);
  });

  it('repeats no cycle where it changes only what placement ignores', () => {
    const memory = createRunMemory();
    const deployment = (image: string): string => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: main, image: ${image}, env: [{name: A, value: ${image}}]}]}
`;
    const around = objectsIn([cluster, pod('z', '1')].join('---'));
    const [before, after] = ['one', 'two'].map(it => run([...around, ...objectsIn(deployment(it))], memory));
    const isKept = after!.result.attempts.map((it, i) => it === before!.result.attempts[i]);
    expect(isKept).toEqual([true, true, true]);
    expect(after!.scenario.pending[1]?.spec.containers?.[0]?.image).toBe('two');
  });

  it('keeps the models of running Pods and of nodes', () => {
    const memory = createRunMemory();
    const [one, two] = [run(objects, memory), run([...objects, changed!], memory)];
    expect(two.scenario.cluster.nodes[0]).toBe(one.scenario.cluster.nodes[0]);
    expect(two.scenario.pending[0]).toBe(one.scenario.pending[0]);
  });
});
