import { asObjects, objectOrEmpty } from '../../base/json';
import { numeric, printed } from '../../base/printed';
import type { NodeModel } from '../../cluster/clusterModel';
import type { PodModel } from '../../cluster/pods/podModel';
import type { Extender, ExtenderAnswer, ExtenderChain } from '../framework/extender';
import type { Refusal } from '../framework/interface';
import { MAX_NODE_SCORE } from '../framework/normalize';
import type { ScoreColumn, Scores } from '../framework/scores';
import { unresolvable, unschedulable } from '../framework/status';
import { failureOf, fieldIn, nodesBody, requestTo } from './ask';
import { isInterested } from './extender';

/** The name of the extenders where a plugin's name is expected. Upstream: framework.ExtenderName. */
export const EXTENDER = 'Extender';

export interface Passed {
  /** Names of the nodes that remain. */
  readonly left: ReadonlySet<string>;
  /** Why a node was removed; empty reasons when the extender gave none. */
  readonly refusals: ReadonlyMap<string, Refusal>;
  /** Set when an extender that is not ignorable failed. */
  readonly error?: string;
}

/** Upstream: findNodesThatPassExtenders. Each extender gets the nodes that the previous one left. */
export function passExtenders(chain: ExtenderChain, pod: PodModel, feasible: readonly NodeModel[]): Passed {
  let nodes = feasible;
  const refusals = new Map<string, Refusal>();
  for (const extender of chain.extenders) {
    if (nodes.length === 0) break;
    if (extender.paths.filter === undefined || !isInterested(extender, pod)) continue;
    const answer = chain.ask(requestTo(extender, 'filter', nodesBody(extender, pod, nodes)));
    const kept = keptBy(extender, answer, nodes);
    if ('error' in kept) {
      if (extender.ignorable) continue;
      return { left: new Set(), refusals, error: kept.error };
    }
    const body = 'body' in answer ? answer.body : undefined;
    const failed = reasonsIn(body, 'FailedNodes');
    const hopeless = reasonsIn(body, 'FailedAndUnresolvableNodes');
    for (const { name } of nodes) {
      if (kept.names.has(name)) continue;
      const [never, now] = [hopeless.get(name), failed.get(name)];
      refusals.set(
        name,
        never === undefined && now !== undefined
          ? unschedulable(now)
          : unresolvable(...(never === undefined ? [] : [never])),
      );
    }
    nodes = nodes.filter(it => kept.names.has(it.name));
  }
  return { left: new Set(nodes.map(it => it.name)), refusals };
}

/** Upstream: HTTPExtender.Filter. An answer without nodes leaves none. */
function keptBy(
  { nodeCacheCapable, url }: Extender,
  answer: ExtenderAnswer,
  candidates: readonly NodeModel[],
): { readonly names: ReadonlySet<string> } | { readonly error: string } {
  const failure = failureOf(answer);
  if (failure !== undefined || !('body' in answer)) return { error: failure ?? '' };
  const names = fieldIn(answer.body, 'NodeNames');
  if (nodeCacheCapable && Array.isArray(names)) {
    const candidateNames = new Set(candidates.map(it => it.name));
    const strange = names.find(it => !candidateNames.has(printed(it)));
    if (strange === undefined) return { names: new Set(names.map(printed)) };
    return {
      error: `extender "${url}" claims a filtered node "${printed(strange)}" which is not found in the input node list`,
    };
  }
  const items = asObjects(fieldIn(fieldIn(answer.body, 'Nodes'), 'items'));
  return { names: new Set(items.map(it => printed(objectOrEmpty(it.metadata).name))) };
}

function reasonsIn(body: unknown, field: string): ReadonlyMap<string, string> {
  return new Map(Object.entries(objectOrEmpty(fieldIn(body, field))).map(([node, reason]) => [node, printed(reason)]));
}

/** The highest score of an extender; the lowest is 0. Upstream: MaxExtenderPriority. */
const MAX_EXTENDER_PRIORITY = 10;

/** Upstream: prioritizeNodes, the extenders' part: an answer that fails gives no score, and nothing more. */
export function withExtenderScores(
  chain: ExtenderChain | undefined,
  pod: PodModel,
  feasible: readonly { readonly node: NodeModel }[],
  scores: Scores,
): Scores {
  if (chain === undefined) return scores;
  const nodes = feasible.map(it => it.node);
  const columns = chain.extenders.flatMap((extender): readonly ScoreColumn[] => {
    if (extender.paths.prioritize === undefined || !isInterested(extender, pod)) return [];
    const answer = chain.ask(requestTo(extender, 'prioritize', nodesBody(extender, pod, nodes)));
    if ('failure' in answer) return [];
    const given = new Map<string, number>();
    for (const it of asObjects(answer.body)) {
      const host = printed(fieldIn(it, 'Host') ?? '');
      given.set(host, (given.get(host) ?? 0) + Math.trunc(numeric(fieldIn(it, 'Score') ?? 0)));
    }
    const raw = Float64Array.from(nodes, it => given.get(it.name) ?? 0);
    const normalized = raw.map(it => it * (MAX_NODE_SCORE / MAX_EXTENDER_PRIORITY));
    return [{ plugin: extender.url, weight: extender.weight, raw, normalized }];
  });
  const more = (i: number): number => columns.reduce((acc, it) => acc + it.normalized[i]! * it.weight, 0);
  return {
    columns: [...scores.columns, ...columns],
    totals: columns.length === 0 ? scores.totals : Float64Array.from(scores.totals, (it, i) => it + more(i)),
  };
}

/**
 * Whether an extender filters or scores, so that all nodes must be evaluated. Upstream: hasExtenderFilters and
 * hasScoring.
 */
export function needsAllNodes(chain: ExtenderChain | undefined): boolean {
  return chain?.extenders.some(it => it.paths.filter ?? it.paths.prioritize) ?? false;
}
