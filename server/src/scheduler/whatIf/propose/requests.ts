import { t } from '../../../base/l10n';
import { nearestNames } from '../../../base/nearest';
import { podRequests } from '../../../cluster/resources/resources';
import { isPodLevelResource } from '../../../kube/podResources';
import { quantityMilliValue, quantityOf, quantityValue } from '../../../kube/quantity';
import type { Container, PodSpec, ResourceList } from '../../../kube/types';
import { amountIn } from '../../framework/allocation';
import { amountLike } from '../amounts';
import {
  type ChangeCandidate,
  type Ladder,
  MAX_ALTERNATIVES,
  type Proposal,
  type Propose,
  type Situation,
  specEdit,
} from '../candidate';
import { type Edit, type PathStep, valueIn } from '../edits';
import { editedSpec } from '../filterResult';

const INSUFFICIENT = 'Insufficient ';

/** Lowers a request to what is free on some node, the node with the smallest deficit first. */
export const lowerRequests: Propose = (situation, { nodes, each, reasons }) =>
  [...reasons]
    .filter(it => it.startsWith(INSUFFICIENT))
    .map(it => it.slice(INSUFFICIENT.length))
    .flatMap(resource => {
      const isShort = (i: number): boolean => each[i]?.includes(INSUFFICIENT + resource) === true;
      const freeOn = (wanted: (i: number) => boolean): readonly number[] =>
        nodes
          .filter((_, i) => wanted(i))
          .map(it => amountIn(it.node.allocatable, resource) - amountIn(it.requested, resource))
          .filter(it => it > 0)
          .sort((a, b) => b - a);
      // A node that lacks only this resource is certain to fit; one with more free capacity may lack something else.
      const alone = [...new Set(freeOn(i => isShort(i) && each[i]?.length === 1))].slice(0, MAX_ALTERNATIVES / 2);
      const all = [...new Set(freeOn(isShort))].slice(0, MAX_ALTERNATIVES / 2);
      const levels = [...new Set([...alone, ...all])].sort((a, b) => b - a);
      const isNowhere = situation.cluster.nodes.every(it => amountIn(it.allocatable, resource) === 0);
      if (isNowhere) return anotherResource(situation, resource);
      return loweredTo(situation, resource, levels);
    });

/** For a resource that no node has: the one that was probably meant, or none. */
function anotherResource({ holder, cluster }: Situation, resource: string): readonly ChangeCandidate[] {
  const existing = new Set(cluster.nodes.flatMap(it => [...it.allocatable.scalar.keys()]));
  const lists = requestFieldsOf(holder.spec, resource).flatMap(({ path }) =>
    (['requests', 'limits'] as const).map(it => [...path, it]).filter(it => valueIn(holder.spec, [...it, resource])),
  );
  const change = (words: string, cost: number, edits: readonly Edit[]): ChangeCandidate => ({
    kind: 'lowerRequest',
    plugin: 'NodeResourcesFit',
    words,
    edits,
    cost,
    verifiedBy: 'filters',
  });
  const removals = lists.map(it => specEdit(holder, [...it, resource], 'remove'));
  if (removals.length === 0) return [];
  const renamed = nearestNames(resource, existing)
    .slice(0, 1)
    .map(other => {
      const additions = lists.map(it =>
        specEdit(holder, [...it, other], 'set', valueIn(holder.spec, [...it, resource])),
      );
      return change(t`request ${other} instead of ${resource}`, 1, [...additions, ...removals]);
    });
  return [...renamed, change(t`do not request ${resource}, which no node has`, 7, removals)];
}

/** One ladder for each container (or the whole Pod), otherwise one that lowers all of them proportionally. */
export function loweredTo(situation: Situation, resource: string, levels: readonly number[]): readonly Proposal[] {
  if (levels.length === 0) return [];
  const fields = requestFieldsOf(situation.pod.spec, resource);
  const single = fields.flatMap(it => ladderOf(levels.flatMap(free => lowered(situation, resource, [it], free))));
  if (single.length > 0 || fields.length < 2) return single;
  return ladderOf(levels.flatMap(free => lowered(situation, resource, fields, free)));
}

function ladderOf(steps: readonly ChangeCandidate[]): readonly Ladder[] {
  return steps.length === 0 ? [] : [{ count: steps.length, at: i => steps[i]! }];
}

/** Where a request is written. */
interface RequestField {
  readonly path: readonly PathStep[];
  readonly label: string;
  readonly written: string;
  readonly amount: number;
}

function requestFieldsOf(spec: PodSpec, resource: string): readonly RequestField[] {
  const fieldsAt = (
    path: readonly PathStep[],
    label: string,
    list: ResourceList | undefined,
  ): readonly RequestField[] => {
    const written = list?.[resource];
    const quantity = quantityOf(written);
    if (quantity === undefined) return [];
    const amount = resource === 'cpu' ? quantityMilliValue(quantity) : quantityValue(quantity);
    return amount > 0 ? [{ path: [...path, 'resources'], label, written: String(written), amount }] : [];
  };
  const whole = isPodLevelResource(resource) ? fieldsAt([], t('the whole Pod'), spec.resources?.requests) : [];
  if (whole.length > 0) return whole;
  const of = (field: 'containers' | 'initContainers', list: readonly Container[]): readonly RequestField[] =>
    list.flatMap((it, i) => fieldsAt([field, i], t`container ${it.name ?? i}`, it.resources?.requests));
  return [...of('containers', spec.containers ?? []), ...of('initContainers', spec.initContainers ?? [])];
}

/** Lowering a request below a twentieth is not proposed. */
const LEAST_SHARE = 0.05;

/** Lowers the requests at some locations proportionally, so that the whole Pod requests no more than is free. */
function lowered(
  situation: Situation,
  resource: string,
  fields: readonly RequestField[],
  free: number,
): readonly ChangeCandidate[] {
  const { holder, pod } = situation;
  const missing = amountIn(pod.requests, resource) - free;
  const sum = fields.reduce((total, it) => total + it.amount, 0);
  const share = (sum - missing) / sum;
  if (share < LEAST_SHARE || share >= 1) return [];
  const step = stepOf(resource);
  const texts = fields.map(it =>
    amountLike(
      resource,
      it.written,
      Math.floor((fields.length === 1 ? it.amount - missing : it.amount * share) / step) * step,
    ),
  );
  const edits = fields.flatMap((it, i) => requestEdits(situation, it.path, resource, texts[i]!));
  // A limit without a request is also the request.
  const follows = fields.map((it, i) => specEdit(holder, [...it.path, 'requests', resource], 'set', texts[i]!));
  const spec = editedSpec(pod.spec, holder, [...edits, ...follows]);
  const requested = podRequests(spec, () => undefined).requests;
  if (amountIn(requested, resource) > free) return [];
  const each = fields.map(({ written, label }, i) => t`${texts[i] ?? ''} ${resource} instead of ${written} (${label})`);
  return [
    {
      kind: 'lowerRequest',
      plugin: 'NodeResourcesFit',
      words: t`request ${each.join(', ')}`,
      edits,
      follows,
      cost: 1 + 9 * (1 - share),
      verifiedBy: 'filters',
    },
  ];
}

/** Huge pages are allocated in whole pages; everything else in its smallest unit. */
function stepOf(resource: string): number {
  if (!resource.startsWith('hugepages-')) return 1;
  const size = quantityOf(resource.slice('hugepages-'.length));
  return size === undefined ? 1 : Math.max(1, quantityValue(size));
}

/** A resource that cannot be overcommitted has an equal limit, which is lowered as well. */
function requestEdits(
  { holder }: Situation,
  path: readonly PathStep[],
  resource: string,
  text: string,
): readonly Edit[] {
  const limit = [...path, 'limits', resource];
  const isCommitted = resource.includes('/') || resource.startsWith('hugepages-');
  const value = (at: readonly PathStep[]): string | number =>
    typeof valueIn(holder.spec, at) === 'number' && /^[\d.]+$/.test(text) ? Number(text) : text;
  const requestPath = [...path, 'requests', resource];
  const request = specEdit(holder, requestPath, 'set', value(requestPath));
  if (!isCommitted || valueIn(holder.spec, limit) === undefined) return [request];
  const isRequestWritten = valueIn(holder.spec, requestPath) !== undefined;
  return [...(isRequestWritten ? [request] : []), specEdit(holder, limit, 'set', value(limit))];
}
