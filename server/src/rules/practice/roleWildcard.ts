import { t } from '../../base/l10n';
import { records, texts } from '../../kube/goFields';
import { FieldPath } from '../../manifest/fieldPath';
import { defineRule } from '../framework/rule';
import { practice } from './practice';

export default defineRule(
  practice({
    code: 'practice/role-wildcard',
    summary: 'A role gives rights to everything there is, and to everything to come.',
    why: 'A star covers kinds and verbs that do not exist yet: whoever is bound to it grows with the cluster.',
    remedy: 'List what is needed.',
    after: ['kube-linter wildcard-in-rules', 'Kubescape C-0187'],
    url: 'https://kubernetes.io/docs/concepts/security/rbac-good-practices/',
    on: ['Role', 'ClusterRole'],
    check: ({ value }) =>
      records(value, 'rules').flatMap((rule, i) =>
        ['resources', 'verbs'].flatMap(field => {
          const star = texts(rule, field).indexOf('*');
          if (star < 0) return [];
          return [
            { at: FieldPath.of('rules').index(i).child(field).index(star), message: t`"*" stands for all ${field}` },
          ];
        }),
      ),
  }),
);
