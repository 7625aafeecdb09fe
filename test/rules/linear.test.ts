import { afterEach, describe, expect, it, vi } from 'vitest';
import type { JsonObject, JsonValue, UnknownObject } from '../../server/src/base/json';
import { admissionFacts, admitPod } from '../../server/src/cluster/admission/admission';
import { loadKube } from '../../server/src/kube/load';
import { asksTooMuch } from '../../server/src/kube/schemaSize';
import { structuralSchemaOf } from '../../server/src/kube/structuralSchema';
import type { Pod } from '../../server/src/kube/types';
import { FieldPath } from '../../server/src/manifest/fieldPath';
import { kyvernoPolicyOf } from '../../server/src/policy/kyverno/policies/policy';
import { locationInText } from '../../server/src/rules/apiserver/locate';
import { answerOf } from '../../server/src/rules/apiserver/validate/engine';
import { validateSpreadConstraints } from '../../server/src/rules/apiserver/validate/podSpec/spread';
import { allStrategies } from '../../server/src/rules/apiserver/validate/strategies';
import { systemMetadata } from '../../server/src/rules/apiserver/validate/systemMetadata';
import type { RuleContext, RuleTarget } from '../../server/src/rules/framework/rule';
import { countsDomainOfTaintedNodes } from '../../server/src/rules/knownIssues/functions/nodes';
import { preemptsOtherQosClass } from '../../server/src/rules/knownIssues/functions/preemption';
import { isMountedAtOtherLevelElsewhere } from '../../server/src/rules/knownIssues/functions/seLinux';
import duplicateToleration from '../../server/src/rules/placement/duplicateToleration';
import limitRange from '../../server/src/rules/placement/limitRange';
import configKeyMissing from '../../server/src/rules/references/configKeyMissing';
import { configurationErrors } from '../../server/src/rules/scheduler/validate/configuration';
import { profileRefusals } from '../../server/src/rules/scheduler/validate/profiles';
import type { WorkspaceObject } from '../../server/src/workspace/object';
import { diagnose } from '../support/check';
import { readPack } from '../support/packs';

const kube = loadKube('1.37', {}, readPack);
const validation = { kube, isOn: (gate: string) => kube.isGateOn(gate) };

/** A value that counts reads of any of its parts. */
function counted<T>(value: T, onRead: () => void): T {
  // A part is the same object each time, as it is without counting.
  const made = new WeakMap<object, object>();
  const proxyOf = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null) return part;
    const proxy = made.get(part) ?? new Proxy(part, { get });
    made.set(part, proxy);
    return proxy;
  };
  const get = (of: object, key: string | symbol): unknown => {
    onRead();
    return proxyOf((of as Record<string | symbol, unknown>)[key]);
  };
  return proxyOf(value) as T;
}

const strategy = (kind: string) => (object: JsonObject) => [
  ...(allStrategies()[kind]?.validate(object, validation) ?? []),
];
const metadata = { name: 'a', namespace: 'b' };
const podWith = (object: JsonObject): RuleTarget =>
  ({ object: { kind: 'Pod', group: '' }, value: object }) as unknown as RuleTarget;

const CASES: Readonly<Record<string, readonly [(object: JsonObject) => unknown, (count: number) => JsonObject]>> = {
  'ports of a Service with one name': [
    strategy('/Service'),
    count => ({ metadata, spec: { ports: list(count, () => ({ name: 'p', port: 80, nodePort: 30_000 })) } }),
  ],
  'taints of a Node': [
    strategy('/Node'),
    count => ({ metadata, spec: { taints: list(count, () => ({ key: 'a', effect: 'NoSchedule' })) } }),
  ],
  'limits of a LimitRange': [
    strategy('/LimitRange'),
    count => ({ metadata, spec: { limits: list(count, () => ({ type: 'Pod' })) } }),
  ],
  'spread constraints': [
    spec => [...validateSpreadConstraints(spec, FieldPath.root, validation)],
    count => ({ topologySpreadConstraints: list(count, i => ({ topologyKey: `a${i}`, maxSkew: 1 })) }),
  ],
  'tokens of a CSIDriver': [
    strategy('storage.k8s.io/CSIDriver'),
    count => ({ metadata, spec: { tokenRequests: list(count, i => ({ audience: `a${i}` })) } }),
  ],
  'topologies of a StorageClass': [
    strategy('storage.k8s.io/StorageClass'),
    count => ({
      metadata,
      provisioner: 'p',
      allowedTopologies: list(count, i => ({ matchLabelExpressions: [{ key: `a${i}`, values: ['b'] }] })),
    }),
  ],
  'variables that are keys of files, and volumes': [
    strategy('/Pod'),
    count => ({
      metadata,
      spec: {
        volumes: list(count, i => ({ name: `v${i}`, emptyDir: {} })),
        containers: [
          {
            name: 'c',
            image: 'a:1',
            env: list(count, i => ({
              name: `A${i}`,
              valueFrom: { fileKeyRef: { volumeName: `v${count - 1 - i}`, path: 'p', key: 'K' } },
            })),
          },
        ],
      },
    }),
  ],
  'places of errors about labels of one value': [
    object => {
      const at = FieldPath.of('metadata', 'labels');
      const labels = Object.keys((object.metadata as JsonObject).labels as JsonObject);
      return labels.map(() => locationInText({ type: 'FieldValueInvalid', at, value: 'b c', detail: 'no' }, object));
    },
    count => ({ metadata: { labels: Object.fromEntries(Array.from({ length: count }, (_, i) => [`a ${i}`, 'b c'])) } }),
  ],
  'places of errors about items of a list': [
    object => {
      const at = FieldPath.of('metadata', 'finalizers');
      const finalizers = (object.metadata as JsonObject).finalizers as readonly JsonValue[];
      return finalizers.map(value => locationInText({ type: 'FieldValueInvalid', at, value, detail: 'no' }, object));
    },
    count => ({ metadata: { finalizers: Array.from({ length: count }, (_, i) => `a ${i}`) } }),
  ],
  'owner references': [
    object => systemMetadata(object, kube.kindOf('v1', 'Pod') ?? ({} as never)),
    count => ({ metadata: { ownerReferences: list(count, i => ({ kind: 'Pod', name: `a${i}` })) } }),
  ],
  tolerations: [
    object => [...duplicateToleration.check(podWith(object), {} as RuleContext)],
    count => ({ spec: { tolerations: list(count, i => ({ key: 'a', value: `${i}` })), containers: [] } }),
  ],
  'LimitRanges and Pods of a namespace': [
    ({ ranges, pods }) => {
      const objects = (ranges as readonly JsonObject[]).map(value => ({ namespace: 'b', manifest: { value } }));
      const context = { kube, snapshot: { objectsOf: () => objects } } as unknown as RuleContext;
      for (const pod of pods as readonly JsonObject[]) {
        const target = {
          ...podWith(pod),
          object: { kind: 'Pod', group: '', name: 'a', namespace: 'b', manifest: { has: () => true } },
        };
        expect([...limitRange.check(target as unknown as RuleTarget, context)]).toHaveLength(1);
      }
    },
    count => ({
      ranges: list(count, i => ({
        apiVersion: 'v1',
        kind: 'LimitRange',
        metadata: { name: `a${i}`, namespace: 'b' },
        spec: { limits: [{ type: 'Container', max: { cpu: `${i + 1}` } }] },
      })),
      pods: list(count, () => ({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata,
        spec: { containers: [{ name: 'c', image: 'a:1', resources: { limits: { cpu: '3000' } } }] },
      })),
    }),
  ],
  'LimitRanges that admission compares with Pods': [
    ({ ranges, pods }) => {
      const facts = admissionFacts(new Map([['LimitRange', ranges as readonly UnknownObject[]]]), () => true);
      for (const pod of pods as readonly Pod[]) expect(admitPod(pod, facts)).toHaveProperty('spec');
    },
    count => ({
      ranges: list(count, i => ({
        metadata: { name: `a${i}`, namespace: 'b' },
        spec: { limits: [{ type: 'Container', max: { cpu: `${i + 1}` }, default: { cpu: '1m' } }] },
      })),
      pods: list(count, () => ({ metadata, spec: { containers: [{ name: 'c', image: 'a:1' }] } })),
    }),
  ],
  'spread constraints and Nodes with taints': [
    ({ nodes, pod }) => {
      const objects = (nodes as readonly JsonObject[]).map(value => ({
        apiVersion: 'v1',
        kind: 'Node',
        name: 'n',
        manifest: { value },
      }));
      const snapshot = { objectsOf: () => objects };
      const context = { kube, snapshot, answers: new Map() } as unknown as RuleContext;
      const value = pod as JsonObject;
      const target = { object: { kind: 'Pod', group: '' }, kind: kube.kindOf('v1', 'Pod'), value };
      const { topologySpreadConstraints } = value.spec as JsonObject;
      for (const it of topologySpreadConstraints as readonly JsonObject[])
        expect(countsDomainOfTaintedNodes(it, target as unknown as RuleTarget, context)).toBe(true);
    },
    count => ({
      nodes: list(count, i => ({
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: 'n', labels: { a: `${i}` } },
        spec: { taints: i % 2 === 0 ? [] : [{ key: 'k', effect: 'NoSchedule' }] },
      })),
      pod: {
        metadata,
        spec: {
          containers: [],
          topologySpreadConstraints: list(count, () => ({ topologyKey: 'a', whenUnsatisfiable: 'DoNotSchedule' })),
        },
      },
    }),
  ],
  'Pods that preempt and Pods of other QoS classes': [
    ({ pods, classes }) => {
      const objectsOf = (values: readonly JsonObject[], kind: string) =>
        values.map(value => ({ kind, group: '', name: 'a', manifest: { value } }));
      const ofClasses = objectsOf(classes as readonly JsonObject[], 'PriorityClass');
      const all = objectsOf(pods as readonly JsonObject[], 'Pod').map(object => ({ object }));
      const references = { namespacesOfPods: () => ['b'], podsIn: () => all };
      const snapshot = { objectsOf: () => ofClasses, find: () => ofClasses.slice(-1), references };
      const context = { snapshot } as unknown as RuleContext;
      for (const [i, pod] of (pods as readonly JsonObject[]).entries())
        expect(preemptsOtherQosClass('high', podWith(pod), context)).toBe(i > 0);
    },
    count => ({
      classes: list(count, i => ({ metadata: { name: i === count - 1 ? 'high' : `p${i}` }, value: i })),
      pods: list(count, i =>
        i === 0
          ? { spec: { containers: [] } }
          : {
              spec: {
                priorityClassName: 'high',
                containers: [{ name: 'c', resources: { requests: { cpu: '1' } } }],
              },
            },
      ),
    }),
  ],
  'names in an object and references to them': [
    ({ holder, count }) => {
      const object = {
        kind: 'ConfigMap',
        group: '',
        name: 'c',
        manifest: { value: holder, uri: 'a.yaml' },
      } as unknown as WorkspaceObject;
      const of = { to: 'object', group: '', kind: 'ConfigMap', name: 'c', scope: 'known' };
      const target = { to: 'part', what: 'key', of, names: ['spec.list[].name'] };
      const references = list(Number(count), i => ({ name: `x${i}`, target, at: [], isOptional: false }) as never);
      const snapshot = {
        complete: true,
        find: () => [object],
        references: { of: () => references, generatorsOf: () => [] },
      };
      const context = { kube, snapshot } as unknown as RuleContext;
      expect([...configKeyMissing.check(podWith({}), context)]).toHaveLength(Number(count));
    },
    count => ({ count, holder: { spec: { list: list(count, i => ({ name: `k${i}` })) } } }),
  ],
  'volumes of claims and their mounts': [
    ({ pod }) => {
      const target = podWith(pod as JsonObject);
      const object = { ...target.object, manifest: { value: pod } };
      const context = { snapshot: { references: { to: () => [{ object }] } } } as unknown as RuleContext;
      const { volumes } = (pod as JsonObject).spec as JsonObject;
      for (const it of volumes as readonly JsonObject[])
        expect(isMountedAtOtherLevelElsewhere(it, target, context)).toBe(false);
    },
    count => ({
      pod: {
        spec: {
          securityContext: { seLinuxOptions: { level: 's0' } },
          volumes: list(count, i => ({ name: `v${i}`, persistentVolumeClaim: { claimName: `c${i}` } })),
          containers: [{ name: 'c', volumeMounts: list(count, i => ({ name: `v${i}`, mountPath: `/${i}` })) }],
        },
      },
    }),
  ],
  'names of the rules of a Kyverno policy': [
    ({ policy, names }) => {
      const found = kyvernoPolicyOf({
        group: 'kyverno.io',
        kind: 'ClusterPolicy',
        manifest: { value: policy },
      } as unknown as WorkspaceObject);
      for (const name of names as readonly string[]) expect(found?.locationOf(name)).toBeDefined();
    },
    count => ({
      policy: { metadata, spec: { rules: list(count, i => ({ name: `r${i}` })) } },
      names: Array.from({ length: count }, (_, i) => `r${i}`),
    }),
  ],
  'profiles of a scheduler': [
    object => [configurationErrors(object, validation), profileRefusals(object, validation)],
    count => ({ profiles: list(count, () => ({ schedulerName: 'a', plugins: {} })) }),
  ],
  'plugins of a scheduler': [
    object => [configurationErrors(object, validation), profileRefusals(object, validation)],
    count => ({
      profiles: [{ plugins: { multiPoint: { enabled: list(count, () => ({ name: 'ImageLocality' })) } } }],
    }),
  ],
};

function list(count: number, item: (i: number) => JsonObject): readonly JsonObject[] {
  return Array.from({ length: count }, (_, i) => item(i));
}

describe('twice the items take at most 2.3 times the work', () => {
  const readsOf = ([work, objectOf]: (typeof CASES)[string], count: number): number => {
    let reads = 0;
    work(
      counted(objectOf(count), () => {
        reads += 1;
      }),
    );
    return reads;
  };
  it.each(Object.entries(CASES))('%s', (_name, of) => {
    const once = readsOf(of, 200);
    expect(once).toBeGreaterThan(200);
    expect(readsOf(of, 400)).toBeLessThanOrEqual(2.3 * once);
  });
});

describe('a schema', () => {
  const asks = (schema: JsonObject): boolean => asksTooMuch(structuralSchemaOf(schema, kube.parts), kube.parts);
  const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `a${i}`);
  it.each<[string, (count: number) => JsonObject, number]>([
    ['required fields', count => ({ required: names(count) }), 1_000],
    [
      'defaults',
      count => ({ properties: Object.fromEntries(names(count).map(it => [it, { type: 'string', default: 'x' }])) }),
      1_000,
    ],
    ['rules', count => ({ 'x-kubernetes-validations': names(count).map(rule => ({ rule })) }), 200],
    ['alternatives', count => ({ anyOf: names(count).map(pattern => ({ pattern })) }), 1_000],
    ['fields of alternatives', count => ({ oneOf: [{ required: names(count - 1) }] }), 1_000],
  ])('asks too much with very many %s at one level, and only there', (_, schemaWith, most) => {
    const deep = (count: number): JsonObject => ({ properties: { spec: { items: schemaWith(count) } } });
    expect([most, most + 1].map(it => asks(deep(it)))).toEqual([false, true]);
    expect(asks({ properties: { a: schemaWith(most), b: schemaWith(most) } })).toBe(false);
  });
});

describe('errors that upstream reports once for each pair, or once for each item', () => {
  const classWith = (count: number): JsonObject => ({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'a' },
    provisioner: 'p',
    allowedTopologies: list(count, () => ({})),
  });
  const podOf = (count: number): JsonObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata,
    spec: { containers: list(count, () => ({})) },
  });
  const minor = loadKube('1.34', {}, readPack);
  const told = (object: JsonObject) => {
    const kind = minor.kindOf(String(object.apiVersion), String(object.kind));
    const errors = answerOf(object, kind, minor)?.errors ?? [];
    return { made: errors.length, all: errors.reduce((sum, it) => sum + 1 + (it.more ?? 0), 0) };
  };

  it('are all listed if they are few', () => {
    expect(told(classWith(20))).toEqual({ made: 20 * 20 + (20 * 19) / 2, all: 20 * 20 + (20 * 19) / 2 });
  });

  it('are counted if they are many', () => {
    const { made, all } = told(classWith(100));
    expect(all).toBe(100 * 100 + (100 * 99) / 2);
    expect(made).toBeLessThan(1_200);
    const few = told(podOf(1_000));
    const many = told(podOf(10_000));
    expect(few).toEqual({ made: 2_999, all: 2_999 });
    expect(many.all).toBe(29_999);
    expect(many.made).toBeLessThan(10_000);
  });
});

describe('a number of very many digits', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('is not converted', () => {
    let longest = 0;
    const apply = (of: typeof BigInt, _: unknown, [value]: [string]): bigint => {
      longest = Math.max(longest, String(value).length);
      return of(value);
    };
    vi.stubGlobal('BigInt', new Proxy(BigInt, { apply: apply as never }));
    const long = '9'.repeat(5_000);
    const told = diagnose(`apiVersion: v1
kind: Pod
metadata: { name: a }
spec: { priority: ${long}, activeDeadlineSeconds: "${long}", containers: [{ name: c, image: a.example/a:1 }] }
`);
    expect(told.flatMap(it => it.fixes).length + told.length).toBeGreaterThan(1);
    expect(longest).toBeLessThan(100);
  });
});

describe('a text in which something begins again and again is looked through once', () => {
  const often = (text: string): string => JSON.stringify(text.repeat(200_000));
  const pod = (name: string): string => `apiVersion: v1
kind: Pod
metadata: { name: ${name}, namespace: b }
spec: { containers: [{ name: a, image: b }] }
`;
  it.each([
    ['openings of placeholders', pod(often('${')), 'apiserver/refused'],
    ['openings of templates', pod(often('{{')), 'apiserver/refused'],
    ['openings of tags', pod(often('<%')), 'apiserver/refused'],
    [
      'names of iSCSI',
      `apiVersion: v1
kind: PersistentVolume
metadata: { name: a }
spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], iscsi: { targetPortal: a, lun: 0, iqn: ${often('iqn.2000-01.a')} } }
`,
      'apiserver/refused',
    ],
  ])('%s', (_what, text, code) => {
    expect(diagnose(text).map(it => it.code)).toContain(code);
  });

  it('variables of a kustomization', () => {
    const beside = { 'kustomization.yaml': 'resources: [pod.yaml]\n' };
    const found = diagnose(pod(often('$(')), { name: 'pod.yaml', beside });
    expect(found.map(it => it.code)).toContain('apiserver/refused');
  });
});
