import type { Steps } from '../../base/steps';
import type { ManifestFile } from '../../manifest/manifest';
import type { Fix, Problem } from '../../rules/framework/problem';
import { isTouching, type Span } from '../../text/span';
import type { AnalysisContext } from '../diagnostics/analysisContext';
import { ownProblems } from '../diagnostics/diagnostics';
import { shownProblems } from '../diagnostics/shown';
import { placementFixes, preferenceFixes, tryingFixes } from '../whatIf/ask';
import type { Hover } from './annotations';
import { completionAt, completionDocs } from './completion/complete';
import type { Completion, DescribedField } from './completion/item';
import { typedPlaces } from './completion/typedPosition';
import { propertyCompletion } from './configuration/propertyCompletion';
import { configurationCompletion, configurationHover } from './configuration/schema';
import { hoverAt, type Known, tellsPlacement } from './hover/hover';
import { environmentResultsIn, environmentsOfConfiguration } from './policies/environmentResults';
import { joinedHover, mutationHover } from './policies/mutationNotes';
import { policyHover } from './policies/policyHover';
import { policySelectionHover } from './policies/policySelection';
import { propertyHover } from './policies/propertyLenses';
import { systemHover, systemNamesAt } from './systemNames';

/** Help with writing at one position of a file. */
export interface WritingHelp {
  /** Whether a hover at a position tells where Pods land. */
  tellsPlacement(uri: string, offset: number): boolean;
  /** Says of placements that are not known that they are told later, or not at all. */
  hover(uri: string, offset: number, as?: Known): Hover | undefined;
  /** Tries out, step by step, which changes `fixes` will offer to Pods without a node. */
  tryingFixes(uri: string, span: Span): Steps<undefined>;
  /** Quick fixes of known problems in a span, and of preferences of Pods there that their placement does not meet. */
  fixes(uri: string, span: Span, as?: Known): readonly { readonly problem?: Problem; readonly fix: Fix }[];
  /** `typed` is the character whose typing triggered the request. */
  completion(uri: string, offset: number, typed?: string): Completion;
  /** The documentation of a completed field, as Markdown. */
  completionDocs(field: DescribedField): string | undefined;
}

/** Of so many problems of a selection fixes are offered; of fewer where the fixes write long texts. */
const MOST_FIXED = 100;
const MOST_LETTERS = 2_000_000;

const lettersOf = ({ edits }: Fix): number => edits.reduce((sum, it) => sum + it.newText.length, 0);

export function writingHelp(context: AnalysisContext): WritingHelp {
  const { configurationAt, environmentOf, environmentsOf, firstEnvironment, problemsOf, mutations, state, systems } =
    context;
  const systemAt = (uri: string): ManifestFile | undefined => {
    const file = state.files.get(uri);
    return file && systems.isSystem(file) ? file : undefined;
  };
  const resultsFor = environmentResultsIn(context);
  const problemsAs = (uri: string, as: Known): readonly Problem[] => {
    if (as === 'placed') return problemsOf(uri, 'whole');
    return as === 'unread' ? ownProblems(problemsOf(uri, 'quick')) : problemsOf(uri, 'quick');
  };
  const problemsAt = (uri: string, span: Span, as: Known): readonly Problem[] =>
    shownProblems(problemsAs(uri, as))
      .filter(it => isTouching(it.span, span))
      .slice(0, MOST_FIXED);
  return {
    tellsPlacement: (uri, offset) => tellsPlacement(environmentOf(uri).snapshot, uri, offset),
    hover(uri, offset, as = 'placed') {
      const configuration = configurationAt(uri);
      if (configuration) {
        const rule = propertyHover(configuration, environmentsOfConfiguration(context, configuration), offset);
        return joinedHover(rule, configurationHover(configuration.file, offset));
      }
      const system = systemAt(uri);
      const ofName = system && systemHover(system, offset);
      if (ofName) return ofName;
      const environment = environmentOf(uri);
      const all = environmentsOf(uri);
      const environments = all.length > 0 ? all : [environment];
      const at = [resultsFor(uri), uri, offset] as const;
      return joinedHover(
        hoverAt({ ...environment, environments, problems: problemsAs(uri, as), as }, uri, offset),
        joinedHover(
          mutationHover(mutations(uri, { start: offset, end: offset }), offset),
          policyHover(...at) ?? policySelectionHover(...at),
        ),
      );
    },
    *tryingFixes(uri, span) {
      yield* tryingFixes(environmentOf(uri), problemsAt(uri, span, 'placed'), { uri, span });
      return undefined;
    },
    fixes(uri, span, as = 'placed') {
      const isPlaced = as === 'placed';
      const environment = environmentOf(uri);
      const ofProblems: { readonly problem: Problem; readonly fix: Fix }[] = [];
      let letters = 0;
      for (const problem of problemsAt(uri, span, as)) {
        // What was tried out comes before the fix that silences the problem.
        const offered = [...(isPlaced ? placementFixes(environment, problem) : []), ...problem.fixes];
        for (const fix of offered) ofProblems.push({ problem, fix });
        letters += offered.reduce((sum, it) => sum + lettersOf(it), 0);
        if (letters > MOST_LETTERS) break;
      }
      const preferences = isPlaced ? preferenceFixes(environment, uri, span) : [];
      return [...ofProblems, ...preferences.map(fix => ({ fix }))];
    },
    completion(uri, offset, typed) {
      const configuration = configurationAt(uri);
      if (configuration) {
        const inRule = propertyCompletion(configuration.file, offset, firstEnvironment().kube);
        return inRule ?? configurationCompletion(configuration.file, offset);
      }
      const { kube, snapshot, placements, cluster } = environmentOf(uri);
      const found = completionAt({ kube, snapshot, nodes: placements.nodes, cluster }, { uri, offset, typed });
      const system = systemAt(uri);
      return system === undefined ? found : withSystemNames(found, system, offset);
    },
    completionDocs: field => completionDocs(firstEnvironment().kube, field),
  };
}

/** With the names that expressions and fields of a system may use. */
function withSystemNames(found: Completion, file: ManifestFile, offset: number): Completion {
  const places = typedPlaces(file, offset, () => undefined);
  const items = places.flatMap(it => systemNamesAt(file, offset, it.path.toString()));
  const own = new Map(items.map(it => [it.label, it]));
  return { ...found, items: [...found.items.filter(it => !own.has(it.label)), ...own.values()] };
}
