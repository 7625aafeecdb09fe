import type { Steps } from '../../base/steps';
import type { ExploredSystem } from '../../explore/system/exploreSystem';
import { SYSTEM_KIND } from '../../explore/system/read';
import type { Problem } from '../../rules/framework/problem';
import { isTouching, type Span } from '../../text/span';
import type { AnalysisContext } from '../diagnostics/analysisContext';
import {
  type GraphFinding,
  type GraphQuestion,
  type StateGraphModel,
  stateGraphOf,
  stateGraphText,
} from '../systems/stateGraph';
import { tracedFindings } from '../systems/systemProblems';
import { firstLineOf } from './firstLine';

interface OfFile {
  readonly uri: string;
}

/** State graphs of files of kind System. */
export interface StateGraphs {
  /** The first line of the system of a file; undefined: it holds none. */
  systemLine(uri: string): Span | undefined;
  /** The findings at a place, of what has been explored already. */
  findingsAt(uri: string, span: Span): readonly { readonly problem: Problem; readonly finding: GraphFinding }[];
  /** Explores where that has not been done; undefined: the file holds no system, or one with errors. */
  stateGraph(question: GraphQuestion & OfFile): Steps<StateGraphModel | undefined>;
  /** The same part as text. */
  stateGraphText(question: GraphQuestion & OfFile & { readonly format: 'dot' | 'mermaid' }): Steps<string | undefined>;
}

export function stateGraphs({ state, systems }: AnalysisContext): StateGraphs {
  return {
    systemLine(uri) {
      const objects = state.files.get(uri)?.documents.flatMap(it => it.objects) ?? [];
      const system = objects.find(it => it.value.kind === SYSTEM_KIND);
      return system && firstLineOf({ manifest: system });
    },
    findingsAt(uri, span) {
      const file = state.files.get(uri);
      const explored = file && systems.known(file);
      if (file === undefined || explored === undefined || !isExplored(explored)) return [];
      return tracedFindings(file, explored).filter(({ problem }) => isTouching(problem.span, span));
    },
    *stateGraph({ uri, ...question }) {
      const explored = yield* exploredOf(uri);
      return explored && stateGraphOf(uri, explored, question);
    },
    *stateGraphText({ uri, format, ...question }) {
      const explored = yield* exploredOf(uri);
      return explored && stateGraphText(explored, question, format);
    },
  };

  function* exploredOf(uri: string) {
    const file = state.files.get(uri);
    if (file === undefined || !systems.isSystem(file)) return undefined;
    yield* systems.exploring(file);
    const explored = systems.known(file);
    return explored && isExplored(explored) ? explored : undefined;
  }
}

const isExplored = (it: ExploredSystem): it is Extract<ExploredSystem, { readonly kind: 'explored' | 'failed' }> =>
  it.kind === 'explored' || it.kind === 'failed';
