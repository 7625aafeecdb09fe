import { t } from '../../base/l10n';
import { has, record } from '../../kube/goFields';
import { FieldPath } from '../../manifest/fieldPath';
import { defineRule } from '../framework/rule';
import { practice } from './practice';

export default defineRule(
  practice({
    code: 'practice/job-time-to-live',
    severity: 'info',
    summary: 'Nothing takes a finished Job away.',
    why: 'It stays with its Pods until someone deletes it, and thousands of them make the API server slow.',
    remedy: 'Write `ttlSecondsAfterFinished`.',
    after: ['kube-linter job-ttl-seconds-after-finished'],
    url: 'https://kubernetes.io/docs/concepts/workloads/controllers/ttlafterfinished/',
    on: ['Job'],
    check: ({ value }) => {
      const spec = record(value, 'spec');
      if (spec === undefined || has(spec, 'ttlSecondsAfterFinished')) return undefined;
      return {
        at: FieldPath.of('spec', 'ttlSecondsAfterFinished'),
        part: 'key',
        message: t('a finished Job stays for ever'),
      };
    },
  }),
);
