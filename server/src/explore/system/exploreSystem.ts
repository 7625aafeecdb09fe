import type { Steps } from '../../base/steps';
import type { FieldPath } from '../../manifest/fieldPath';
import type { ManifestFile } from '../../manifest/manifest';
import type { Span } from '../../text/span';
import type { AheadChoice } from '../core/ahead';
import { type Exploration, type ExplorationFailure, explore } from '../core/exploration';
import type { ModelStep } from '../core/model';
import { exploreReduced } from '../core/reduced';
import type { SearchLimits, SearchRequest } from '../core/search';
import { BrokenWay } from '../core/traces';
import { type BuiltSystem, buildSystem } from './build';
import type { SystemProblem } from './field';
import { readSystem } from './read';
import { reportOf, type SystemReport, stepsOf, type TraceStep } from './report';
import { CHANGED, savedSystemBytes, savedSystemSearch } from './savedSystem';
import { symmetryOf, withEqualSlots } from './symmetry';

/** What an exploration of a file of kind System gave. */
export type ExploredSystem =
  | {
      readonly kind: 'explored';
      readonly report: SystemReport;
      readonly system: BuiltSystem;
      /** Without the states. */
      readonly found: Pick<Exploration, 'deadlocks' | 'properties'>;
      /** The sources of steps that are known to be never taken. */
      readonly unreachable: readonly number[];
      /** What another search can go on from; absent: there is nothing left, or states were left out. */
      readonly save?: () => Uint8Array;
    }
  | { readonly kind: 'invalid'; readonly problems: readonly SystemProblem[] }
  /** The saved search is none of this system: a clause about the file. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'failed'; readonly failure: SystemFailure; readonly system: BuiltSystem };

/** An expression that has no value in a state that can be reached. */
export interface SystemFailure {
  readonly message: string;
  readonly path: FieldPath;
  readonly span: Span;
  readonly trace: readonly TraceStep[];
  readonly steps: readonly ModelStep[];
}

/** Reads a system and makes a model of it. */
export function openSystem(file: ManifestFile): BuiltSystem | { readonly problems: readonly SystemProblem[] } {
  const { document, problems } = readSystem(file);
  if (problems.length > 0) return { problems };
  // The problems of a document are one list, to which a builder adds what it finds.
  return buildSystem(document) ?? { problems };
}

/** How a system is explored. */
export interface ExplorationChoice {
  /** reduced: orders that make no difference to a verdict are left out; absent: full */
  readonly search?: 'full' | 'reduced';
  /** ignored: every state is visited, though some differ in the places of equal processes alone; absent: used */
  readonly symmetry?: 'used' | 'ignored';
  /** What an earlier search saved, to go on from there; absent: it begins. */
  readonly saved?: Uint8Array;
  /** Who expands states of a full search ahead of it; absent: nobody. */
  readonly ahead?: AheadChoice;
}

/** Explores a file of kind System. */
export function* exploreSystem(
  file: ManifestFile,
  limits: SearchLimits,
  { search, symmetry = 'used', saved, ahead }: ExplorationChoice = {},
): Steps<ExploredSystem> {
  const system = openSystem(file);
  if ('problems' in system) return { kind: 'invalid', problems: system.problems };
  const equal = symmetry === 'ignored' ? [] : symmetryOf(system);
  const model = withEqualSlots(system.model, equal);
  const begun = saved && savedSystemSearch(saved, { file, symmetry }, model, system);
  if (begun && 'refused' in begun) return { kind: 'refused', reason: begun.refused };
  const request = {
    model,
    properties: system.properties,
    limits,
    symmetry: equal,
    ...(begun && { saved: begun }),
    // A reduced search takes few steps of a state, and is several searches.
    ...(ahead && search !== 'reduced' && { ahead }),
  };
  const found = yield* foundIn(request, search);
  if (found === undefined) return { kind: 'refused', reason: CHANGED };
  if (found.failure !== undefined) return { kind: 'failed', failure: failureOf(system, found.failure), system };
  const { saved: left, deadlocks, properties } = found;
  return {
    kind: 'explored',
    report: reportOf(system, found),
    system,
    found: { deadlocks, properties },
    unreachable: found.unreachable ?? [],
    ...(left && { save: () => savedSystemBytes({ file, symmetry, search: left() }) }),
  };
}

/** undefined: the saved states are not those of a search of the system. */
function* foundIn(request: SearchRequest, search: ExplorationChoice['search']): Steps<Exploration | undefined> {
  try {
    return yield* (search === 'reduced' ? exploreReduced : explore)(request);
  } catch (error) {
    if (error instanceof BrokenWay && request.saved !== undefined) return undefined;
    throw error;
  }
}

function failureOf(system: BuiltSystem, { reason, at, steps }: ExplorationFailure): SystemFailure {
  const { field } = placeOf(system, at);
  const { start, end } = field.node;
  const { offset } = field.source;
  return {
    message: reason,
    path: field.path,
    span: { start: start + offset, end: end + offset },
    trace: stepsOf(system, steps),
    steps,
  };
}

function placeOf({ document, steps }: BuiltSystem, at: ExplorationFailure['at']) {
  if ('property' in at) {
    const property = document.properties[at.property]!;
    return 'test' in property ? property.test : property;
  }
  const { step } = steps[at.step.source]!;
  if (at.part === 'guard') return step.when ?? step;
  return step.set[at.part]?.value ?? step;
}
