import { t } from '../../base/l10n';
import { records, texts } from '../../kube/goFields';
import { FieldPath } from '../../manifest/fieldPath';
import { defineRule } from '../framework/rule';
import { practice } from './practice';

export default defineRule(
  practice({
    code: 'practice/role-creates-pods',
    severity: 'info',
    summary: 'A role lets its subjects create Pods.',
    why: 'Who can create a Pod can use every ServiceAccount and mount every Secret of the namespace.',
    remedy: 'Let them create workloads through a controller or a pipeline that is held to policies.',
    after: ['kube-linter access-to-create-pods', 'Kubescape C-0188'],
    url: 'https://kubernetes.io/docs/concepts/security/rbac-good-practices/',
    on: ['Role', 'ClusterRole'],
    check: ({ value }) =>
      records(value, 'rules').flatMap((rule, i) => {
        const at = texts(rule, 'resources').indexOf('pods');
        const creates = texts(rule, 'verbs').some(it => it === 'create' || it === '*');
        if (at < 0 || !creates || !texts(rule, 'apiGroups').some(it => it === '' || it === '*')) return [];
        return [
          { at: FieldPath.of('rules').index(i).child('resources').index(at), message: t('any Pod can be created') },
        ];
      }),
  }),
);
