import { t } from '../../base/l10n';
import { flag, text } from '../../kube/goFields';
import { addInstead } from '../edits/fix';
import { defineRule } from '../framework/rule';
import { podPractice } from './practice';

export default defineRule(
  podPractice({
    code: 'practice/service-account-token',
    severity: 'info',
    cost: 'workspace',
    summary: 'A Pod gets a token for the API server that it may not need.',
    why: 'Whoever gets into the container can speak to the API server with the rights of its ServiceAccount.',
    remedy: 'Write `automountServiceAccountToken: false` for what never asks the API server.',
    after: ['Polaris automountServiceAccountToken', 'Kubescape C-0034'],
    url: 'https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account/',
    check: (spec, at, { object }, { snapshot }) => {
      const named = text(spec, 'serviceAccountName') || 'default';
      const [account] = snapshot.find('', 'ServiceAccount', object.namespace ?? 'default', named);
      const given = flag(spec, 'automountServiceAccountToken');
      const isMounted = given ?? flag(account?.manifest.value, 'automountServiceAccountToken') ?? true;
      // A separate account was created for its rights, which the Pod will want to use.
      if (!isMounted || named !== 'default') return undefined;
      const field = at.child('automountServiceAccountToken');
      return {
        at: field,
        part: 'key',
        message: t('every container gets a token of the default ServiceAccount'),
        fixes: [addInstead(field, false)],
      };
    },
  }),
);
