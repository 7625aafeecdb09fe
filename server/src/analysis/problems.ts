/** Problems as lists for people: which of them are shown and counted, and where the baseline has them. */

export { layersOf } from '../rules/framework/layers';
export { isAtLeastAsBad, SEVERITIES } from '../rules/framework/severities';
export { baselineAt } from './diagnostics/baseline';
export { countOf, LISTED_OF_A_CODE, listedInEditor, listedProblems, mendedProblems } from './diagnostics/listed';
export { movedProblems, shownProblems } from './diagnostics/shown';
