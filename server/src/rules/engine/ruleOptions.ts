import type { Steps } from '../../base/steps';
import type { WorkspaceObject } from '../../workspace/object';
import type { Category, Problem, Severity } from '../framework/problem';
import type { AnyRule, Preset, RuleFinding } from '../framework/rule';
import type { RuleCache } from './ruleCache';

export interface RuleOptions extends RuleSelection, ReusedResults, PolicyResults {
  /** Called with an exception inside a rule; the other rules still run. */
  readonly onBug: (code: string, error: unknown) => void;
  /** report: suppressed problems are included and marked; absent: they are left out. */
  readonly suppressed?: 'report';
}

/** Which rules run, and with which severity. */
interface RuleSelection {
  /** Code → severity that replaces the rule's own; `off` disables the code. */
  readonly severity?: Readonly<Record<string, Severity | 'off'>>;
  /** The rules to choose from; all when absent. */
  readonly rules?: readonly AnyRule[];
  /**
   * Report only these categories. Rules of other categories are run only if the result of another rule depends on them.
   */
  readonly only?: readonly Category[];
  /** Presets that are on. A rule of a preset also runs if `severity` names its code. */
  readonly presets?: readonly Preset[];
}

/** Results of earlier runs; without them everything is computed again. */
interface ReusedResults {
  readonly cache?: RuleCache;
  /**
   * Gives the problems of an object: from `find`, or from `move` with the problems found before the object moved in its
   * text.
   */
  readonly reuse?: (object: WorkspaceObject, sources: FindOrMove) => Steps<ObjectProblems>;
}

/** What the users' policies add to the problems of rules. */
interface PolicyResults {
  /** Problems that the users' policies found in the file; they are suppressed and ordered like all others. */
  readonly policyProblems?: readonly Problem[];
  /**
   * Whether a policy that may report the code has not run yet. A suppression of such a code is not reported as unused.
   */
  readonly isPending?: (code: string) => boolean;
}

/** The problems of one object at its current position. */
export interface ObjectProblems {
  readonly object: WorkspaceObject;
  readonly all: readonly { readonly found: RuleFinding; readonly problem: Problem }[];
}

export interface FindOrMove {
  readonly find: () => Steps<ObjectProblems>;
  /** The earlier problems at the new position; undefined if they refer to other positions and must be found again. */
  readonly move: (before: ObjectProblems) => ObjectProblems | undefined;
}
