import type { Steps } from '../../base/steps';
import { holdsPods } from '../../kube/podTemplates';
import type { Problem } from '../../rules/framework/problem';
import { isTouching, type Span } from '../../text/span';
import { allObjects } from '../../workspace/allObjects';
import type { WorkspaceObject } from '../../workspace/object';
import type { AnalysisContext } from '../diagnostics/analysisContext';
import type { EnvironmentAnalysis } from '../diagnostics/environmentAnalysis';
import { type ClusterExploration, type ExplorationLimits, exploreEnvironment } from '../exploring/exploration';
import type { PlacedFinding } from '../exploring/explorations';
import type { EnvironmentPlacement } from '../placement/environmentPlacement';
import type { FollowedTrail } from '../whatIf/followTrail';
import { firstLineOf } from './firstLine';

export interface ExploringRequest extends ExplorationLimits {
  readonly uri: string;
}

/** What an exploration found, for people. */
export interface ExplorationReport {
  readonly findings: readonly {
    readonly key: string;
    readonly message: string;
    /** Absent: no file holds what it comes from. */
    readonly place?: { readonly uri: string; readonly span: Span };
  }[];
  /** What is true whatever happens, a clause each. */
  readonly holds: readonly string[];
  /** What a limit left open, a clause each. */
  readonly open: readonly string[];
}

/** A problem whose way the preview can show: clusters after each step, or an order of arrival. */
export interface FollowedProblem {
  readonly problem: Problem;
  readonly trail?: FollowedTrail;
  /** NAMESPACE/NAME */
  readonly order?: readonly string[];
}

/** Explorations that are asked for, of the environment that a file is deployed in. */
export interface ExplorationFeatures {
  /** The first line of the first object that makes Pods; undefined: there is none, or nothing describes the nodes. */
  explorationLine(uri: string): Span | undefined;
  /** What is known of this state; undefined: nothing was explored. */
  exploration(uri: string): ExplorationReport | undefined;
  /** Explores, so that `exploration` and `diagnostics` have the findings; undefined: nothing describes the nodes. */
  exploring(request: ExploringRequest): Steps<ExplorationReport | undefined>;
  /** The findings at a place whose steps the preview can show. */
  followedAt(uri: string, span: Span): readonly FollowedProblem[];
}

export function explorationFeatures({
  environmentOf,
  environmentsOf,
  explorations,
  release,
}: AnalysisContext): ExplorationFeatures {
  const knownIn = ({ placements }: EnvironmentAnalysis, uri: string): ClusterExploration | undefined =>
    placements.knowsNodes(uri) ? explorations.known(() => placements.of(uri)) : undefined;
  const findingsIn = (environment: EnvironmentAnalysis, uri: string): readonly PlacedFinding[] => {
    const found = knownIn(environment, uri);
    if (found === undefined) return [];
    const { counts } = environment.placements.of(uri);
    return explorations.placed(found, { snapshot: environment.snapshot, counts });
  };
  const reportOf = (uri: string): ExplorationReport | undefined => {
    const environment = environmentOf(uri);
    const found = knownIn(environment, uri);
    return found && inWords(found, findingsIn(environment, uri));
  };
  return {
    explorationLine(uri) {
      const { snapshot, placements } = environmentOf(uri);
      if (!placements.knowsNodes(uri)) return undefined;
      const first = snapshot.objectsIn(uri).find(it => holdsPods(it.group, it.kind));
      return first && firstLineOf(first);
    },
    exploration: reportOf,
    *exploring({ uri, ...limits }) {
      const able = environmentsOf(uri).filter(it => it.placements.knowsNodes(uri));
      for (const it of able) {
        yield* it.placements.placing(uri);
        const placement = it.placements.of(uri);
        const found = knownIn(it, uri) ?? (yield* exploreEnvironment(placement, objectsOf(it, placement), limits));
        explorations.keep(placement, found);
        for (const { problem } of findingsIn(it, uri)) release(problem.uri);
      }
      release(uri);
      return able.length === 0 ? undefined : reportOf(uri);
    },
    followedAt(uri, span) {
      return findingsIn(environmentOf(uri), uri)
        .filter(({ finding }) => finding.trail !== undefined || finding.order !== undefined)
        .filter(({ problem }) => problem.uri === uri && isTouching(problem.span, span))
        .map(({ finding: { key, trail, order }, problem }) => ({
          problem,
          ...(trail && { trail: { finding: key } }),
          ...(order && { order }),
        }));
    },
  };
}

/** The objects of the environment's files that are part of the cluster. */
const objectsOf = ({ snapshot }: EnvironmentAnalysis, { counts }: EnvironmentPlacement): readonly WorkspaceObject[] =>
  allObjects(snapshot).filter(counts);

function inWords({ findings, holds, open }: ClusterExploration, placed: readonly PlacedFinding[]): ExplorationReport {
  return {
    findings: findings.map(finding => {
      const { problem } = placed.find(it => it.finding === finding) ?? {};
      const { key, says } = finding;
      return {
        key,
        message: `${says.charAt(0).toUpperCase()}${says.slice(1)}`,
        ...(problem && { place: { uri: problem.uri, span: problem.span } }),
      };
    }),
    holds,
    open,
  };
}
