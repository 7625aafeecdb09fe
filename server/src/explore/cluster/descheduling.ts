import { t } from '../../base/l10n';
import { runToEnd } from '../../base/steps';
import { type DeschedulerPolicy, isDeschedulerPolicy, withoutNulls } from '../../descheduler/policy';
import { descheduleOnce } from '../../descheduler/run';
import { policyRefusals } from '../../descheduler/validate';
import { withDeleted } from './ending';
import type { ClusterStep, Move } from './search';
import { clusterOf, type ExploredState, podModels } from './state';
import type { ExploredWorld } from './world';

export const DESCHEDULER = 'descheduler';

/** The policies of deschedulers among the objects, without those that no descheduler starts with. */
export function policiesOf({ objects }: Pick<ExploredWorld, 'objects'>): readonly DeschedulerPolicy[] {
  const accepted = objects.filter(it => isDeschedulerPolicy(it) && policyRefusals(it).length === 0);
  return accepted.map(it => withoutNulls(it) as DeschedulerPolicy);
}

/** The plugin that a step of the descheduler names, first in every language. */
export const pluginOf = ({ step }: ClusterStep): string => /^\w*/.exec(step)?.[0] ?? '';

/** One run of the descheduler; none where it evicts nothing. */
export function descheduled(
  state: ExploredState,
  policy: DeschedulerPolicy,
  world: ExploredWorld,
): readonly Move<ExploredState>[] {
  const models = podModels(state, world);
  const scenario = { ...world.scenario, cluster: clusterOf(state, world, models) };
  const { evictions } = runToEnd(descheduleOnce(scenario, [], policy));
  if (evictions.length === 0) return [];
  const gone = new Map(evictions.map(it => [it.pod, it]));
  const texts = models.flatMap((it, i) => {
    const eviction = gone.get(it.id);
    return eviction ? [t`${world.kinds[state.pods[i]!.kind]!.name} from ${eviction.node}`] : [];
  });
  const by = { actor: DESCHEDULER, step: t`${evictions[0]!.plugin} evicts ${texts.join(', ')}` };
  const deleted = state.pods.filter((_, i) => gone.has(models[i]!.id));
  return [{ by, to: withDeleted(state, deleted, world) }];
}
