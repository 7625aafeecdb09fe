import { EVERYWHERE, type Span } from '../../text/span';
import type { AnalysisContext } from '../diagnostics/analysisContext';
import type { CodeLens } from './annotations';
import { codeLensesOf, pendingLensesOf } from './codeLenses';
import type { InlayHint } from './inlayHints/hint';
import { inlayHintsOf } from './inlayHints/inlayHints';
import type { Location } from './navigation/location';
import { environmentResultsIn, environmentsOfConfiguration } from './policies/environmentResults';
import { mutationHints } from './policies/mutationNotes';
import { policyLensesOf, policyLocations, regoLensesOf, regoLocations } from './policies/policyLenses';
import { propertyLensesOf, propertyLocations } from './policies/propertyLenses';
import { type SemanticToken, semanticTokensOf } from './semanticTokens';

/** What an editor shows in and between the lines of a file. */
export interface Annotations {
  /** Hints of the objects that overlap `within`; empty where the settings disable them. */
  inlayHints(uri: string, within?: Span): readonly InlayHint[];
  /** unplaced: computes no placements, so that lenses of workloads are pending. */
  codeLenses(uri: string, as?: 'placed' | 'unplaced'): readonly CodeLens[];
  /** Objects that the policy at an offset, or one rule of it, rejects; all that it evaluated when it rejects none. */
  policyLocations(at: { readonly uri: string; readonly offset: number; readonly rule?: string }): readonly Location[];
  /** Tokens that a YAML grammar cannot classify. */
  semanticTokens(uri: string, within: Span): readonly SemanticToken[];
}

export function annotations(context: AnalysisContext): Annotations {
  const { state, texts, evaluation, configurationAt, environmentOf, environmentsOf, mutations } = context;
  const allOf = (uri: string) => (environmentsOf(uri).length > 0 ? environmentsOf(uri) : [environmentOf(uri)]);
  const resultsFor = environmentResultsIn(context);
  const resultsOfText = (uri: string) =>
    state.environmentStates().flatMap(it => evaluation?.resultsOfText(it, uri) ?? []);
  return {
    inlayHints(uri, within = EVERYWHERE) {
      if (!environmentOf(uri).settings.inlayHints) return [];
      return [...inlayHintsOf(allOf(uri), uri, within), ...mutationHints(mutations(uri, within))];
    },
    codeLenses(uri, as = 'placed') {
      if (texts.has(uri)) {
        const isEvaluated =
          evaluation !== undefined && state.environmentStates().every(it => evaluation.isEvaluated(it, texts));
        return regoLensesOf(resultsOfText(uri), isEvaluated ? 'known' : 'pending');
      }
      const configuration = configurationAt(uri);
      if (configuration) return propertyLensesOf(configuration, environmentsOfConfiguration(context, configuration));
      const environment = environmentOf(uri);
      const { state: reading, objects } = environment.cluster?.content ?? { state: 'ready', objects: [] };
      const isAwaited = as === 'unplaced' || (reading === 'loading' && objects.length === 0);
      const ofPods = isAwaited ? pendingLensesOf(environment.snapshot, uri) : codeLensesOf(allOf(uri), uri);
      return [...ofPods, ...policyLensesOf(resultsFor(uri), uri)];
    },
    policyLocations(at) {
      if (texts.has(at.uri)) return regoLocations(resultsOfText(at.uri), at.offset);
      const configuration = configurationAt(at.uri);
      if (configuration)
        return propertyLocations(configuration, environmentsOfConfiguration(context, configuration), at.rule);
      return policyLocations(resultsFor(at.uri), at);
    },
    semanticTokens(uri, within) {
      const { snapshot, kube } = environmentOf(uri);
      return semanticTokensOf(snapshot, kube, uri, within);
    },
  };
}
