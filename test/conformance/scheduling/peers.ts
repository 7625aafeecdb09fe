import type { UnknownObject } from '../../../server/src/base/json';
import type { Draw } from './draw';

const HOSTNAME = 'kubernetes.io/hostname';
const ZONE = 'topology.kubernetes.io/zone';
const KEYS = [HOSTNAME, ZONE, ZONE, 'rack', 'nowhere'];

/** Matches some Pods, none (a missing selector) or all (an empty one). */
export function labelSelector(draw: Draw): UnknownObject | undefined {
  const roll = draw.int(0, 19);
  if (roll === 0) return undefined;
  if (roll === 1) return {};
  const app = draw.pick(['web', 'db', 'cache']);
  if (roll < 13) return { matchLabels: { app } };
  const operator = draw.pick(['In', 'NotIn', 'Exists', 'DoesNotExist']);
  const key = draw.pick(['app', 'version', 'tier']);
  const values = { app: [app, 'web'], version: ['1', '3'], tier: ['front'] }[key];
  const isList = operator === 'In' || operator === 'NotIn';
  return {
    matchLabels: draw.maybe(0.3, () => ({ app })),
    matchExpressions: [{ key, operator, values: isList ? values : undefined }],
  };
}

function term(draw: Draw): UnknownObject {
  const selector = labelSelector(draw);
  const keys = selector === undefined ? [] : draw.sample(['version', 'tier', 'missing'], draw.chance(0.25) ? 1 : 0);
  const which = draw.pick(['matchLabelKeys', 'mismatchLabelKeys']);
  const named = JSON.stringify(selector ?? {});
  return {
    labelSelector: selector,
    topologyKey: draw.pick(KEYS),
    namespaces: draw.maybe(0.15, () => draw.sample(['default', 'team', 'other', 'gone'], draw.int(1, 2))),
    namespaceSelector: draw.maybe(0.2, () =>
      draw.pick([{}, { matchLabels: { kind: 'prod' } }, { matchLabels: { kind: 'x' } }]),
    ),
    ...(keys.length > 0 && !keys.some(it => named.includes(it)) && { [which]: keys }),
  };
}

function affinityOf(draw: Draw, required: number): UnknownObject {
  return {
    requiredDuringSchedulingIgnoredDuringExecution: draw.maybe(required, () =>
      draw.times(1, draw.chance(0.3) ? 2 : 1, () => term(draw)),
    ),
    preferredDuringSchedulingIgnoredDuringExecution: draw.maybe(0.5, () =>
      draw.times(1, 2, () => ({ weight: draw.pick([1, 10, 55, 100]), podAffinityTerm: term(draw) })),
    ),
  };
}

export function podAffinity(draw: Draw): UnknownObject {
  return affinityOf(draw, 0.5);
}

export function antiAffinity(draw: Draw): UnknownObject {
  return affinityOf(draw, 0.6);
}

export function spreadConstraint(draw: Draw): UnknownObject {
  const hard = draw.chance(0.5);
  const selector = labelSelector(draw);
  const keys = selector === undefined ? [] : draw.some(['version', 'missing'], 0.12);
  const named = JSON.stringify(selector ?? {});
  return {
    maxSkew: draw.pick([1, 1, 2, 3]),
    topologyKey: draw.pick(KEYS),
    whenUnsatisfiable: hard ? 'DoNotSchedule' : 'ScheduleAnyway',
    labelSelector: selector,
    minDomains: hard ? draw.maybe(0.25, () => draw.pick([1, 2, 3, 5])) : undefined,
    nodeAffinityPolicy: draw.maybe(0.3, () => draw.pick(['Honor', 'Ignore'])),
    nodeTaintsPolicy: draw.maybe(0.4, () => draw.pick(['Honor', 'Ignore'])),
    matchLabelKeys: keys.some(it => named.includes(it)) ? undefined : keys,
  };
}

/** The objects that the default constraints read: Services and the owners of Pods. */
export function owners(draw: Draw): readonly UnknownObject[] {
  return ['web', 'db', 'cache'].flatMap(app => {
    const meta = (kind: string) => ({ name: `${app}-${kind.toLowerCase()}`, uid: `${kind}-${app}` });
    const template = { metadata: { labels: { app } }, spec: { containers: [{ name: 'c', image: 'app:1' }] } };
    const selector = draw.chance(0.3)
      ? { matchExpressions: [{ key: 'app', operator: 'In', values: [app, 'other'] }] }
      : { matchLabels: { app } };
    return [
      ...draw.some(
        [
          {
            apiVersion: 'v1',
            kind: 'Service',
            metadata: meta('Service'),
            spec: { selector: { app }, ports: [{ port: 80 }] },
          },
        ],
        0.5,
      ),
      ...draw.some(
        [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: meta('ReplicaSet'), spec: { selector, template } }],
        0.7,
      ),
      ...draw.some(
        [
          {
            apiVersion: 'apps/v1',
            kind: 'StatefulSet',
            metadata: meta('StatefulSet'),
            spec: { selector: { matchLabels: { app } }, serviceName: app, template },
          },
        ],
        0.5,
      ),
      ...draw.some(
        [
          {
            apiVersion: 'v1',
            kind: 'ReplicationController',
            metadata: meta('ReplicationController'),
            spec: {
              selector: { app, version: '1' },
              template: { ...template, metadata: { labels: { app, version: '1' } } },
            },
          },
        ],
        0.5,
      ),
    ];
  });
}
