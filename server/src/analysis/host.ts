import { isRenderedUri } from '../workspace/rendered/names';
import type { Analysis, AnalysisHost } from './analysis';
import { defaultSettings } from './configuration/settings';
import { analysisOf } from './createAnalysis';
import { analysisContext } from './diagnostics/analysisContext';
import { placementsIn } from './diagnostics/environmentAnalysis';
import type { ProblemsOfFiles } from './placementTests/suite';
import { createPolicyEvaluation } from './policies/evaluation';
import { isPolicyText, type PolicyTexts, textsAfter } from './state/policyTexts';
import { writtenFor } from './state/renderings';
import { applyChange, initialState, type WorkspaceState } from './state/workspaceState';
import type { AnalysisWorld } from './state/world';

export { NO_ENGINE } from './policies/evaluate';

export function createAnalysisHost(world: AnalysisWorld): AnalysisHost {
  const { onBug, onPoliciesAsked: onOpen = () => undefined } = world;
  const runs = world.policyEngine && createPolicyEvaluation(world.policyEngine, { onBug, onOpen });
  let texts: PolicyTexts = new Map();
  const momentOf = (moment: WorkspaceState): Now => ({
    moment,
    analysis: analysisOf(analysisContext(moment, world, texts, runs), problemsOfFiles),
  });
  // The first moment reads the facts of a minor, and an editor waits for its greeting before it asks anything.
  let made: Now | undefined;
  const now = (): Now => {
    made ??= momentOf(initialState(defaultSettings, world));
    return made;
  };
  return {
    apply(change) {
      const { files = [] } = change;
      const [before, textsBefore] = [now().moment, texts];
      texts = textsAfter(texts, files);
      const moment = applyChange(before, { ...change, files: files.filter(it => !isPolicyText(it.uri)) }, world);
      made = momentOf(moment);
      // What a rendered document says is told at its sources.
      const isAll = texts !== textsBefore || moment.touched === undefined || moment.touched.some(isRenderedUri);
      return isAll ? [...new Set([...files.map(it => it.uri), ...made.analysis.uris])] : (moment.touched ?? []);
    },
    analysis: () => now().analysis,
    async evaluatePolicies(first, told, placed = () => undefined) {
      const { scenes } = now().moment;
      await runs?.run({
        scenes,
        texts,
        first,
        *reading({ environment }, policies) {
          const scene = scenes.find(it => it.environment === environment);
          if (scene) yield* placementsIn(scene, { policies }).reading(first);
          return undefined;
        },
        placed,
        told(uris) {
          const { moment } = now();
          const snapshots = moment.scenes.map(it => it.snapshot);
          made = momentOf(moment);
          told(writtenFor(uris, snapshots));
        },
      });
    },
    hasPolicies: () => runs?.hasPolicies({ scenes: now().moment.scenes, texts }) === true,
    policyNotice: () => runs?.notice({ scenes: now().moment.scenes, texts }),
  };
}

/** The problems of some files that see nothing but each other. */
export const problemsOfFiles: ProblemsOfFiles = (files, settings, { readPack, onBug }) => {
  const host = createAnalysisHost({ readPack, onBug });
  host.apply({ settings, files });
  return files.flatMap(it => host.analysis().diagnostics(it.uri));
};

/** A moment with what can be asked of it. */
interface Now {
  readonly moment: WorkspaceState;
  readonly analysis: Analysis;
}
