import type { UnknownObject } from '../../base/json';
import { interPodAntiAffinity, nodeAffinity, nodeTaints } from './deschedule';
import { highNodeUtilization, lowNodeUtilization } from './nodeUtilization';
import type { Plugin } from './plugin';
import { removeDuplicates } from './removeDuplicates';
import { failedPods, podLifeTime, tooManyRestarts } from './status';
import { topologySpread } from './topologySpread';

/** Every plugin that evicts. Upstream: descheduler.SetupPlugins. */
export const PLUGINS: readonly Plugin[] = (
  [
    highNodeUtilization,
    lowNodeUtilization,
    podLifeTime,
    removeDuplicates,
    failedPods,
    tooManyRestarts,
    interPodAntiAffinity,
    nodeAffinity,
    nodeTaints,
    topologySpread,
  ] as readonly Plugin<never>[]
).map(it => ({
  ...it,
  run: (args: UnknownObject, environment, evictor) => it.run(args as never, environment, evictor),
}));
