import { t } from '../../base/l10n';
import { record, text } from '../../kube/goFields';
import { FieldPath } from '../../manifest/fieldPath';
import { change } from '../edits/fix';
import { defineRule } from '../framework/rule';
import { practice } from './practice';

export default defineRule(
  practice({
    code: 'practice/rolling-update',
    severity: 'info',
    summary: 'A new version stops all Pods before it starts others.',
    why: 'Nobody answers in between, and if the new version does not start, nobody ever will.',
    remedy: 'Write `strategy.type: RollingUpdate`, unless two versions must never run at a time.',
    after: ['kube-linter no-rolling-update-strategy', 'kube-score deployment-strategy'],
    url: 'https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#strategy',
    on: ['Deployment'],
    check: ({ value }) => {
      const at = FieldPath.of('spec', 'strategy', 'type');
      if (text(record(record(value, 'spec'), 'strategy'), 'type') !== 'Recreate') return undefined;
      return {
        at,
        message: t('all Pods are stopped before new ones are started'),
        fixes: [change(at, 'RollingUpdate')],
      };
    },
  }),
);
