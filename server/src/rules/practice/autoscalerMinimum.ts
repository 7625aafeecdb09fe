import { t } from '../../base/l10n';
import { optionalInt, record } from '../../kube/goFields';
import { FieldPath } from '../../manifest/fieldPath';
import { defineRule } from '../framework/rule';
import { practice } from './practice';

export default defineRule(
  practice({
    code: 'practice/autoscaler-minimum',
    severity: 'info',
    summary: 'An autoscaler may leave a single replica.',
    why: 'When load is low the workload is away whenever its one Pod is moved.',
    remedy: 'Write `minReplicas: 2` or more.',
    after: ['kube-linter hpa-minimum-three-replicas', 'Polaris hpaMinAvailability', 'kube-score hpa-has-minReplicas'],
    on: ['HorizontalPodAutoscaler'],
    check: ({ value }) => {
      const least = optionalInt(record(value, 'spec'), 'minReplicas') ?? 1;
      if (least > 1) return undefined;
      return {
        at: FieldPath.of('spec', 'minReplicas'),
        part: 'key',
        message: t`the autoscaler may go down to ${least}`,
      };
    },
  }),
);
