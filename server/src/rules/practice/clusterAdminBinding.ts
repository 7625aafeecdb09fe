import { t } from '../../base/l10n';
import { record, text } from '../../kube/goFields';
import { FieldPath } from '../../manifest/fieldPath';
import { defineRule } from '../framework/rule';
import { practice } from './practice';

export default defineRule(
  practice({
    code: 'practice/cluster-admin-binding',
    summary: 'A binding gives away the whole cluster.',
    why: 'cluster-admin may do everything everywhere, and no policy of rights can hold it back.',
    remedy: 'Bind a role with the rights that are needed.',
    after: ['kube-linter cluster-admin-role-binding', 'Polaris clusterrolebindingClusterAdmin', 'Kubescape C-0035'],
    url: 'https://kubernetes.io/docs/concepts/security/rbac-good-practices/',
    on: ['ClusterRoleBinding', 'RoleBinding'],
    check: ({ value }) => {
      const role = record(value, 'roleRef');
      if (text(role, 'kind') !== 'ClusterRole' || text(role, 'name') !== 'cluster-admin') return undefined;
      return { at: FieldPath.of('roleRef', 'name'), message: t('its subjects become cluster-admin') };
    },
  }),
);
