import { asObject, asText, type JsonObject } from '../../../base/json';
import { t } from '../../../base/l10n';
import { podRequests, type Resources } from '../../../cluster/resources/resources';
import type { Kube } from '../../../kube/kube';
import { podQos } from '../../../kube/podResources';
import { podSpecPath, systemPriorityClasses } from '../../../kube/podTemplates';
import type { PodSpec } from '../../../kube/types';
import { FieldPath } from '../../../manifest/fieldPath';
import { valueAt } from '../../../manifest/valueAt';
import { strategyOf } from '../../../rules/apiserver/validate/engine';
import { isTouching, type Span } from '../../../text/span';
import type { WorkspaceObject } from '../../../workspace/object';
import type { Snapshot } from '../../../workspace/workspace';
import { placedIn } from '../../placement/placedIn';
import type { Placements } from '../../placement/placements';
import { behindKey, type HintContext, type HintsOf, type InlayHint } from './hint';
import { nodeAffinityHints, nodeSelectorHints, tolerationHints } from './nodes';
import { podAffinityHints, spreadHints } from './pods';
import { storageHints } from './storage';

interface HintEnvironment {
  readonly snapshot: Snapshot;
  readonly kube: Kube;
  readonly placements: Placements;
}

/** Hints about what the server and the scheduler make of a file's Pods; `within`: of the objects that touch it. */
export function inlayHintsOf(
  environments: readonly HintEnvironment[],
  uri: string,
  within: Span,
): readonly InlayHint[] {
  const [first] = environments;
  if (first === undefined) return [];
  const objects = first.snapshot.objectsIn(uri).filter(it => isTouching(it.manifest.span, within));
  return objects.flatMap(object => {
    const storage = storageHints(object, first.placements);
    const at = podSpecPath(object.kind);
    if (at === undefined) return storage;
    const path = FieldPath.of(...at);
    const spec = asObject(valueAt(object.manifest.value, path));
    if (spec === undefined) return storage;
    const contexts = contextsOf(environments, object);
    const [hints = [], ...others] = contexts.map(it => HINTS.flatMap(hint => hint(object, { spec, path }, it)));
    const isCommon = (hint: InlayHint): boolean =>
      others.every(all => all.some(it => it.offset === hint.offset && it.label === hint.label));
    return [...storage, ...hints.filter(isCommon)].toSorted((a, b) => a.offset - b.offset);
  });
}

/** What hints of an object are about, for each overlay that renders it: only what all of them say is true of its text. */
function contextsOf(environments: readonly HintEnvironment[], object: WorkspaceObject): readonly HintContext[] {
  const all = placedIn(environments, object);
  return all.map(({ environment: { kube, snapshot }, placed: { placement, object: deployed } }) => {
    const pods = placement.podsOf(deployed);
    return { kube, snapshot, placement, deployed, pods, isOneOfSeveral: all.length > 1 };
  });
}

const priorityHint: HintsOf = (object, { spec, path }, { snapshot, placement, pods }) => {
  const name = asText(spec.priorityClassName);
  if (name === undefined) return [];
  const placed = placement.pods.find(it => it.id === pods[0])?.priority;
  const classes = snapshot.find('scheduling.k8s.io', 'PriorityClass', undefined, name);
  // Other folders may be other clusters.
  const written = (classes.find(placement.counts) ?? classes[0])?.manifest.value.value;
  const system = Object.hasOwn(systemPriorityClasses, name) ? systemPriorityClasses[name] : undefined;
  const value = system ?? written ?? placed;
  if (typeof value !== 'number') return [];
  const { end } = object.manifest.spanOf(path.child('priorityClassName'), 'value');
  return [{ offset: end, label: `= ${value.toLocaleString('en')}` }];
};

const requestsHint: HintsOf = (object, { spec, path }, { kube, placement, pods, isOneOfSeveral }) => {
  const containers = path.child('containers');
  if (!object.manifest.has(containers)) return [];
  const placed = isOneOfSeveral ? undefined : placement.pods.find(it => it.id === pods[0]);
  const found = placed ? { spec: placed.spec, requests: placed.requests } : defaulted(spec, kube);
  if (found === undefined) return [];
  const words = requestsInWords(found.requests);
  const label = `${words === '' ? t('requests nothing') : t`requests ${words}`} · ${podQos(found.spec)}`;
  const tooltip = placed
    ? t('What the scheduler counts for one Pod after defaults and admission, and its QoS class.')
    : t('What the scheduler counts for one Pod after defaults, and its QoS class.');
  return [{ offset: behindKey(object, containers), label, tooltip }];
};

/** The Pod spec of a workload without Pods, with the server's defaults; undefined: it is invalid. */
function defaulted(
  written: JsonObject,
  kube: Kube,
): { readonly spec: PodSpec; readonly requests: Resources } | undefined {
  const pod = kube.kindOf('v1', 'Pod');
  const defaults = pod && strategyOf(pod, kube)?.defaults;
  if (defaults === undefined) return undefined;
  try {
    const value = { apiVersion: 'v1', kind: 'Pod', spec: written };
    const spec = defaults(value, { kube, isOn: gate => kube.isGateOn(gate) }).spec as PodSpec;
    return { spec, requests: podRequests(spec, () => {}).requests };
  } catch {
    // A wrong type is reported as a problem.
    return undefined;
  }
}

/** "250m CPU, 512Mi memory"; '': no requests. */
function requestsInWords({ milliCpu, memory, ephemeralStorage, scalar }: Resources): string {
  return [
    ...(milliCpu > 0 ? [`${milliCpu % 1000 === 0 ? milliCpu / 1000 : `${milliCpu}m`} CPU`] : []),
    ...(memory > 0 ? [t`${bytesInWords(memory)} memory`] : []),
    ...(ephemeralStorage > 0 ? [`${bytesInWords(ephemeralStorage)} ephemeral-storage`] : []),
    ...[...scalar]
      .filter(([, amount]) => amount > 0)
      .map(([name, amount]) => `${name.startsWith('hugepages-') ? bytesInWords(amount) : amount} ${name}`),
  ].join(', ');
}

const UNITS = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi'];

/** At most two decimal places, in the largest unit with a value of at least one. */
function bytesInWords(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const amount = bytes / 1024 ** step;
  return `${Number.isInteger(amount) ? '' : '≈ '}${Number(amount.toFixed(2))}${UNITS[step]}`;
}

const HINTS: readonly HintsOf[] = [
  priorityHint,
  requestsHint,
  nodeSelectorHints,
  nodeAffinityHints,
  tolerationHints,
  spreadHints,
  podAffinityHints,
];
