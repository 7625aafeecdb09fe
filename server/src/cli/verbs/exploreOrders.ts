import type { CliWorld } from '../world';
import type { Explored, ExploreRequest } from './exploreRequest';

/** Explores the orders in which the Pods of a scenario may arrive. */
export async function exploreOrdersOf({ argument }: ExploreRequest, _world: CliWorld): Promise<Explored> {
  const error = `${argument} holds no document of kind System; the orders of a scenario are not explored yet.`;
  return { json: { scenario: argument }, text: '', verdict: 'nothing found', error };
}
