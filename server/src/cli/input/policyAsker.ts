import type { PolicyAsker } from '../../analysis/scenario';
import { complain } from '../complain';
import type { CliWorld } from '../world';

/** Complains where mutating policies cannot be evaluated; placement goes on without what they would change. */
export const policyAsker = (world: CliWorld): PolicyAsker => ({
  engine: world.policyEngine,
  onNotice: it => complain(world, it),
  onFailure: error =>
    complain(
      world,
      `what mutating policies would change is not known: ${error instanceof Error ? error.message : String(error)}.`,
    ),
});
