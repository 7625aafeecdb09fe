import type { Steps } from '../../base/steps';
import { dependenceOf } from './dependence';
import { type Exploration, explore, type PropertyVerdict } from './exploration';
import type { ModelProperty } from './model';
import type { SearchLimits, SearchRequest } from './search';
import { keepingEnds, keepingGoal } from './stubborn';

/**
 * Explores fewer states: one search for deadlocks and ends, and one for each `never`, each with stubborn sets of its own.
 * The verdicts are those of a full search, and each trace is a true one, though not always a shortest. Where a property
 * speaks of ways that go on (`canAlwaysReach`, `progress`) the search is a full one.
 */
export function* exploreReduced(request: SearchRequest): Steps<Exploration> {
  const { model, properties, limits } = request;
  if (properties.some(it => it.kind === 'canAlwaysReach' || it.kind === 'progress')) {
    return yield* explore(request);
  }
  const dependence = dependenceOf(model);
  const atEnd = properties.filter(it => it.kind === 'atEnd');
  const ends = yield* explore({ ...request, properties: atEnd, select: keepingEnds(dependence) });
  if (ends.failure !== undefined) return { ...ends, properties: properties.map(() => ({ verdict: 'unknown' })) };
  let all = ends;
  const ofOne: SearchLimits = { states: limits.states, bytes: limits.bytes, isOver: limits.isOver };
  const verdicts = new Map<ModelProperty, PropertyVerdict>(atEnd.map((it, i) => [it, ends.properties[i]!]));
  for (const [i, property] of properties.entries()) {
    if (property.kind !== 'never') continue;
    if (isEnough(all, [...verdicts.values()], limits)) {
      all = { ...all, stopped: 'findings' };
      verdicts.set(property, { verdict: 'unknown' });
      continue;
    }
    const select = keepingGoal(dependence, property.conjuncts);
    const found = yield* explore({ ...request, properties: [property], limits: ofOne, select, until: 'violation' });
    all = together(all, found);
    if (found.failure !== undefined) {
      const { failure } = found;
      const unknown = properties.map((): PropertyVerdict => ({ verdict: 'unknown' }));
      return {
        ...all,
        properties: unknown,
        failure: 'property' in failure.at ? { ...failure, at: { property: i } } : failure,
      };
    }
    verdicts.set(property, found.properties[0]!);
  }
  return { ...all, properties: properties.map(it => verdicts.get(it)!) };
}

function isEnough(
  { deadlocks, stopped }: Exploration,
  verdicts: readonly PropertyVerdict[],
  { findings = Number.POSITIVE_INFINITY }: SearchLimits,
): boolean {
  const violated = verdicts.filter(it => it.verdict === 'violated').length;
  return stopped === 'findings' || violated + (deadlocks.count > 0 ? 1 : 0) >= findings;
}

/** Two searches as one; deadlocks and ends are those of the first. */
function together(a: Exploration, b: Exploration): Exploration {
  const stopped = a.stopped ?? b.stopped;
  return {
    ...a,
    states: a.states + b.states,
    visited: a.visited + b.visited,
    transitions: a.transitions + b.transitions,
    depth: Math.max(a.depth, b.depth),
    ...(stopped !== undefined && { stopped }),
  };
}
