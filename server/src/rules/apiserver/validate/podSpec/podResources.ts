import type { JsonObject } from '../../../../base/json';
import { entries, has, record, records, text, withField } from '../../../../kube/goFields';
import { addQuantities, compareQuantities, formatQuantity, type Quantity } from '../../../../kube/quantity';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, forbidden, invalid, type Validation } from '../errors';
import { amountOf, isHugePages } from '../shared/resources';
import { CONTAINER_LISTS } from './containers/containerLists';
import { claimsOf, validateResources } from './containers/resources';

type Amounts = ReadonlyMap<string, Quantity>;
type List = 'limits' | 'requests';

const isOfPod = (name: string) => name === 'cpu' || name === 'memory' || isHugePages(name);

function amountsOf(resources: JsonObject | undefined, list: List): Amounts {
  return new Map(entries(resources, list).map(([name, value]) => [name, amountOf(value)]));
}

const amountsOfContainer = (container: JsonObject, list: List) => amountsOf(record(container, 'resources'), list);

function joined(a: Amounts, b: Amounts, join: (one: Quantity, other: Quantity) => Quantity): Amounts {
  const added = [...b].map(([name, amount]) => {
    const before = a.get(name);
    return [name, before === undefined ? amount : join(before, amount)] as const;
  });
  return new Map([...a, ...added]);
}

const sum = (a: Amounts, b: Amounts) => joined(a, b, addQuantities);
const most = (a: Amounts, b: Amounts) =>
  joined(a, b, (one, other) => (compareQuantities(other, one) > 0 ? other : one));

/** Upstream: component-helpers resource.AggregateContainerRequests and AggregateContainerLimits. */
function ofContainers(spec: JsonObject, list: List): Amounts {
  const none: Amounts = new Map();
  const running = records(spec, 'containers').reduce(
    (it, container) => sum(it, amountsOfContainer(container, list)),
    none,
  );
  const starting = records(spec, 'initContainers').reduce(
    ({ sidecars, peak }, container) => {
      const together = sum(sidecars, amountsOfContainer(container, list));
      const stays = text(container, 'restartPolicy') === 'Always';
      return { sidecars: stays ? together : sidecars, peak: most(peak, together) };
    },
    { sidecars: none, peak: none },
  );
  return most(sum(running, starting.sidecars), starting.peak);
}

/**
 * The spec with the limits and requests of the whole Pod that follow from those of its containers and from each other.
 * Upstream: pod.DefaultPodLevelResources; without gate PodLevelResourcesFixDefaulting core v1 defaultPodRequests.
 */
export function defaultPodResources(spec: JsonObject, { isOn }: Validation): JsonObject {
  const resources = record(spec, 'resources');
  const limits = amountsOf(resources, 'limits');
  const requests = amountsOf(resources, 'requests');
  if (resources === undefined || limits.size + requests.size === 0 || !isOn('PodLevelResources')) return spec;
  const hugePages = [...ofContainers(spec, 'limits')].filter(([name]) => isHugePages(name) && !requests.has(name));
  const withHugePages = new Map([...hugePages, ...limits]);
  const isFixed = isOn('PodLevelResourcesFixDefaulting');
  if (!isFixed && withHugePages.size === 0) return spec;
  const overcommitted = [...ofContainers(spec, 'requests')].filter(([name]) => isOfPod(name) && !isHugePages(name));
  const filled = new Map([...[...withHugePages].filter(([name]) => isOfPod(name)), ...overcommitted, ...requests]);
  const all = isFixed ? new Map([...limitsFor(spec, filled), ...withHugePages]) : withHugePages;
  return withField(spec, 'resources', {
    ...resources,
    ...(all.size > 0 && { limits: listOf(all) }),
    ...(filled.size > 0 && { requests: listOf(filled) }),
  });
}

/** Limits for resources that the Pod requests and all of its containers limit. Upstream: pod.defaultPodLevelLimits. */
function limitsFor(spec: JsonObject, requests: Amounts): Amounts {
  const containers = CONTAINER_LISTS.flatMap(name => records(spec, name));
  const totals = ofContainers(spec, 'limits');
  const everywhere = [...requests].flatMap(([name, request]) => {
    const total = totals.get(name);
    const isLimited = containers.every(it => has(record(record(it, 'resources'), 'limits'), name));
    if (total === undefined || !isLimited || !isOfPod(name)) return [];
    return [[name, compareQuantities(request, total) > 0 ? request : total] as const];
  });
  return new Map(everywhere);
}

const listOf = (amounts: Amounts): JsonObject =>
  Object.fromEntries([...amounts].map(([name, amount]) => [name, formatQuantity(amount)]));

/** Upstream: core validation.validatePodResources. */
export function* validatePodResources(spec: JsonObject, at: FieldPath): Iterable<FieldError> {
  const resources = record(spec, 'resources');
  if (resources === undefined) return;
  if (text(record(spec, 'os'), 'name') === 'windows') {
    yield forbidden(at, 'may not be set for a windows pod');
    return;
  }
  if (has(resources, 'claims')) {
    yield forbidden(at.child('claims'), 'claims may not be set for Resources at pod-level');
  }
  yield* validateResources(resources, 'pod', claimsOf(spec), at);
  yield* validateConsistency(spec, resources, at);
}

/** Upstream: core validation.validatePodResourceConsistency. */
function* validateConsistency(spec: JsonObject, resources: JsonObject, at: FieldPath): Iterable<FieldError> {
  const limits = amountsOf(resources, 'limits');
  const hugePages = new Map([...limits].filter(([name]) => isHugePages(name)));
  yield* validateTotals(spec, 'requests', amountsOf(resources, 'requests'), at.child('requests'));
  yield* validateTotals(spec, 'limits', hugePages, at.child('limits'));
  for (const [i, container] of records(spec, 'containers').entries()) {
    for (const [name, limit] of amountsOfContainer(container, 'limits')) {
      const highest = limits.get(name);
      if (highest === undefined || compareQuantities(limit, highest) <= 0) continue;
      const detail = `must be less than or equal to pod limits of ${formatQuantity(highest)}`;
      yield invalid(at.child('containers').index(i).key(name).child('limits'), formatQuantity(limit), detail);
    }
  }
}

function* validateTotals(spec: JsonObject, list: List, ofPod: Amounts, at: FieldPath): Iterable<FieldError> {
  for (const [name, total] of ofContainers(spec, list)) {
    const amount = ofPod.get(name);
    if (amount === undefined || compareQuantities(total, amount) <= 0) continue;
    const detail = `must be greater than or equal to aggregate container ${list} of ${formatQuantity(total)}`;
    yield invalid(at.key(name), formatQuantity(amount), detail);
  }
}
