import { compareText } from '../../base/compareText';
import { push } from '../../base/multiMap';
import { jsonText } from '../../base/printed';
import { isBestEffort } from '../../kube/podResources';
import type { Namespace, PodSpec, Toleration } from '../../kube/types';
import { isExtendedResource } from '../resources/resources';
import type { Admitted } from './types';

const NOT_READY = 'node.kubernetes.io/not-ready';
const UNREACHABLE = 'node.kubernetes.io/unreachable';

/** The DefaultTolerationSeconds admission plugin: five minutes on a node that is not ready or unreachable. */
export function admitDefaultTolerations(spec: PodSpec): PodSpec {
  const tolerations = spec.tolerations ?? [];
  const covers = (key: string) => (it: Toleration) =>
    (!it.key || it.key === key) && (!it.effect || it.effect === 'NoExecute');
  const more = [NOT_READY, UNREACHABLE]
    .filter(key => !tolerations.some(covers(key)))
    .map((key): Toleration => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }));
  return more.length === 0 ? spec : { ...spec, tolerations: [...tolerations, ...more] };
}

/**
 * The ExtendedResourceToleration admission plugin, off by default: a Pod that requests a device tolerates the taint of
 * its nodes.
 */
export function admitDeviceTolerations(spec: PodSpec): PodSpec {
  const requested = [...(spec.containers ?? []), ...(spec.initContainers ?? [])].flatMap(it =>
    Object.keys(it.resources?.requests ?? {}).filter(isExtendedResource),
  );
  const more = [...new Set(requested)]
    .sort(compareText)
    .map((key): Toleration => ({ key, operator: 'Exists', effect: 'NoSchedule' }));
  return more.length === 0 ? spec : { ...spec, tolerations: more.reduce(withToleration, spec.tolerations ?? []) };
}

/** Upstream: AddOrUpdateTolerationInPodSpec. */
export function withToleration(tolerations: readonly Toleration[], it: Toleration): readonly Toleration[] {
  const isSame = (other: Toleration): boolean =>
    other.key === it.key && other.effect === it.effect && other.operator === it.operator && !other.value;
  const at = tolerations.findIndex(isSame);
  return at < 0 ? [...tolerations, it] : tolerations.map((other, i) => (i === at ? it : other));
}

const DEFAULTS = 'scheduler.alpha.kubernetes.io/defaultTolerations';
const ALLOWED = 'scheduler.alpha.kubernetes.io/tolerationsWhitelist';
const MEMORY_PRESSURE: Toleration = {
  key: 'node.kubernetes.io/memory-pressure',
  operator: 'Exists',
  effect: 'NoSchedule',
};

/**
 * The PodTolerationRestriction admission plugin, off by default: adds the namespace's tolerations to the Pod's, and all
 * of them must be among the allowed ones. The plugin's own configuration counts as empty.
 */
export function admitNamespaceTolerations(spec: PodSpec, namespace: Namespace | undefined): Admitted {
  const defaults = tolerationsIn(namespace, DEFAULTS);
  const allowed = tolerationsIn(namespace, ALLOWED);
  const error = [defaults, allowed].find(it => it !== undefined && 'error' in it);
  if (error && 'error' in error) return { rejected: error.error };
  const extra = [...((defaults ?? []) as readonly Toleration[]), ...(isBestEffort({}, spec) ? [] : [MEMORY_PRESSURE])];
  const tolerations = extra.length > 0 ? mergeTolerations(spec.tolerations ?? [], extra) : (spec.tolerations ?? []);
  const list = (allowed ?? []) as readonly Toleration[];
  if (list.length > 0 && !tolerations.every(it => list.some(other => isSuperset(other, it)))) {
    return {
      rejected:
        'pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist',
      isVerbatim: true,
    };
  }
  return { spec: tolerations.length > 0 ? { ...spec, tolerations } : spec };
}

/** Upstream: extractNSTolerations. */
function tolerationsIn(
  namespace: Namespace | undefined,
  annotation: string,
): readonly Toleration[] | { readonly error: string } | undefined {
  const text = namespace?.metadata?.annotations?.[annotation];
  if (text === undefined) return undefined;
  if (text === '') return [];
  try {
    const value: unknown = JSON.parse(text);
    if (value === null) return [];
    if (Array.isArray(value) && value.every(it => typeof it === 'object' && it !== null)) return value as Toleration[];
  } catch {
    // An invalid text is reported below.
  }
  return {
    error: `the annotation ${annotation} of namespace ${namespace?.metadata?.name} holds no list of tolerations`,
  };
}

/**
 * A toleration that another one covers is dropped: one that was kept before it, or a different one behind it. Upstream:
 * tolerations.MergeTolerations.
 */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): readonly Toleration[] {
  const all = [...first, ...second];
  const places = new Map<string, number[]>();
  for (const [i, it] of all.entries()) push(places, groupOf(it), i);
  const kept = new Set<number>();
  const isCovered = (it: Toleration, i: number): boolean =>
    groupsAbove(it).some(group =>
      (places.get(group) ?? []).some(at => {
        const other = all[at]!;
        return (at < i ? kept.has(at) : at > i && !isEqual(other, it)) && isSuperset(other, it);
      }),
    );
  return all.filter((it, i) => {
    if (isCovered(it, i)) return false;
    kept.add(i);
    return true;
  });
}

/** What tolerations may have in common with one that they cover. */
const groupOf = ({ operator, key, value }: Toleration): string =>
  operator === 'Exists' ? existsGroup(key) : jsonText([key ?? '', value ?? '']);
const existsGroup = (key: string | undefined): string => jsonText(key ?? '');

/** The groups of the tolerations that may cover one: of any key, of its key, and of its value. */
const groupsAbove = (it: Toleration): readonly string[] => [
  ...new Set([existsGroup(''), existsGroup(it.key), groupOf({ ...it, operator: 'Equal' })]),
];

function isEqual(a: Toleration, b: Toleration): boolean {
  return (
    (a.key ?? '') === (b.key ?? '') &&
    (a.operator ?? '') === (b.operator ?? '') &&
    (a.value ?? '') === (b.value ?? '') &&
    (a.effect ?? '') === (b.effect ?? '') &&
    a.tolerationSeconds === b.tolerationSeconds
  );
}

/** Whether `wide` covers `narrow`. Upstream: isSuperset. */
function isSuperset(wide: Toleration, narrow: Toleration): boolean {
  if (isEqual(wide, narrow)) return true;
  if ((narrow.key ?? '') !== (wide.key ?? '') && (wide.key || wide.operator !== 'Exists')) return false;
  if (wide.effect && (narrow.effect ?? '') !== wide.effect) return false;
  const seconds = wide.effect === 'NoExecute' ? wide.tolerationSeconds : undefined;
  if (seconds !== undefined && (narrow.tolerationSeconds === undefined || narrow.tolerationSeconds > seconds)) {
    return false;
  }
  switch (wide.operator) {
    case undefined:
    case '':
    case 'Equal':
      return narrow.operator === 'Equal' && (narrow.value ?? '') === (wide.value ?? '');
    case 'Exists':
      return true;
    default:
      return false;
  }
}
