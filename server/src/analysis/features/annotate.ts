import type { Span } from '../../text/span';
import type { AnalysisContext } from '../diagnostics/analysisContext';
import type { CodeLens } from './annotations';
import { codeLensesOf, pendingLensesOf } from './codeLenses';
import { type InlayHint, inlayHintsOf } from './inlayHints/inlayHints';
import type { Location } from './navigation/place';
import { mutationHints } from './policies/mutationNotes';
import { policyLensesOf, policyPlaces, regoLensesOf, regoPlaces } from './policies/policyLenses';
import { policyViewsIn, scenesOfConfiguration } from './policies/policyViews';
import { propertyLensesOf, propertyPlaces } from './policies/propertyLenses';
import { type SemanticToken, semanticTokensOf } from './semanticTokens';

/** What an editor shows in and between the lines of a file. */
export interface Annotations {
  /** Of the objects that reach into `within`; none where the settings turn them off. */
  inlayHints(uri: string, within?: Span): readonly InlayHint[];
  /** unplaced: nothing is placed for them, and those of workloads are pending. */
  codeLenses(uri: string, as?: 'placed' | 'unplaced'): readonly CodeLens[];
  /** What the policy at a place, or one rule of it, rejects; everything that it looked at when it rejects nothing. */
  policyPlaces(at: { readonly uri: string; readonly offset: number; readonly rule?: string }): readonly Location[];
  /** What a grammar cannot know about a part of a text. */
  semanticTokens(uri: string, within: Span): readonly SemanticToken[];
}

export function annotations(context: AnalysisContext): Annotations {
  const { moment, texts, runs, configurationAt, sceneOf, mutations } = context;
  const policyViews = policyViewsIn(context);
  const knownOfText = (uri: string) => moment.scenes.flatMap(it => runs?.knownOfText(it, uri) ?? []);
  return {
    inlayHints(uri, within) {
      const { settings, snapshot, kube, placements } = sceneOf(uri);
      if (!settings.inlayHints) return [];
      return [...inlayHintsOf(snapshot, kube, placements, uri, within), ...mutationHints(mutations(uri))];
    },
    codeLenses(uri, as = 'placed') {
      if (texts.has(uri)) {
        const isJudged = runs !== undefined && moment.scenes.every(it => runs.isJudged(it, texts));
        return regoLensesOf(knownOfText(uri), isJudged ? 'known' : 'pending');
      }
      const configuration = configurationAt(uri);
      if (configuration) return propertyLensesOf(configuration, scenesOfConfiguration(context, configuration));
      const { snapshot, placements } = sceneOf(uri);
      const ofPods = as === 'placed' ? codeLensesOf(snapshot, placements, uri) : pendingLensesOf(snapshot, uri);
      return [...ofPods, ...policyLensesOf(policyViews(uri), uri)];
    },
    policyPlaces(at) {
      if (texts.has(at.uri)) return regoPlaces(knownOfText(at.uri), at.offset);
      const configuration = configurationAt(at.uri);
      if (configuration) return propertyPlaces(configuration, scenesOfConfiguration(context, configuration), at.rule);
      return policyPlaces(policyViews(at.uri), at);
    },
    semanticTokens(uri, within) {
      const { snapshot, kube } = sceneOf(uri);
      return semanticTokensOf(snapshot, kube, uri, within);
    },
  };
}
