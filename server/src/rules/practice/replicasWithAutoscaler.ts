import { t } from '../../base/l10n';
import { has, record } from '../../kube/goFields';
import { FieldPath } from '../../manifest/fieldPath';
import { remove } from '../edits/fix';
import { defineRule } from '../framework/rule';
import { practice, REPLICATED_KINDS } from './practice';

export default defineRule(
  practice({
    code: 'practice/replicas-with-autoscaler',
    cost: 'workspace',
    summary: 'A workload that is scaled by an autoscaler writes its number of replicas as well.',
    why: 'Each `kubectl apply` sets the number back, and Pods are stopped under load until the autoscaler has noticed.',
    remedy: 'Leave `replicas` out.',
    after: ['kube-score deployment-targeted-by-hpa-does-not-have-replicas-configured'],
    url: 'https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/#migrating-deployments-and-statefulsets-to-horizontal-autoscaling',
    on: REPLICATED_KINDS,
    check: ({ object, value }, { snapshot }) => {
      const scaler = snapshot.references.to(object).find(it => it.object.kind === 'HorizontalPodAutoscaler');
      if (scaler === undefined || !has(record(value, 'spec'), 'replicas')) return undefined;
      const at = FieldPath.of('spec', 'replicas');
      const name = scaler.object.name ?? '';
      return {
        at,
        part: 'key',
        message: t`HorizontalPodAutoscaler "${name}" sets the number of replicas`,
        fixes: [remove(at)],
      };
    },
  }),
);
