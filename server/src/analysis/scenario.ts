/** Scenarios: files that are placed as one cluster, outside of a workspace. */
export type { Explanation } from './explain/explainPlacement';
export { explainedIn } from './explain/scenario';
export { placeAsking } from './placement/askExtenders';
export { type Comparison, comparisonIn } from './placement/compare';
export {
  askPoliciesIn,
  type IsCancelled,
  OutOfTime,
  type PlaceFile,
  type PlaceOptions,
  placeScenario,
  queueInWords,
  type ScenarioPlacement,
} from './placement/scenario';
export { mayMutate, policiesOfScenario } from './placement/scenarioPolicies';
export { type MutationAnswers, withMutationAnswers } from './policies/mutationAnswers';
export { type DeschedulerRound, deschedulingIn, type Ending, type Settling } from './whatIf/descheduler';
export { suggestionsIn } from './whatIf/scenario';
export { MAX_CHANGES, type PodSuggestions, type TextSuggestion } from './whatIf/suggestions';
export { type ModeOutcome, type PodUpdate, type UpdateRound, type VpaOutcome, vpasIn } from './whatIf/vpa';
