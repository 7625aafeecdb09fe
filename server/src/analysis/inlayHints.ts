import { podQos } from '../cluster/admission/qos';
import type { NodeModel } from '../cluster/model';
import { podRequests, type Resources } from '../cluster/resources';
import { isTolerated } from '../cluster/tolerations';
import type { Kube } from '../kube/kube';
import { labelMapMatcher, type NodeMatcher, nodeTermMatcher } from '../kube/labelSelector';
import { podSpecPath, systemPriorityClasses } from '../kube/podTemplates';
import type { NodeSelectorTerm, PodSpec, StringMap, Toleration } from '../kube/types';
import { FieldPath } from '../manifest/fieldPath';
import type { JsonObject } from '../manifest/manifest';
import { strategyOf } from '../rules/apiserver/validate/engine';
import { asList, asObject, asText, fieldAt, valueAt } from '../rules/values';
import type { Snapshot, WorkspaceObject } from '../workspace/workspace';
import { comparisonOperators } from './hover';
import { type EnvironmentPlacement, type Placements, podsOf } from './placements';

export interface InlayHint {
  /** It stands behind this offset. */
  readonly offset: number;
  readonly label: string;
  readonly tooltip?: string;
}

interface HintContext {
  readonly kube: Kube;
  readonly snapshot: Snapshot;
  readonly placement: EnvironmentPlacement;
}

/** What the server and the scheduler make of a file's Pods, beside the fields that it comes from. */
export function inlayHintsOf(
  snapshot: Snapshot,
  kube: Kube,
  placements: Placements,
  uri: string,
): readonly InlayHint[] {
  return snapshot.objectsIn(uri).flatMap(object => {
    const placement = placements.forObject(object);
    const at = podSpecPath(object.kind);
    if (placement === undefined || at === undefined) return [];
    const path = FieldPath.of(...at);
    const spec = asObject(valueAt(object.manifest.value, path));
    if (spec === undefined) return [];
    const context = { kube, snapshot, placement };
    return HINTS.flatMap(it => it(object, { spec, path }, context)).toSorted((a, b) => a.offset - b.offset);
  });
}

interface SpecAt {
  /** As it is written: anything may stand in it. */
  readonly spec: JsonObject;
  readonly path: FieldPath;
}

type HintsOf = (object: WorkspaceObject, at: SpecAt, context: HintContext) => readonly InlayHint[];

/** Behind the colon of a field's key, or of the first key of a list's item. */
function behindKey({ manifest }: WorkspaceObject, path: FieldPath): number {
  return manifest.spanOf(path, 'key').end + 1;
}

const priorityHint: HintsOf = (object, { spec, path }, { snapshot, placement }) => {
  const name = asText(spec.priorityClassName);
  if (name === undefined) return [];
  const first = podsOf(placement, object)[0];
  const placed = placement.pods.find(it => it.id === first)?.priority;
  const written = snapshot.find('scheduling.k8s.io', 'PriorityClass', undefined, name)[0]?.manifest.value.value;
  const system = Object.hasOwn(systemPriorityClasses, name) ? systemPriorityClasses[name] : undefined;
  const value = system ?? written ?? placed;
  if (typeof value !== 'number') return [];
  const { end } = object.manifest.spanOf(path.child('priorityClassName'), 'value');
  return [{ offset: end, label: `= ${value.toLocaleString('en')}` }];
};

const requestsHint: HintsOf = (object, { spec, path }, { kube, placement }) => {
  const containers = path.child('containers');
  if (!object.manifest.has(containers)) return [];
  const first = podsOf(placement, object)[0];
  const placed = placement.pods.find(it => it.id === first);
  const found = placed ? { spec: placed.spec, requests: placed.requests } : defaulted(spec, kube);
  if (found === undefined) return [];
  const words = requestsInWords(found.requests);
  const label = `${words === '' ? 'requests nothing' : `requests ${words}`} · ${podQos(found.spec)}`;
  const tooltip = placed
    ? 'What the scheduler counts for one Pod after defaults and admission, and its QoS class.'
    : 'What the scheduler counts for one Pod after defaults, and its QoS class.';
  return [{ offset: behindKey(object, containers), label, tooltip }];
};

/** The spec of a Pod that a workload makes none of now, with the server's defaults; undefined where it can't be read. */
function defaulted(
  written: JsonObject,
  kube: Kube,
): { readonly spec: PodSpec; readonly requests: Resources } | undefined {
  const pod = kube.kindOf('v1', 'Pod');
  const defaults = pod && strategyOf(pod)?.defaults;
  if (defaults === undefined) return undefined;
  try {
    const value = { apiVersion: 'v1', kind: 'Pod', spec: written };
    const spec = defaults(value, { kube, isOn: gate => kube.isGateOn(gate) }).spec as PodSpec;
    return { spec, requests: podRequests(spec, () => {}).requests };
  } catch {
    // A value of a wrong type is told of elsewhere.
    return undefined;
  }
}

/** "250m CPU, 512Mi memory"; '' for nothing. */
function requestsInWords({ milliCpu, memory, ephemeralStorage, scalar }: Resources): string {
  return [
    ...(milliCpu > 0 ? [`${milliCpu % 1000 === 0 ? milliCpu / 1000 : `${milliCpu}m`} CPU`] : []),
    ...(memory > 0 ? [`${bytesInWords(memory)} memory`] : []),
    ...(ephemeralStorage > 0 ? [`${bytesInWords(ephemeralStorage)} ephemeral-storage`] : []),
    ...[...scalar]
      .filter(([, amount]) => amount > 0)
      .map(([name, amount]) => `${name.startsWith('hugepages-') ? bytesInWords(amount) : amount} ${name}`),
  ].join(', ');
}

const UNITS = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi'];

/** At most two digits behind the point, in the largest unit of which there is one at least. */
function bytesInWords(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const amount = bytes / 1024 ** step;
  return `${Number.isInteger(amount) ? '' : '≈ '}${Number(amount.toFixed(2))}${UNITS[step]}`;
}

const nodesHints: HintsOf = (object, { spec, path }, { placement }) => {
  const { nodes } = placement.cluster;
  const hint = (at: FieldPath, matcher: NodeMatcher | undefined): readonly InlayHint[] =>
    matcher === undefined || !object.manifest.has(at)
      ? []
      : [{ offset: behindKey(object, at), label: matchesInWords(nodes, matcher), tooltip: namesOf(nodes, matcher) }];
  const labels = asObject(spec.nodeSelector) as StringMap | undefined;
  const selector = labels && labelMapMatcher(labels);
  const affinity = path.child('affinity', 'nodeAffinity');
  const required = affinity.child('requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms');
  const preferred = affinity.child('preferredDuringSchedulingIgnoredDuringExecution');
  const { value } = object.manifest;
  return [
    ...hint(path.child('nodeSelector'), selector && { errors: [], matches: it => selector.matches(it.labels) }),
    ...asList(valueAt(value, required)).flatMap((it, i) => hint(required.index(i), termMatcher(asObject(it)))),
    ...asList(valueAt(value, preferred)).flatMap((it, i) =>
      hint(preferred.index(i).child('preference'), termMatcher(asObject(fieldAt(it, 'preference')))),
    ),
  ];
};

/** A term as far as it is one; undefined where what is being typed has another shape yet. */
function termMatcher(term: JsonObject | undefined): NodeMatcher | undefined {
  if (term === undefined) return undefined;
  try {
    const matcher = nodeTermMatcher(term as NodeSelectorTerm);
    return matcher.errors.length > 0 ? undefined : matcher;
  } catch {
    return undefined;
  }
}

function matchesInWords(nodes: readonly NodeModel[], matcher: NodeMatcher): string {
  const count = nodes.filter(it => matcher.matches(it)).length;
  return `matches ${count} of ${nodes.length} ${nodes.length === 1 ? 'node' : 'nodes'}`;
}

/** More names than this are cut from a tooltip. */
const MAX_NAMES = 20;

function namesOf(nodes: readonly NodeModel[], matcher: NodeMatcher): string {
  return listed(nodes.filter(it => matcher.matches(it)).map(it => it.name));
}

function listed(names: readonly string[]): string {
  const rest = names.length - MAX_NAMES;
  return [...names.slice(0, MAX_NAMES), ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n');
}

const tolerationsHint: HintsOf = (object, { spec, path }, { kube, placement }) => {
  const tolerations = asList(spec.tolerations).flatMap(it => asObject(it) ?? []) as readonly Toleration[];
  if (tolerations.length === 0) return [];
  const comparison = comparisonOperators(kube);
  const tolerated = placement.cluster.nodes.flatMap(({ taints }) =>
    taints
      .filter(it => isTolerated(it, tolerations, comparison))
      .map(it => `${it.key ?? ''}${it.value ? `=${it.value}` : ''}:${it.effect ?? ''}`),
  );
  const taints = [...new Set(tolerated)];
  const label = `tolerates ${taints.length} ${taints.length === 1 ? 'taint' : 'taints'}`;
  return [{ offset: behindKey(object, path.child('tolerations')), label, tooltip: listed(taints) }];
};

const HINTS: readonly HintsOf[] = [priorityHint, requestsHint, nodesHints, tolerationsHint];
