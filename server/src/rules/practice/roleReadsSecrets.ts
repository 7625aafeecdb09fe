import { t } from '../../base/l10n';
import { records, texts } from '../../kube/goFields';
import { FieldPath } from '../../manifest/fieldPath';
import { defineRule } from '../framework/rule';
import { practice } from './practice';

const READING = ['get', 'list', 'watch', '*'];

export default defineRule(
  practice({
    code: 'practice/role-reads-secrets',
    severity: 'info',
    summary: 'A role lets its subjects read Secrets.',
    why: 'Tokens of ServiceAccounts and keys are among them; `list` and `watch` show the content as well as `get`.',
    remedy: 'Name the Secrets in `resourceNames` with `get` alone, or mount them.',
    after: ['kube-linter access-to-secrets', 'Kubescape C-0015'],
    url: 'https://kubernetes.io/docs/concepts/security/rbac-good-practices/',
    on: ['Role', 'ClusterRole'],
    check: ({ value }) =>
      records(value, 'rules').flatMap((rule, i) => {
        const at = texts(rule, 'resources').indexOf('secrets');
        const reads = texts(rule, 'verbs').some(it => READING.includes(it));
        if (at < 0 || !reads || !texts(rule, 'apiGroups').some(it => it === '' || it === '*')) return [];
        if (texts(rule, 'resourceNames').length > 0) return [];
        return [
          { at: FieldPath.of('rules').index(i).child('resources').index(at), message: t('every Secret can be read') },
        ];
      }),
  }),
);
