import { posix } from 'node:path';
import { type ExploredOrders, openScenario } from '../../analysis/scenario';
import { findConfigurations } from '../input/configuration';
import { policyAsker } from '../input/policyAsker';
import { renderOrders } from '../render/orders';
import { colourful, plain } from '../render/style';
import type { CliWorld } from '../world';
import type { Explored, ExploreRequest } from './exploreRequest';
import { placeOptions, sentence } from './place';

/** More arrivals are not decided without --max-states. */
const MOST_STATES = 3_000_000;
/** More outcomes are not listed. */
const MOST_OUTCOMES = 10_000;

/** Explores the orders in which the Pods of a scenario may arrive. */
export async function exploreOrdersOf(
  { argument, files, flags, time, maxStates = MOST_STATES }: ExploreRequest,
  world: CliWorld,
): Promise<Explored> {
  const name = posix.basename(argument);
  const [found] = await findConfigurations([argument], flags, world);
  const options = { ...(await placeOptions(found, flags, world)), isCancelled: time.isOver };
  const limits = { states: maxStates, outcomes: MOST_OUTCOMES, timeUsed: time.used };
  const explored = await time.within('the scenario was read', async () => {
    const scenario = openScenario(files, { ...options, policies: policyAsker(world) });
    await scenario.admit();
    return scenario.orders(limits);
  });
  const errors = [...(explored?.unread ?? []), ...[time.sentence() ?? []].flat()];
  return {
    json: { scenario: name, ...(explored && jsonOf(explored)) },
    text: explored === undefined ? '' : renderOrders(name, explored, world.colours ? colourful : plain),
    verdict: explored?.alwaysPlaced === false ? 'found' : 'nothing found',
    ...(errors.length > 0 && { error: sentence(errors) }),
  };
}

/** Counts beyond 2^53 are rounded, as JSON numbers are. */
function jsonOf(explored: ExploredOrders): object {
  const { outcomes, alwaysPlaced, permutations, strandedOrders, shortest, deadlock, cut, refused, notes } = explored;
  return {
    complete: cut.length === 0,
    outcomes: outcomes.map(({ orders, witness, ...it }) => ({
      ...it,
      ...(orders !== undefined && { orders: Number(orders) }),
      witness: { order: witness },
    })),
    alwaysPlaced,
    samePlacements: cut.length === 0 && outcomes.length === 1,
    permutations: Number(permutations),
    ...(strandedOrders !== undefined && { strandedOrders: Number(strandedOrders) }),
    ...(shortest && { shortest: { steps: shortest } }),
    ...(deadlock && {
      deadlock: {
        between: deadlock.between,
        ...(deadlock.orders !== undefined && { orders: Number(deadlock.orders) }),
        ...(deadlock.shortest && { shortest: { steps: deadlock.shortest } }),
      },
    }),
    ...(cut.length > 0 && { cut }),
    ...(refused.length > 0 && { refused }),
    ...(notes.length > 0 && { notes }),
  };
}
