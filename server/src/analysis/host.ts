import { isRenderedUri } from '../workspace/rendered/names';
import type { Analysis, AnalysisHost } from './analysis';
import { defaultSettings } from './configuration/settings';
import { analysisOf } from './createAnalysis';
import { analysisContext } from './diagnostics/analysisContext';
import { placementsIn } from './diagnostics/environmentAnalysis';
import type { ProblemsOfFiles } from './placementTests/suite';
import { createPolicyEvaluation } from './policies/createPolicyEvaluation';
import { applyChange, initialState } from './state/applyChange';
import { isPolicyText, type PolicyTexts, textsAfter } from './state/policyTexts';
import { writtenFor } from './state/renderings';
import type { WorkspaceState } from './state/workspaceState';
import type { AnalysisWorld } from './state/world';

export { NO_ENGINE } from './policies/evaluateEnvironment';

export function createAnalysisHost(world: AnalysisWorld): AnalysisHost {
  const { onBug, onPolicyQuestion: onOpen = () => undefined } = world;
  const evaluation = world.policyEngine && createPolicyEvaluation(world.policyEngine, { onBug, onQuestion: onOpen });
  let texts: PolicyTexts = new Map();
  const nowWith = (state: WorkspaceState): Now => ({
    state,
    analysis: analysisOf(analysisContext(state, world, texts, evaluation), problemsOfFiles),
  });
  // The first state reads the facts of a minor, and an editor waits for its greeting before it asks anything.
  let made: Now | undefined;
  const now = (): Now => {
    made ??= nowWith(initialState(defaultSettings, world));
    return made;
  };
  return {
    apply(change) {
      const { files = [] } = change;
      const [before, textsBefore] = [now().state, texts];
      texts = textsAfter(texts, files);
      const state = applyChange(before, { ...change, files: files.filter(it => !isPolicyText(it.uri)) }, world);
      made = nowWith(state);
      // What a rendered document says is told at its sources.
      const isAll = texts !== textsBefore || state.touched === undefined || state.touched.some(isRenderedUri);
      return isAll ? [...new Set([...files.map(it => it.uri), ...made.analysis.uris])] : (state.touched ?? []);
    },
    analysis: () => now().analysis,
    async evaluatePolicies(first, told, placed = () => undefined) {
      const { environmentStates } = now().state;
      await evaluation?.run({
        environments: environmentStates,
        texts,
        first,
        *reading({ environment }, policies) {
          const state = environmentStates.find(it => it.environment === environment);
          if (state) yield* placementsIn(state, { policies }).reading(first);
          return undefined;
        },
        placed,
        told(uris) {
          const { state } = now();
          const snapshots = state.environmentStates.map(it => it.snapshot);
          made = nowWith(state);
          told(writtenFor(uris, snapshots));
        },
      });
    },
    hasPolicies: () => evaluation?.hasPolicies({ environments: now().state.environmentStates, texts }) === true,
    policyNotice: () => evaluation?.notice({ environments: now().state.environmentStates, texts }),
  };
}

/** The problems of some files that see nothing but each other. */
export const problemsOfFiles: ProblemsOfFiles = (files, settings, { readPack, onBug }) => {
  const host = createAnalysisHost({ readPack, onBug });
  host.apply({ settings, files });
  return files.flatMap(it => host.analysis().diagnostics(it.uri));
};

/** A state with what can be asked of it. */
interface Now {
  readonly state: WorkspaceState;
  readonly analysis: Analysis;
}
