import type { JsonObject } from '../../base/json';
import { t } from '../../base/l10n';
import type { Kube } from '../../kube/kube';
import { removedConfiguration, SCHEDULER_CONFIG_GROUP } from '../../kube/scheduler/versions';
import { configurationSentences } from '../../rules/scheduler/configurationProblems';

/**
 * One sentence for everything about the scheduler configuration among some objects that keeps kube-scheduler from
 * starting; a placement goes on with the rest of it. The sentences are those of the rules in `rules/scheduler`.
 */
export function schedulerNotes(objects: readonly object[], kube: Kube): readonly string[] {
  return objects.flatMap(it => {
    const value = it as JsonObject;
    const removed = removedConfiguration(value);
    if (removed !== undefined) {
      const now = `${SCHEDULER_CONFIG_GROUP}/v1`;
      if (removed.removed === undefined) return [t`${removed.what} was removed; it is read here as ${now}.`];
      return [t`${removed.what} was removed in Kubernetes ${removed.removed}; it is read here as ${now}.`];
    }
    return configurationSentences(value, kube).map(
      sentence => t`kube-scheduler does not start with this configuration: ${sentence}`,
    );
  });
}
