import { asObjects, type UnknownObject } from '../../base/json';
import { printed } from '../../base/printed';
import type { PodModel } from '../../cluster/pods/podModel';
import { durationError } from '../../kube/goDuration';
import type { Extender, ExtenderVerb } from '../framework/extender';

const FIELDS: Readonly<Record<ExtenderVerb, string>> = {
  filter: 'filterVerb',
  prioritize: 'prioritizeVerb',
  preempt: 'preemptVerb',
  bind: 'bindVerb',
};

const VERBS: readonly ExtenderVerb[] = ['filter', 'prioritize', 'preempt', 'bind'];

export function extenderOf(written: UnknownObject): Extender {
  const paths = VERBS.flatMap(verb => {
    const path = written[FIELDS[verb]];
    return typeof path === 'string' && path !== '' ? [[verb, path] as const] : [];
  });
  return {
    url: printed(written.urlPrefix ?? ''),
    paths: Object.fromEntries(paths),
    weight: typeof written.weight === 'number' ? written.weight : 0,
    nodeCacheCapable: written.nodeCacheCapable === true,
    managedResources: asObjects(written.managedResources).map(it => ({
      name: printed(it.name),
      ignoredByScheduler: it.ignoredByScheduler === true,
    })),
    ignorable: written.ignorable === true,
    timeout: timeoutOf(written.httpTimeout),
  };
}

/** Upstream: DefaultExtenderTimeout. */
const DEFAULT_TIMEOUT = 5000;

const MILLISECONDS: Readonly<Record<string, number>> = {
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
  us: 1e-3,
  µs: 1e-3,
  ns: 1e-6,
};

function timeoutOf(duration: unknown): number {
  const text = printed(duration ?? '');
  // The scheduler does not start with one that it cannot read, in which digits might be divided in many ways.
  if (durationError(text) !== undefined) return DEFAULT_TIMEOUT;
  const parts = [...text.matchAll(/(\d+(?:\.\d*)?)([a-zµ]+)/g)];
  return (
    parts.reduce((acc, [, amount, unit]) => acc + Number(amount) * (MILLISECONDS[unit ?? ''] ?? 0), 0) ||
    DEFAULT_TIMEOUT
  );
}

/** The verbs that an extender supports, in calling order. */
export function verbsOf({ paths }: Extender): readonly ExtenderVerb[] {
  return VERBS.filter(it => paths[it] !== undefined);
}

/** Whether the extender is called for a Pod. Upstream: HTTPExtender.IsInterested. */
export function isInterested({ managedResources }: Extender, { spec }: PodModel): boolean {
  if (managedResources.length === 0) return true;
  const names = new Set(managedResources.map(it => it.name));
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  return containers.some(({ resources }) =>
    [...Object.keys(resources?.requests ?? {}), ...Object.keys(resources?.limits ?? {})].some(it => names.has(it)),
  );
}
