import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../../server/src/analysis/configuration/settings';
import { analysisContext } from '../../server/src/analysis/diagnostics/analysisContext';
import { createStateWorks, PACES } from '../../server/src/analysis/diagnostics/environmentAnalysis';
import { createExplorations } from '../../server/src/analysis/exploring/explorations';
import { applyChange, initialState } from '../../server/src/analysis/state/applyChange';
import type { WorkspaceChange } from '../../server/src/analysis/state/change';
import { createSystemChecks } from '../../server/src/analysis/systems/systemChecks';
import { placedFindings } from '../../server/src/analysis/whatIf/explorationProblems';
import { type ClusterContent, EMPTY_CONTENT } from '../../server/src/cluster/sources/content';
import { isThorough } from '../support/isThorough.mjs';
import { readPack } from '../support/packs';
import { throwBug } from '../support/throwBug';

type Files = Readonly<Record<string, string | undefined>>;

const ROOT = 'file:///ws';
const WORLD = { readPack, onBug: throwBug };

/** A workspace in which each environment can be asked by itself. */
function opened(files: Files, clusters: Clusters = CLUSTERS) {
  const given = {
    world: WORLD,
    texts: new Map(),
    evaluation: undefined,
    systems: createSystemChecks(),
    explorations: createExplorations(placedFindings),
    works: createStateWorks(),
  };
  let state = initialState(defaultSettings, WORLD);
  const apply = (change: WorkspaceChange): void => {
    state = applyChange(state, change, WORLD);
  };
  const change = (some: Files): void =>
    apply({ files: Object.entries(some).map(([path, text]) => ({ uri: `${ROOT}/${path}`, text })) });
  apply({ folders: [{ uri: ROOT }, { uri: '' }] });
  change(files);
  const connect = (some: Clusters): void =>
    apply({ clusters: Object.entries(some).map(([key, content]) => ({ key, content })) });
  connect(clusters);
  let known: Readonly<Record<string, unknown>> = {};
  return {
    change,
    connect,
    /** What each environment says of each file, by its name; `touched`: asked anew are the files that may have other problems. */
    told(which: 'all' | 'touched' = 'all'): Readonly<Record<string, unknown>> {
      const { environmentsOf, problemsOf } = analysisContext(state, given);
      const uris = [...state.files.keys()].filter(it => it.includes('/app/')).sort();
      const isNew = which === 'all' || Object.keys(known).length === 0;
      const isAsked = (uri: string): boolean => isNew || (state.touched?.includes(uri) ?? true);
      const isThere = (key: string): boolean => uris.some(it => key.endsWith(` ${it}`));
      const all = Object.fromEntries(Object.entries(known).filter(([key]) => isThere(key)));
      for (const uri of uris.filter(isAsked)) {
        for (const pace of PACES) {
          const own = which === 'touched' ? [...environmentsOf(uri)].reverse() : environmentsOf(uri);
          for (const { environment, diagnostics } of own) {
            all[`${environment.name} ${pace} ${uri}`] = diagnostics(uri, pace).map(
              ({ code, severity, message, span, related }) => ({ code, severity, message, span, related }),
            );
          }
          problemsOf(uri, pace);
        }
      }
      known = all;
      return all;
    },
  };
}

const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'there', namespace: 'shop' } };
const runningNode = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'tainted', labels: {} },
  spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] },
  status: { allocatable: { cpu: '1', memory: '1Gi', pods: '3' }, nodeInfo: { kubeletVersion: 'v1.37.0' } },
};
type Clusters = Readonly<Record<string, ClusterContent>>;

const listing = (kind: string) => ({ group: '', kind, state: 'listed' as const });
const CLUSTERS: Clusters = {
  'live:east': {
    ...EMPTY_CONTENT,
    objects: [configMap, runningNode],
    names: [{ group: '', kind: 'ConfigMap', namespace: 'shop', name: 'there' }],
    listings: [listing('ConfigMap'), listing('Node')],
  },
  'live:west': { ...EMPTY_CONTENT, listings: [listing('ConfigMap')] },
};

const SWAPPED: Clusters = { 'live:west': CLUSTERS['live:east'] ?? EMPTY_CONTENT, 'live:east': EMPTY_CONTENT };

const metadata = (name: string): string => `metadata: { name: ${name}, namespace: shop }`;
const web = `apiVersion: apps/v1
kind: Deployment
${metadata('web')}
spec:
  replicas: 1
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      hostNetwork: true
      containers: [{ name: web, image: "web:1", resources: { requests: { cpu: "1" } }, envFrom: [{ configMapRef: { name: there } }] }]
`;
const alone = `apiVersion: v1
kind: Pod
metadata: { name: alone, annotations: { a: b } }
spec:
  restartPolicy: Never
  resources: { requests: { cpu: "1" } }
  containers: [{ name: alone, image: "alone:1", envFrom: [{ configMapRef: { name: there } }] }]
`;
const flows = `apiVersion: flowcontrol.apiserver.k8s.io/v1beta3
kind: FlowSchema
metadata: { name: flows }
spec: { priorityLevelConfiguration: { name: exempt } }
`;
const service = `apiVersion: v1
kind: Service
${metadata('web')}
spec: { type: NodePort, selector: { app: web }, ports: [{ port: 80, nodePort: 31000 }] }
`;
const namespace = (label: string): string =>
  `apiVersion: v1\nkind: Namespace\nmetadata: { name: shop, labels: { pod-security.kubernetes.io/enforce: ${label} } }\n`;
const scheduler = (profile: string): string =>
  `apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles: [{ ${profile} }]\n`;
const node = `apiVersion: v1\nkind: Node\nmetadata: { name: a1, labels: { disk: ssd } }\nstatus: { allocatable: { cpu: "4", memory: 8Gi, pods: "10" } }\n`;
const ONLY_HDD = `schedulerName: default-scheduler, pluginConfig: [{ name: NodeAffinity, args: { addedAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: disk, operator: In, values: [hdd] }] }] } } } }]`;

const schedulers = (plain: string, hdd: string): Files => ({
  'schedulers/plain.yaml': plain,
  'schedulers/hdd.yaml': hdd,
  'elsewhere/plain.yaml': plain,
  'elsewhere/hdd.yaml': hdd,
});

const FILES: Files = {
  'app/web.yaml': web,
  'app/service.yaml': service,
  'app/namespace.yaml': namespace('privileged'),
  'app/alone.yaml': alone,
  'app/flows.yaml': flows,
  'app/node.yaml': node,
  ...schedulers(scheduler('schedulerName: default-scheduler'), scheduler(ONLY_HDD)),
};

const EDITS: readonly Files[] = [
  { 'app/web.yaml': `# moved\n${web.replace('web:1', 'web:2')}` },
  { 'app/service.yaml': service.replace('31000', '32000'), 'app/namespace.yaml': namespace('restricted') },
  { 'app/map.yaml': `apiVersion: v1\nkind: ConfigMap\n${metadata('there')}\n` },
  { 'app/map.yaml': undefined, 'app/alone.yaml': alone.replace('metadata: { ', 'metadata: { namespace: shop, ') },
  schedulers(scheduler(ONLY_HDD), scheduler('schedulerName: default-scheduler')),
  { 'app/namespace.yaml': undefined },
];

/** Settings of two environments that differ in one thing. */
const PAIRS: readonly (readonly [what: string, one: string, two: string])[] = [
  ['version', 'kubernetesVersion: "1.31"', 'kubernetesVersion: "1.37"'],
  ['gates', 'featureGates: { PodLevelResources: false }', 'featureGates: { PodLevelResources: true }'],
  [
    'a severity',
    'severity: { references/config-map-missing: error }',
    'severity: { references/config-map-missing: info }',
  ],
  ['a rule that is off', 'severity: { practice/cpu-limit: warning }', 'severity: { practice/cpu-limit: "off" }'],
  ['a rule that is on', '', 'severity: { practice/cpu-limit: warning }'],
  ['presets', '', 'presets: [best-practice]'],
  ['own rules', '', 'rules: [{ name: own, expression: size(pod.containers) > 1 }]'],
  ['complete sources', '', 'completeSources: true'],
  [
    'Pod security',
    'podSecurity: { defaults: { enforce: restricted } }',
    'podSecurity: { defaults: { warn: baseline } }',
  ],
  [
    'exemptions',
    'podSecurity: { defaults: { enforce: restricted } }',
    'podSecurity: { defaults: { enforce: restricted }, exemptions: { namespaces: [default] } }',
  ],
  ['node ports', 'serviceNodePortRange: 31500-32767', 'serviceNodePortRange: 30000-31500'],
  ['the namespace', '', 'namespace: shop'],
  ['the cluster', 'cluster: "live:east"', 'cluster: "live:west"'],
  ['a cluster', '', 'cluster: "live:east"'],
  ['the scheduler', 'schedulerConfig: schedulers/plain.yaml', 'schedulerConfig: schedulers/hdd.yaml'],
  [
    'the scheduler, which another environment describes',
    'namespace: shop, schedulerConfig: elsewhere/plain.yaml',
    'namespace: shop, schedulerConfig: elsewhere/hdd.yaml',
  ],
];

const berthOf = (environments: Readonly<Record<string, string>>): string =>
  `environments:\n${Object.entries(environments)
    .map(([name, settings]) => `  ${name}: { paths: [app, schedulers]${settings === '' ? '' : `, ${settings}`} }\n`)
    .join('')}`;

type Told = Readonly<Record<string, unknown>>;

/** What is told at first, after each edit, and once the clusters have changed, of those of these moments that are asked about. */
function toldAfterEdits(
  berth: string,
  which: 'all' | 'touched',
  isAsked = (_moment: number): boolean => true,
): readonly (Told | undefined)[] {
  const workspace = opened({ ...FILES, 'berth.yaml': berth });
  const toldAt = (moment: number): Told | undefined => (isAsked(moment) ? workspace.told(which) : undefined);
  const told = [toldAt(0)];
  for (const [i, edit] of EDITS.entries()) {
    workspace.change(edit);
    told.push(toldAt(i + 1));
  }
  workspace.connect(SWAPPED);
  return [...told, toldAt(EDITS.length + 1)];
}

const MOMENTS = EDITS.length + 2;

/** At which moments a pair is compared: at each other one and at the last, so that each is in half of the pairs. */
const isCompared = (pair: number) => (moment: number) =>
  isThorough || (pair + moment) % 2 === 0 || moment === MOMENTS - 1;

/** The same of an environment that is the only one, once for all pairs with the same name, settings and moments. */
const aloneOf = (() => {
  const before = new Map<string, ReturnType<typeof toldAfterEdits>>();
  return (name: string, settings: string, pair: number) => {
    const berth = berthOf({ [name]: settings });
    const key = `${isThorough ? 0 : pair % 2} ${berth}`;
    const told = before.get(key) ?? toldAfterEdits(berth, 'all', isCompared(pair));
    before.set(key, told);
    return told;
  };
})();

describe.each(PAIRS.map((it, pair) => [...it, pair] as const))(
  'environments that differ in %s',
  (_, one, two, pair) => {
    it('say what each says alone, whatever is edited', () => {
      const alone = [aloneOf('one', one, pair), aloneOf('two', two, pair)];
      const together = toldAfterEdits(berthOf({ one, two }), 'touched');
      expect(together).toHaveLength(MOMENTS);
      for (const [i, it] of together.entries())
        if (isCompared(pair)(i)) expect(it).toEqual({ ...alone[0]![i], ...alone[1]![i] });
    });

    it('differ in what they say at all, and say the other thing once their settings are swapped', () => {
      const workspace = opened({ ...FILES, 'berth.yaml': berthOf({ one, two }) });
      workspace.told();
      const of = (name: string, told: Readonly<Record<string, unknown>>): unknown =>
        Object.entries(told).flatMap(([key, it]) => (key.startsWith(`${name} `) ? [it] : []));
      const before = workspace.told();
      workspace.change({ 'berth.yaml': berthOf({ one: two, two: one }) });
      const after = workspace.told();
      expect(of('one', after)).toEqual(of('two', before));
      expect(of('two', after)).toEqual(of('one', before));
      expect(of('one', after)).not.toEqual(of('one', before));
    });
  },
);
