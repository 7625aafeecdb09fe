import { parseManifests } from '../manifest/parse';
import { isRenderedUri } from '../workspace/rendered/names';
import type { Snapshot } from '../workspace/workspace';
import type { Analysis, AnalysisHost } from './analysis';
import { defaultSettings } from './configuration/settings';
import { analysisOf } from './createAnalysis';
import { analysisContext } from './diagnostics/analysisContext';
import { createStateWorks } from './diagnostics/environmentAnalysis';
import { admissionIn } from './diagnostics/policyAdmission';
import { createExplorations } from './exploring/explorations';
import type { ProblemsOfFiles } from './placementTests/suite';
import { createPolicyEvaluation } from './policies/createPolicyEvaluation';
import { applyChange, initialState } from './state/applyChange';
import { isPolicyText, type PolicyTexts, textsAfter } from './state/policyTexts';
import { writtenFor } from './state/renderings';
import type { WorkspaceState } from './state/workspaceState';
import type { AnalysisWorld } from './state/world';
import { createSystemChecks } from './systems/systemChecks';
import { upgradeOf } from './upgrade/walk';
import { placedFindings } from './whatIf/explorationProblems';

export { noEngine } from './policies/notices';

export function createAnalysisHost(world: AnalysisWorld): AnalysisHost {
  const { onBug, policyEngine, onPolicyQuestion: onQuestion = () => undefined } = world;
  const systems = createSystemChecks();
  const explorations = createExplorations(placedFindings);
  const works = createStateWorks();
  const evaluation = policyEngine && createPolicyEvaluation(policyEngine, { onBug, onQuestion });
  let texts: PolicyTexts = new Map();
  const nowWith = (state: WorkspaceState): Now => ({
    state,
    analysis: analysisOf(
      analysisContext(state, { world, texts, evaluation, systems, explorations, works }),
      problemsOfFiles,
    ),
  });
  // Lazy, because the first state reads the facts of a minor, and an editor waits for the reply to `initialize`.
  let current: Now | undefined;
  const now = (): Now => {
    current ??= nowWith(initialState(defaultSettings, world));
    return current;
  };
  return {
    apply(change) {
      const { files = [] } = change;
      const [before, textsBefore] = [now().state, texts];
      texts = textsAfter(texts, files);
      const state = applyChange(before, { ...change, files: files.filter(it => !isPolicyText(it.uri)) }, world);
      current = nowWith(state);
      // Problems of a rendered document are reported at its sources.
      const isAll = texts !== textsBefore || state.touched === undefined || state.touched.some(isRenderedUri);
      return isAll ? [...new Set([...files.map(it => it.uri), ...current.analysis.uris])] : (state.touched ?? []);
    },
    parsed(file) {
      const { uri, text } = file;
      if (text === undefined || isPolicyText(uri) || now().state.files.has(uri)) return file;
      return { ...file, parsed: parseManifests(uri, text) };
    },
    analysis: () => now().analysis,
    async *evaluatePolicies(first, rests) {
      if (evaluation === undefined) return;
      const environments = now().state.environmentStates();
      const admission = admissionIn(environments, first);
      for await (const { uris, placements } of evaluation.run({
        environments,
        texts,
        first,
        admission,
        ...(rests && { rests }),
      })) {
        const { state } = now();
        current = nowWith(state);
        // There may be thousands of environments, each with news of its own: they are looked through for rendered documents alone.
        const snapshots = (): readonly Snapshot[] => state.environmentStates().map(it => it.snapshot);
        yield { uris: writtenFor(uris, snapshots), placements };
      }
    },
    hasPolicies: () => evaluation?.hasPolicies({ environments: now().state.environmentStates(), texts }) === true,
    upgrade: request => upgradeOf({ state: now().state, texts, world }, request),
    policyNotice: () => evaluation?.notice({ environments: now().state.environmentStates(), texts }),
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
