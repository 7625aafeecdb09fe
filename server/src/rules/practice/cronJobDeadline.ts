import { t } from '../../base/l10n';
import { has, record } from '../../kube/goFields';
import { FieldPath } from '../../manifest/fieldPath';
import { defineRule } from '../framework/rule';
import { practice } from './practice';

export default defineRule(
  practice({
    code: 'practice/cron-job-deadline',
    severity: 'info',
    summary: 'A CronJob has no deadline for starting late.',
    why: 'After an outage of the controller with more than 100 missed times it does not start any more, and runs may start long after their hour.',
    remedy: 'Write `startingDeadlineSeconds`.',
    after: ['kube-score cronjob-has-deadline'],
    url: 'https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/#starting-deadline',
    on: ['CronJob'],
    check: ({ value }) => {
      const spec = record(value, 'spec');
      if (spec === undefined || has(spec, 'startingDeadlineSeconds')) return undefined;
      const at = FieldPath.of('spec', 'startingDeadlineSeconds');
      return { at, part: 'key', message: t('a run that is late has no deadline') };
    },
  }),
);
