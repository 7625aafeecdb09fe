import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createAnalysisHost } from '../../server/src/analysis/host';
import { changedBy, deltaOf } from '../../server/src/analysis/preview/delta';
import type { PreviewModel, WhatIf } from '../../server/src/analysis/preview/model';
import { readPack } from '../support/packs';
import { sizedFor } from '../support/thorough';

const uri = 'file:///ws/all.yaml';

interface App {
  readonly replicas: number;
  readonly cpu: number;
  readonly priority: string;
}

const NODES = ['a', 'b', 'c', 'd'].map(
  name => `apiVersion: v1
kind: Node
metadata: {name: ${name}, labels: {topology.kubernetes.io/zone: z-${name < 'c' ? 1 : 2}}}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}
`,
);
const HIGH = 'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: high}\nvalue: 1000\n';
/** Runs before, and leaves for more important ones. */
const OLD = `apiVersion: v1
kind: Pod
metadata: {name: old}
spec: {nodeName: a, containers: [{name: main, image: nginx, resources: {requests: {cpu: 2}}}]}
`;

const textOf = ({ replicas, cpu, priority }: App, index: number): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: app${index}}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: app${index}}}
  template:
    metadata: {labels: {app: app${index}}}
    spec:${priority}
      containers: [{name: main, image: nginx, resources: {requests: {cpu: ${cpu}m}}}]
`;

const apps = fc.array(
  fc.record({
    replicas: fc.integer({ min: 0, max: 5 }),
    cpu: fc.constantFrom(50, 500, 1_500, 2_500),
    priority: fc.constantFrom('', '\n      priorityClassName: high'),
  }),
  { minLength: 1, maxLength: 4 },
);

const whatIf: fc.Arbitrary<WhatIf> = fc.constantFrom<WhatIf>(
  { changes: [] },
  { changes: [], strategy: 'pack' },
  { changes: [{ do: 'nodeDown', node: 'b' }] },
);

const moments = fc.array(fc.record({ apps, nodes: fc.integer({ min: 1, max: 4 }), whatIf }), {
  minLength: 2,
  maxLength: 6,
});

const hostFor = () => createAnalysisHost({ readPack, onBug: (code, cause) => expect.fail(`${code}: ${cause}`) });
const sent = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

it('turns the last model into exactly the model without a delta', () => {
  fc.assert(
    fc.property(moments, all => {
      const host = hostFor();
      let server: PreviewModel | undefined;
      let client: PreviewModel | undefined;
      for (const state of all) {
        const docs = [HIGH, OLD, ...NODES.slice(0, state.nodes), ...state.apps.map(textOf)];
        const files = [{ uri, text: docs.join('---\n') }];
        host.apply({ files });
        const model = host.analysis().preview({ uri, offset: 0, whatIf: state.whatIf });
        client = server && client ? changedBy(client, sent(deltaOf(1, server, model))) : sent(model);
        server = model;
        const anew = hostFor();
        anew.apply({ files });
        const whole = sent(anew.analysis().preview({ uri, offset: 0, whatIf: state.whatIf }));
        expect(client).toEqual(whole);
        expect(Object.keys(client.attempts)).toEqual(Object.keys(whole.attempts));
      }
    }),
    { numRuns: sizedFor({ thorough: 10, quick: 4 }), seed: 7 },
  );
});

it('sends only what an edit changes, and keeps all other objects', () => {
  const host = hostFor();
  const modelWith = (cpu: number): PreviewModel => {
    const changing = textOf({ replicas: 1, cpu, priority: '' }, 9);
    const still = [0, 1, 2].map(it => textOf({ replicas: 3, cpu: 50, priority: '' }, it));
    host.apply({ files: [{ uri, text: [...NODES, ...still, changing].join('---\n') }] });
    return host.analysis().preview({ uri, offset: 0 });
  };
  const [before, now] = [modelWith(100), modelWith(200)];
  const { lists } = deltaOf(1, before, now);
  const added = (pieces: (typeof lists)['pods' | 'nodes' | 'workloads']) =>
    pieces.flatMap(it => ('added' in it ? it.added.map(({ name }) => name) : []));
  expect(added(lists.pods)).toEqual([expect.stringMatching(/^app9-/)]);
  expect(added(lists.workloads)).toEqual([]);
  expect(added(lists.nodes)).toHaveLength(1);
  const then = changedBy(before, deltaOf(1, before, now));
  expect(then.pods.filter((it, at) => it !== before.pods[at])).toHaveLength(1);
  expect(then.workloads).toBe(before.workloads);
});
