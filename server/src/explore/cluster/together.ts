import { t } from '../../base/l10n';
import { isForBatch } from '../../scheduler/gangs/batch';
import { groupIdOf, podGroupsOf } from '../../scheduler/gangs/podGroup';
import type { Simulation } from '../../scheduler/scenario';

const GROUP_LABEL = 'scheduling.x-k8s.io/pod-group';

/**
 * Why nothing is followed after the placement: a Pod is placed together with others, which one decision at a time does not do;
 * undefined: each Pod is placed alone. A PodGroup that the scheduler does not read changes nothing.
 */
export function whyNotFollowed({
  scenario: { cluster, pending },
  profiles,
  gates,
}: Pick<Simulation, 'scenario' | 'profiles' | 'gates'>): string | undefined {
  const native = podGroupsOf(cluster, gates, () => undefined);
  const found = [...cluster.running, ...pending].find(it => {
    if (native?.has(groupIdOf(it) ?? '')) return true;
    if (isForBatch(it, cluster)) return true;
    const isRead = profiles.get(it.schedulerName)?.permit.some(plugin => plugin.name === 'Coscheduling') === true;
    return isRead && it.labels[GROUP_LABEL] !== undefined;
  });
  return (
    found && t`Pod ${found.id} is placed together with the other Pods of its group, which only orders of arrival follow`
  );
}
