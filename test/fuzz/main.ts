import { createPolicyEngine } from '../../server/src/policy/engine/engine';
import { engineWorld } from '../../server/src/policy/engine/process';

export { corpus, largeWorkspace, smallWorkspace } from './corpus';
export { thrownAtPlaces } from './everyPlace';
export { createFindings, savingTo } from './findings';
export { faultOf, runCommands } from './inputs/cli';
export { replayInput, runStructure, runTexts } from './inputs/run';
export { randomFrom } from './random';
export { inMemory } from './session/inMemory';
export { processes } from './session/process';
export { differenceAfter, readKept, runSessions } from './session/run';

/** The real policy engine of a build. */
export const engineOf = (dist: string) => createPolicyEngine(engineWorld(dist, () => undefined));
