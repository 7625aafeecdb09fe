import { t } from '../../base/l10n';
import { record, text } from '../../kube/goFields';
import { FieldPath } from '../../manifest/fieldPath';
import { addInstead } from '../edits/fix';
import { defineRule } from '../framework/rule';
import { practice } from './practice';

export default defineRule(
  practice({
    code: 'practice/unhealthy-pod-eviction',
    severity: 'info',
    summary: 'A budget protects Pods that do not work.',
    why: 'Pods that crash over and over count as missing, so that a drain waits for them for ever.',
    remedy: 'Write `unhealthyPodEvictionPolicy: AlwaysAllow`.',
    after: ['kube-linter pdb-unhealthy-pod-eviction-policy'],
    url: 'https://kubernetes.io/docs/tasks/run-application/configure-pdb/#unhealthy-pod-eviction-policy',
    on: ['PodDisruptionBudget'],
    check: ({ value }) => {
      const spec = record(value, 'spec');
      if (spec === undefined || text(spec, 'unhealthyPodEvictionPolicy') === 'AlwaysAllow') return undefined;
      const at = FieldPath.of('spec', 'unhealthyPodEvictionPolicy');
      return {
        at,
        part: 'key',
        message: t('Pods that are not ready cannot be evicted'),
        fixes: [addInstead(at, 'AlwaysAllow')],
      };
    },
  }),
);
