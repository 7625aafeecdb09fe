import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Analysis, AnalysisHost } from '../../server/src/analysis/analysis';
import { defaultSettings, type Settings } from '../../server/src/analysis/configuration/settings';
import { createAnalysisHost } from '../../server/src/analysis/host';
import type { WhatIf } from '../../server/src/analysis/preview/model';
import { readPack } from '../support/packs';
import { sizedFor } from '../support/thorough';

/** Files of two clusters, which write objects of the same names. */
const URIS = ['file:///ws/a/one.yaml', 'file:///ws/a/two.yaml', 'file:///ws/b/one.yaml', 'file:///ws/b/c/two.yaml'];

const newHost = (): AnalysisHost => createAnalysisHost({ readPack, onBug: expect.unreachable });

type Texts = ReadonlyMap<string, readonly string[]>;

interface World {
  /** The documents of each file. */
  readonly files: Texts;
  readonly settings: Settings;
}

const filesOf = ({ files }: World) =>
  URIS.map(uri => ({
    uri,
    text: files
      .get(uri)
      ?.map(it => `${it}\n`)
      .join('---\n'),
  }));

const name = fc.constantFrom('w0', 'w1', 'w2');
const amount = fc.constantFrom('100m', '900m', '"2"');
const key = fc.constantFrom('kubernetes.io/hostname', 'topology.kubernetes.io/zone');

const asked = fc.oneof(
  fc.constant(''),
  fc.constantFrom('priorityClassName: high', 'tolerations: [{operator: Exists}]', 'nodeSelector: {disk: ssd}'),
  fc.constantFrom('schedulingGates: [{name: g}]', 'hostNetwork: true', 'nodeName: n1', 'schedulerName: other'),
  fc.constant('volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]'),
  fc
    .tuple(key, fc.constantFrom('DoNotSchedule', 'ScheduleAnyway'), name)
    .map(
      ([topologyKey, whenUnsatisfiable, app]) =>
        `topologySpreadConstraints: [{maxSkew: 1, topologyKey: ${topologyKey}, whenUnsatisfiable: ${whenUnsatisfiable}, labelSelector: {matchLabels: {app: ${app}}}}]`,
    ),
  fc
    .tuple(key, fc.constantFrom('podAffinity', 'podAntiAffinity'), name)
    .map(
      ([topologyKey, kind, app]) =>
        `affinity: {${kind}: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: ${topologyKey}, labelSelector: {matchLabels: {app: ${app}}}}]}}`,
    ),
);
const podSpec = fc
  .tuple(asked, amount, fc.constantFrom('app:1', 'big:1', 'big:2'), fc.constantFrom('', ', env: [{name: A, value: x}]'))
  .map(([more, cpu, image, aside]) =>
    [more, `containers: [{name: main, image: ${image}, resources: {requests: {cpu: ${cpu}, memory: 64Mi}}${aside}}]`]
      .filter(it => it !== '')
      .join(', '),
  );
const objectOf = (apiVersion: string, kind: string, metadata: string, rest: string): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {${metadata}}\n${rest}`;
const namespace = fc.constantFrom('', ', namespace: team');

const node = fc
  .tuple(
    fc.constantFrom('n0', 'n1', 'n2'),
    fc.constantFrom('x', 'y'),
    fc.constantFrom('1', '4'),
    fc.constantFrom('', 'spec: {taints: [{key: t, effect: NoSchedule}]}', 'spec: {unschedulable: true}'),
  )
  .map(([node, zone, cpu, spec]) =>
    objectOf(
      'v1',
      'Node',
      `name: ${node}, labels: {kubernetes.io/hostname: ${node}, topology.kubernetes.io/zone: ${zone}, disk: ssd}`,
      `${spec}\nstatus: {allocatable: {cpu: "${cpu}", memory: 1Gi, pods: "6"}, images: [{names: ["big:1"], sizeBytes: 800000000}]}`,
    ),
  );
const workload = fc
  .tuple(fc.constantFrom('Deployment', 'StatefulSet', 'ReplicaSet', 'DaemonSet'), name, namespace, fc.nat(4), podSpec)
  .map(([kind, name, namespace, replicas, spec]) =>
    objectOf(
      'apps/v1',
      kind,
      `name: ${name}${namespace}`,
      `spec:\n${kind === 'DaemonSet' ? '' : `  replicas: ${replicas}\n`}  selector: {matchLabels: {app: ${name}}}\n  template:\n    metadata: {labels: {app: ${name}}}\n    spec: {${spec}}`,
    ),
  );
const pod = fc
  .tuple(name, namespace, name, podSpec)
  .map(([name, namespace, app, spec]) =>
    objectOf('v1', 'Pod', `name: ${name}${namespace}, labels: {app: ${app}}`, `spec: {${spec}}`),
  );
const other = fc.oneof(
  fc
    .constantFrom('5', '500')
    .map(value => objectOf('scheduling.k8s.io/v1', 'PriorityClass', 'name: high', `value: ${value}`)),
  fc
    .constantFrom('1Mi', '2Gi')
    .map(size =>
      objectOf(
        'v1',
        'PersistentVolume',
        'name: pv',
        `spec: {capacity: {storage: ${size}}, accessModes: [ReadWriteOnce], storageClassName: wait, hostPath: {path: /x}}`,
      ),
    ),
  fc.constant(
    objectOf(
      'v1',
      'PersistentVolumeClaim',
      'name: data',
      'spec: {accessModes: [ReadWriteOnce], storageClassName: wait, resources: {requests: {storage: 1Gi}}}',
    ),
  ),
  fc
    .constantFrom('Immediate', 'WaitForFirstConsumer')
    .map(mode =>
      objectOf(
        'storage.k8s.io/v1',
        'StorageClass',
        'name: wait',
        `provisioner: kubernetes.io/no-provisioner\nvolumeBindingMode: ${mode}`,
      ),
    ),
  fc.nat(3).map(pods => objectOf('v1', 'ResourceQuota', 'name: q', `spec: {hard: {pods: "${pods}"}}`)),
  fc
    .constantFrom('200m', '1500m')
    .map(cpu => objectOf('v1', 'LimitRange', 'name: l', `spec: {limits: [{type: Container, default: {cpu: ${cpu}}}]}`)),
  fc.constantFrom('NodeResourcesFit', 'ImageLocality').map(
    plugin => `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles: [{schedulerName: default-scheduler, plugins: {score: {disabled: [{name: ${plugin}}]}}}]`,
  ),
  fc.constantFrom('# a word', 'kind: [', 'apiVersion: v1\nkind: Pod\nspec: 1'),
);
const document = fc.oneof(
  { weight: 2, arbitrary: node },
  { weight: 4, arbitrary: workload },
  { weight: 2, arbitrary: pod },
  { weight: 2, arbitrary: other },
);

type Edit = (world: World) => World;
const uri = fc.constantFrom(...URIS);
const inFile =
  (uri: string, change: (documents: readonly string[]) => readonly string[]): Edit =>
  world => {
    const documents = change(world.files.get(uri) ?? []);
    return { ...world, files: new Map([...world.files, [uri, documents]]) };
  };
const edit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(uri, fc.nat(5), document)
      .map(([uri, at, one]) => inFile(uri, all => [...all.slice(0, at), one, ...all.slice(at + 1)])),
  },
  // What is typed in one field.
  {
    weight: 4,
    arbitrary: fc
      .tuple(uri, fc.nat(5), fc.constantFrom('cpu', 'image', 'replicas', 'name', 'maxSkew'), fc.constantFrom('3', 'w1'))
      .map(([uri, at, field, value]) =>
        inFile(uri, all =>
          all.map((it, i) => (i === at ? it.replace(new RegExp(`${field}: [^\\s,}]+`), `${field}: ${value}`) : it)),
        ),
      ),
  },
  uri.map(uri => inFile(uri, all => all.toReversed())),
  fc.tuple(uri, fc.nat(5)).map(([uri, at]) => inFile(uri, all => all.filter((_, i) => i !== at))),
  fc.tuple(uri, uri).map(
    ([from, to]): Edit =>
      world => {
        const moved = new Map(world.files);
        moved.delete(from);
        return { ...world, files: moved.set(to, world.files.get(from) ?? []) };
      },
  ),
  fc.constantFrom<Partial<Settings>>({ cluster: 'default' }, { cluster: 'auto' }, { kubernetesVersion: '1.36' }).map(
    (wanted): Edit =>
      world => ({ ...world, settings: { ...world.settings, ...wanted } }),
  ),
);

const TRIED: readonly WhatIf[] = [
  { changes: [] },
  { changes: [{ do: 'drain', node: 'n1' }] },
  { changes: [{ do: 'scaleBy', factor: 2 }], strategy: 'pack' },
];

/** All that placement has a part in, as text; previews of one file. */
function answers(analysis: Analysis, shown: string): Readonly<Record<string, string>> {
  const told: Record<string, unknown> = { cluster: analysis.clusterView() };
  for (const uri of [...analysis.uris].sort()) {
    told[`problems ${uri}`] = analysis.diagnostics(uri);
    told[`lenses ${uri}`] = analysis.codeLenses(uri);
    told[`hints ${uri}`] = analysis.inlayHints(uri);
  }
  const at = { uri: shown, offset: 0 };
  for (const [i, whatIf] of TRIED.entries()) told[`preview ${i}`] = analysis.preview({ ...at, whatIf });
  const pod = analysis.preview(at).pods.at(-1)?.id;
  if (pod !== undefined) told[`why ${pod}`] = analysis.previewWhy({ ...at, pod });
  return Object.fromEntries(Object.entries(told).map(([key, it]) => [key, JSON.stringify(it)]));
}

/** Nothing may hang on the order in which files come. */
function atOnce(world: World): Analysis {
  const host = newHost();
  host.apply({ settings: world.settings, files: filesOf(world).toReversed() });
  return host.analysis();
}

/** Some documents in each file. */
const begun: fc.Arbitrary<World> = fc
  .tuple(...URIS.map(() => fc.tuple(node, fc.array(document, { minLength: 1, maxLength: 4 }))))
  .map(all => ({
    files: new Map(all.map(([first, others], i) => [URIS[i]!, [first, ...others]] as const)),
    settings: defaultSettings,
  }));

/** What an editor says after an edit. */
function said(before: World, after: World): Parameters<AnalysisHost['apply']>[0] {
  const texts = new Map(filesOf(before).map(it => [it.uri, it.text]));
  return {
    files: filesOf(after).filter(it => texts.get(it.uri) !== it.text),
    ...(after.settings !== before.settings && { settings: after.settings }),
  };
}

const NOTHING: World = { files: new Map(), settings: defaultSettings };

describe('a host after many edits', () => {
  /** An edit, how many turns of simulations are over when it comes, and whose preview is asked for after it, if any. */
  const step = fc.tuple(edit, fc.nat(8), fc.option(uri, { freq: 2 }));

  it('answers like one that gets only the last texts', () => {
    fc.assert(
      fc.property(begun, fc.array(step, { minLength: 4, maxLength: 9 }), (first, steps) => {
        const host = newHost();
        host.apply(said(NOTHING, first));
        let world = first;
        for (const [change, turns, shown] of steps) {
          const next = change(world);
          const left = host.analysis().previewing({ uri: URIS[0]!, offset: 0 });
          for (let i = 0; i < turns; i++) left.next();
          host.apply(said(world, next));
          world = next;
          if (shown === null) continue;
          // What nobody waits for any more may still go on for a while.
          const wanted = host.analysis().previewing({ uri: URIS[0]!, offset: 0 });
          for (let i = 0; i < turns; i++) for (const it of [left, wanted]) it.next();
          expect(answers(host.analysis(), shown)).toEqual(answers(atOnce(world), shown));
        }
      }),
      { numRuns: sizedFor({ thorough: 8, quick: 3 }), seed: 11, endOnFailure: true },
    );
  }, 120_000);

  it('returns every file whose problems changed', () => {
    fc.assert(
      fc.property(begun, fc.array(edit, { minLength: 4, maxLength: 9 }), (first, edits) => {
        const host = newHost();
        const told = new Map<string, string>();
        const tell = (uris: readonly string[]): void => {
          for (const uri of uris) told.set(uri, JSON.stringify(host.analysis().diagnostics(uri)));
        };
        tell(host.apply(said(NOTHING, first)));
        let world = first;
        for (const change of edits) {
          const next = change(world);
          tell(host.apply(said(world, next)));
          world = next;
        }
        const fresh = atOnce(world);
        for (const uri of fresh.uris)
          expect([uri, told.get(uri)]).toEqual([uri, JSON.stringify(fresh.diagnostics(uri))]);
      }),
      { numRuns: sizedFor({ thorough: 8, quick: 3 }), seed: 11, endOnFailure: true },
    );
  }, 120_000);
});
