import { posix } from 'node:path';
import { type ClusterQuestion, type FixedOrders, NoOrderFollowed, openScenario } from '../../analysis/scenario';
import { withShortTexts } from '../answerSize';
import { findConfigurations } from '../input/configuration';
import { policyAsker } from '../input/policyAsker';
import type { TimeLimit } from '../input/timeLimit';
import { answersInJson, casesOfAnswers, fixInJson, renderAnswers, renderFixes } from '../render/clusterAnswers';
import { casesOfOrders } from '../render/explorationCases';
import { firstNotes } from '../render/notes';
import { renderOrders } from '../render/orders';
import { colourful, plain } from '../render/style';
import type { CliWorld } from '../world';
import type { Explored, ExploreRequest } from './exploreRequest';
import { placeOptions, sentence } from './place';

/** More arrivals are not decided without --max-states. */
const MOST_STATES = 3_000_000;
/** More outcomes are not listed. */
const MOST_OUTCOMES = 10_000;

/** The first limit of states of a question about controllers. */
const MOST_CLUSTER_STATES = 200_000;

/** Of the time, where more is asked than orders. */
const SHARE_OF_ORDERS = 0.75;

/** Explores the orders in which the Pods of a scenario may arrive, and what its controllers may do afterwards. */
export async function exploreOrdersOf(
  { argument, files, flags, time, asked, maxStates }: ExploreRequest,
  world: CliWorld,
): Promise<Explored> {
  const name = posix.basename(argument);
  world.optimizeLater?.();
  const [found] = await findConfigurations([argument], flags, world);
  const options = { ...(await placeOptions(found, flags, world)), isCancelled: time.isOver };
  const questions = asked.filter(it => it !== 'order');
  const share = questions.length > 0 ? SHARE_OF_ORDERS : 1;
  const limits = {
    states: maxStates ?? MOST_STATES,
    outcomes: MOST_OUTCOMES,
    timeUsed: () => time.used() / share,
  };
  const scenario = openScenario(files, { ...options, policies: policyAsker(world) });
  const isRead = 'the scenario was read';
  const told = await time.within(isRead, async () => {
    await scenario.admit();
    return withShortTexts(scenario.notes());
  });
  const followed = (): Promise<FixedOrders | undefined> => {
    world.progress?.(`${argument}: orders of arrival`);
    return untilNoOrder(() => scenario.orders(limits), time);
  };
  const explored = told !== undefined && asked.includes('order') ? await time.within(isRead, followed) : undefined;
  const others = (told ?? []).filter(it => explored?.notes.includes(it.message) !== true);
  const notes = [...(explored?.notes ?? []), ...others.map(it => it.message)];
  const onQuestion = (it: ClusterQuestion): void => world.progress?.(`${argument}: ${it}`);
  const most = { states: maxStates ?? MOST_CLUSTER_STATES, timeUsed: time.used, onQuestion };
  const answers = (await time.within('the cluster was explored', () => scenario.answers(questions, most))) ?? [];
  const errors = [...scenario.unread, ...[time.sentence() ?? []].flat()];
  const isFound =
    explored?.alwaysPlaced === false || explored?.broken !== undefined || answers.some(it => it.holds === false);
  const paint = world.colours ? colourful : plain;
  return {
    json: {
      scenario: name,
      ...(explored && jsonOf(explored)),
      ...(notes.length > 0 && { notes: withShortTexts(notes) }),
      ...(answers.length > 0 && { questions: answersInJson(answers) }),
    },
    text: [
      ...(explored === undefined ? [] : [renderOrders(name, explored, paint), renderFixes(explored.fixes, paint)]),
      renderAnswers(answers, paint),
      ...firstNotes(others, paint),
    ].join(''),
    name: argument,
    cases: [...(explored === undefined ? [] : casesOfOrders(explored)), ...casesOfAnswers(answers)],
    verdict: isFound ? 'found' : 'nothing found',
    ...(errors.length > 0 && { error: sentence(errors) }),
  };
}

async function untilNoOrder<T>(follow: () => Promise<T>, time: TimeLimit): Promise<T | undefined> {
  try {
    return await follow();
  } catch (error) {
    if (!(error instanceof NoOrderFollowed)) throw error;
    time.leave('one order was followed to its end');
    return undefined;
  }
}

/** Counts beyond 2^53 are rounded, as JSON numbers are; those that no number holds are left out. */
function jsonOf(explored: FixedOrders): object {
  const { outcomes, alwaysPlaced, permutations, strandedOrders, shortest, deadlock, broken, cut, refused } = explored;
  const evictable = [...new Set(outcomes.flatMap(it => it.evicted))].sort();
  return {
    ...withShortTexts({
      complete: cut.length === 0,
      outcomes: outcomes.map(({ orders, witness, ...it }) => ({
        ...it,
        ...countAs('orders', orders),
        witness: { order: witness },
      })),
      alwaysPlaced,
      samePlacements: cut.length === 0 && outcomes.length === 1,
      ...countAs('permutations', permutations),
      ...countAs('strandedOrders', strandedOrders),
      ...(shortest && { shortest: { steps: shortest } }),
      ...(deadlock && {
        deadlock: {
          between: deadlock.between,
          ...countAs('orders', deadlock.orders),
          ...(deadlock.shortest && { shortest: { steps: deadlock.shortest } }),
        },
      }),
      ...(broken && {
        broken: {
          groups: broken.groups,
          ...countAs('orders', broken.orders),
          ...(broken.shortest && { shortest: { steps: broken.shortest } }),
        },
      }),
      ...(cut.length > 0 && { cut }),
      ...(evictable.length > 0 && { evictable }),
    }),
    ...(explored.fixes.length > 0 && { suggestions: explored.fixes.map(fixInJson) }),
    ...(refused.length > 0 && { refused }),
  };
}

function countAs(name: string, count: bigint | undefined): Readonly<Record<string, number>> {
  const value = Number(count ?? Number.NaN);
  return Number.isFinite(value) ? { [name]: value } : {};
}
