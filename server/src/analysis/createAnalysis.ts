import type { Analysis } from './analysis';
import type { AnalysisContext } from './diagnostics/analysisContext';
import { diagnostics } from './diagnostics/diagnostics';
import { annotations } from './features/annotate';
import { explorationFeatures } from './features/explorations';
import { navigation } from './features/navigation/navigation';
import { orderLenses } from './features/orderLenses';
import { outline } from './features/outline/outline';
import { evictionLenses } from './features/reschedulerLenses';
import { stateGraphs } from './features/stateGraphs';
import { workspaceFacts } from './features/workspaceFacts';
import { writingHelp } from './features/writingHelp';
import { placementTests } from './placementTests/inWorkspace';
import type { ProblemsOfFiles } from './placementTests/suite';
import { preview } from './preview/preview';
import { placementAnswers } from './whatIf/placementAnswers';

/** What can be asked of one state of the workspace. */
export function analysisOf(context: AnalysisContext, problemsOfFiles: ProblemsOfFiles): Analysis {
  // The facts are the target, as a spread would compute all of their getters.
  return Object.assign(workspaceFacts(context), {
    ...diagnostics(context),
    ...writingHelp(context),
    ...annotations(context),
    ...outline(context),
    ...navigation(context),
    mutations: context.mutations,
    ...placementAnswers(context),
    ...preview(context),
    ...evictionLenses(context),
    ...orderLenses(context),
    ...explorationFeatures(context),
    ...stateGraphs(context),
    ...placementTests(context, problemsOfFiles),
  });
}
