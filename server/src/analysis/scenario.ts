import type { UnknownObject } from '../base/json';
import { lazy } from '../base/lazy';
import { runToEnd } from '../base/steps';
import type { AskPolicies } from '../cluster/admission/mutationAdmission';
import type { ClusterQuestion } from '../explore/cluster/answer';
import type { ClusterLimits, CuredAnswer } from '../explore/cluster/explore';
import type { ExploreLimits } from '../explore/orders/explore';
import type { Solve } from '../scheduler/optimum/optimum';
import { type RunOptions, readScenarioSteps, simulate } from '../scheduler/scenario';
import { type RecordedRun, recordedRun, type Study, studyFrom } from '../scheduler/whatIf/counterfactuals';
import { isRenderedUri } from '../workspace/rendered/names';
import { emptySnapshot, withFiles } from '../workspace/snapshot';
import { type Explanation, explainPlacement, podNamed } from './explain/explainPlacement';
import { type PostExtender, placeAsking } from './placement/askExtenders';
import { clusterAnswersOf } from './placement/clusterQuestions';
import { type Comparison, comparisonOf } from './placement/compare';
import { type OrderFix, orderFixesOf } from './placement/orderFixes';
import { type ExploredOrders, exploreOrdersOf } from './placement/orders';
import { type PlaceFile, parsedFiles } from './placement/parsedFiles';
import {
  notesBeforePlacing,
  type PlaceOptions,
  type ScenarioPlacement,
  scenarioInputs,
  scenarioPlacement,
} from './placement/scenario';
import { type PolicyAsker, scenarioPolicies } from './placement/scenarioPolicies';
import { withMutationAnswers } from './policies/mutationAnswers';
import { type DescheduleOptions, type Descheduling, deschedule } from './whatIf/descheduler';
import { type Suggested, suggestionsOf } from './whatIf/suggestions';
import { type AutoscaleOptions, autoscale, type VpaWhatIf } from './whatIf/vpa';

export { type IsCancelled, OutOfTime, runToEnd } from '../base/steps';
export type { DeschedulerRound, SettleEnding, SettleResult } from '../descheduler/settle';
export type { ModeOutcome, PodUpdate, UpdateRound, VpaOutcome } from '../descheduler/vpa/whatIf';
export type { ClusterQuestion } from '../explore/cluster/answer';
export type { Cure } from '../explore/cluster/cures/cure';
export type { CuredAnswer } from '../explore/cluster/explore';
export type { ClusterStep } from '../explore/cluster/search';
export type { BrokenGroup, ExploreLimits, GroupDeadlock, OutcomeGroup } from '../explore/orders/explore';
export { NoOrderFollowed } from '../explore/orders/explore';
export { wayInWords } from '../explore/orders/shortestWay';
export { queueInWords } from '../scheduler/queue/words';
export { QUEUES } from '../scheduler/result';
export { MAX_CHANGES } from '../scheduler/whatIf/counterfactuals';
export type { Explanation } from './explain/explainPlacement';
export type { Comparison } from './placement/compare';
export type { OrderFix } from './placement/orderFixes';
export type { ExploredOrders } from './placement/orders';
export { type ParsedFiles, type PlaceFile, parsedFiles } from './placement/parsedFiles';
export type { PlaceOptions, ScenarioPlacement } from './placement/scenario';
export { mayHoldPolicies, type PolicyAsker } from './placement/scenarioPolicies';
export type { PodSuggestions, TextSuggestion } from './whatIf/suggestions';

/** Orders of arrival, and what would end a trouble of them. */
export interface FixedOrders extends ExploredOrders {
  readonly fixes: readonly OrderFix[];
}

export interface OpenScenarioOptions extends PlaceOptions {
  /** Evaluates the policies among the files; absent: they change and refuse nothing. */
  readonly policies?: PolicyAsker;
  /**
   * What will be asked. placement: where the Pods go; decisions: also why, and what would change it. Then a placement records
   * what explanations and suggestions need, which takes longer than a placement and less than two.
   */
  readonly records?: 'placement' | 'decisions';
}

/** Files that are placed as one cluster, outside of a workspace. Everything that is asked shares one parse. */
export interface OpenScenario {
  /** One sentence, with its line, for each part of a text that cannot be read; nothing that is asked counts it. */
  readonly unread: readonly string[];
  /** Asks the policies about everything that the scenario creates. Nothing is placed for that. */
  admit(): Promise<void>;
  /** What of the files and the cluster does not count, or not as it is written. Nothing is placed for that. Throws OutOfTime. */
  notes(): ScenarioPlacement['notes'];
  /** Where the Pods go. Extenders are not asked, and a note says so. */
  placement(): ScenarioPlacement;
  /** Where the Pods go, with the answers of the configuration's extenders. */
  placementAsking(post: PostExtender): Promise<ScenarioPlacement>;
  /** Why a Pod, by NAMESPACE/NAME or by its name alone, is where it is; undefined: no such Pod. Throws OutOfTime. */
  explanation(pod: string): Explanation | undefined;
  /** What would give Pods without a node one. Extenders are not asked. Throws OutOfTime. */
  suggestions(): Promise<Suggested>;
  /** The placements of three strategies and the best possible one. Throws OutOfTime. */
  comparison(solver: Promise<Solve>): Promise<Comparison>;
  /** What becomes of the Pods to place in every order of arrival. Throws OutOfTime. */
  orders(limits: ExploreLimits): Promise<FixedOrders>;
  /** What may happen once they are placed. Throws OutOfTime. */
  answers(questions: readonly ClusterQuestion[], limits: ClusterLimits): Promise<readonly CuredAnswer[]>;
  /** What the descheduler does with a policy. */
  descheduling(options: DescheduleOptions): Promise<Descheduling>;
  /** What VerticalPodAutoscalers do. */
  autoscaling(options: AutoscaleOptions): Promise<VpaWhatIf>;
}

/** Never throws for bad text: what cannot be read is left out of the scenario and named in `unread`. */
export function openScenario(files: readonly PlaceFile[], options: OpenScenarioOptions): OpenScenario {
  const parsed = parsedFiles(files);
  const inputs = scenarioInputs(parsed, options);
  const { objects, run, unread } = inputs;
  const { kube, namespace, origin, policies } = options;
  const cluster = typeof options.cluster === 'object' ? options.cluster.known : undefined;
  const answers =
    policies &&
    scenarioPolicies(
      parsed.files,
      { kube, cluster, ...(origin && { origin }), ...(namespace !== undefined && { namespace }) },
      policies,
    );
  const asking = (askPolicies: AskPolicies | undefined): RunOptions => ({ ...run, askPolicies });
  const now = (): RunOptions => asking(answers?.current().ask);
  const studied = createStudies(objects);
  return {
    unread,
    async admit() {
      if (answers) await withMutationAnswers(answers, ask => runToEnd(readScenarioSteps(objects, asking(ask))));
    },
    notes: () => notesBeforePlacing(inputs, options, now()),
    placement() {
      const simulation = options.records === 'decisions' ? studied(now()).recorded.run : simulate(objects, now());
      return scenarioPlacement(simulation, inputs, options);
    },
    placementAsking: post =>
      placeAsking(
        askExtender => scenarioPlacement(simulate(objects, { ...now(), askExtender }), inputs, options),
        post,
      ),
    explanation(pod) {
      const study = studied(now()).study();
      const id = podNamed(study, pod);
      return id === undefined ? undefined : explainPlacement(study, id);
    },
    suggestions() {
      // What is rendered is in no file that could be changed.
      const written = parsed.deployed.filter(it => !isRenderedUri(it.uri));
      const changes = written.map(file => ({ uri: file.uri, file }));
      const snapshot = withFiles(
        emptySnapshot(() => undefined),
        changes,
      );
      return withMutationAnswers(answers, ask =>
        suggestionsOf({ study: studied(asking(ask)).study, counts: () => true }, snapshot, options.isCancelled),
      );
    },
    comparison: solver => comparisonOf(objects, now(), solver),
    orders: limits =>
      withMutationAnswers(answers, ask => {
        const given = { objects, run: asking(ask), unread };
        const found = exploreOrdersOf(given, limits);
        return { ...found, fixes: orderFixesOf(given, found, limits) };
      }),
    answers: (questions, limits) =>
      withMutationAnswers(answers, ask => clusterAnswersOf({ objects, run: asking(ask) }, questions, limits)),
    descheduling: given =>
      withMutationAnswers(answers, ask => deschedule({ objects, run: asking(ask), unread }, given)),
    autoscaling: given => withMutationAnswers(answers, ask => autoscale({ objects, run: asking(ask), unread }, given)),
  };
}

/** Studies of some objects. The last one is kept, as long as the policies' answers are the same. */
function createStudies(objects: readonly UnknownObject[]): (run: RunOptions) => KeptStudy {
  let last: (KeptStudy & Pick<RunOptions, 'askPolicies'>) | undefined;
  return run => {
    if (last === undefined || last.askPolicies !== run.askPolicies) {
      const recorded = recordedRun(objects, run);
      last = { askPolicies: run.askPolicies, recorded, study: lazy(() => studyFrom(recorded)) };
    }
    return last;
  };
}

interface KeptStudy {
  readonly recorded: RecordedRun;
  /** Throws OutOfTime where the run was cut. */
  readonly study: () => Study;
}
