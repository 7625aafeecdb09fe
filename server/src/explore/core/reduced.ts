import type { Steps } from '../../base/steps';
import { dependenceOf, type StepDependence, slotsIn } from './dependence';
import { type Exploration, type ExplorationFailure, explore, type PropertyVerdict } from './exploration';
import { type ModelProperty, type ProcessModel, stepsById } from './model';
import type { SearchLimits, SearchRequest } from './search';
import { keepingEnds, keepingGoal, keepingWays } from './stubborn';

/**
 * Explores fewer states: one search for deadlocks and ends, one for each `never`, and one for ways that go on
 * (`canAlwaysReach`, `progress`), each with stubborn sets of its own. The verdicts are those of a full search, and each trace
 * is a true one, though not always a shortest. Where progress is asked under fairness, which says what processes do that
 * are left out, the search is a full one.
 */
export function* exploreReduced(request: SearchRequest): Steps<Exploration> {
  const { model, properties, limits } = request;
  if (properties.some(it => it.kind === 'progress' && it.fairness !== undefined)) return yield* explore(request);
  const dependence = dependenceOf(model);
  const verdicts = new Map<ModelProperty, PropertyVerdict>();
  const ofOne: SearchLimits = { states: limits.states, bytes: limits.bytes, isOver: limits.isOver };
  let all: Exploration | undefined;
  for (const asked of searchesFor(properties)) {
    if (all !== undefined && isEnough(all, [...verdicts.values()], limits)) {
      all = { ...all, stopped: 'findings' };
      for (const it of asked) verdicts.set(it, { verdict: 'unknown' });
      continue;
    }
    const found: Exploration = yield* explore({
      ...request,
      properties: asked,
      limits: all === undefined ? limits : ofOne,
      ...selectionFor(asked, model, dependence),
    });
    all = all === undefined ? found : together(all, found);
    if (found.failure !== undefined) {
      return {
        ...all,
        properties: properties.map(() => ({ verdict: 'unknown' })),
        failure: inFile(found.failure, asked, properties),
      };
    }
    for (const [i, it] of asked.entries()) verdicts.set(it, found.properties[i]!);
  }
  return { ...all!, properties: properties.map(it => verdicts.get(it)!) };
}

/** The properties that are searched together; the first search is the one for deadlocks. */
function searchesFor(properties: readonly ModelProperty[]): readonly (readonly ModelProperty[])[] {
  const lasting = properties.filter(it => it.kind === 'canAlwaysReach' || it.kind === 'progress');
  return [
    properties.filter(it => it.kind === 'atEnd'),
    ...properties.filter(it => it.kind === 'never').map(it => [it]),
    ...(lasting.length === 0 ? [] : [lasting]),
  ];
}

function selectionFor(
  [first, ...others]: readonly ModelProperty[],
  model: ProcessModel,
  dependence: StepDependence,
): Pick<SearchRequest, 'select' | 'until' | 'onCycles'> {
  if (first === undefined || first.kind === 'atEnd') return { select: keepingEnds(dependence) };
  if (first.kind === 'never') return { select: keepingGoal(dependence, first.conjuncts), until: 'violation' };
  return { select: keepingWays(dependence, visibleTo([first, ...others], model)), onCycles: 'takeAll' };
}

/** By the id of a step: 1 where it is one of progress, or writes what a goal reads. */
function visibleTo(properties: readonly ModelProperty[], model: ProcessModel): Uint8Array {
  const labels = new Set<number>();
  const slots = new Set<number>();
  for (const it of properties) {
    if (it.kind === 'progress') for (const label of it.labels) labels.add(label);
    else for (const slot of it.conjuncts.flatMap(part => slotsIn(part.reads))) slots.add(slot);
  }
  return Uint8Array.from(stepsById(model), step => {
    const location = model.processes[step.process]!.slot;
    const written = [...slotsIn(step.footprint.writes), ...(step.from === step.to ? [] : [location])];
    return labels.has(step.label) || written.some(it => slots.has(it)) ? 1 : 0;
  });
}

/** A failure of a search for some of the properties. */
function inFile(
  failure: ExplorationFailure,
  asked: readonly ModelProperty[],
  properties: readonly ModelProperty[],
): ExplorationFailure {
  if (!('property' in failure.at)) return failure;
  return { ...failure, at: { property: properties.indexOf(asked[failure.at.property]!) } };
}

function isEnough(
  { deadlocks, stopped }: Exploration,
  verdicts: readonly PropertyVerdict[],
  { findings = Number.POSITIVE_INFINITY }: SearchLimits,
): boolean {
  const violated = verdicts.filter(it => it.verdict === 'violated').length;
  return stopped === 'findings' || violated + (deadlocks.count > 0 ? 1 : 0) >= findings;
}

/** Two searches as one; deadlocks and ends are those of the first, and the last one may know which steps are never taken. */
function together(a: Exploration, b: Exploration): Exploration {
  const stopped = a.stopped ?? b.stopped;
  return {
    ...a,
    states: a.states + b.states,
    visited: a.visited + b.visited,
    transitions: a.transitions + b.transitions,
    depth: Math.max(a.depth, b.depth),
    ...(stopped !== undefined && { stopped }),
    unreachable: b.unreachable,
  };
}
