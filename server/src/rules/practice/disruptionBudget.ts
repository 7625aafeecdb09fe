import { t } from '../../base/l10n';
import { int, record } from '../../kube/goFields';
import { FieldPath } from '../../manifest/fieldPath';
import { selectorsOf } from '../../workspace/references/definitions';
import { defineRule } from '../framework/rule';
import { practice, REPLICATED_KINDS } from './practice';

export default defineRule(
  practice({
    code: 'practice/disruption-budget',
    severity: 'info',
    cost: 'workspace',
    summary: 'A drain may stop all replicas of a workload at a time.',
    why: 'Without a PodDisruptionBudget nothing holds an upgrade of the nodes back while the last replica is moved.',
    remedy: 'Write a PodDisruptionBudget with `maxUnavailable: 1`.',
    after: ['Polaris missingPodDisruptionBudget', 'kube-score deployment-has-poddisruptionbudget'],
    url: 'https://kubernetes.io/docs/tasks/run-application/configure-pdb/',
    on: REPLICATED_KINDS,
    check: ({ object, value }, { snapshot }) => {
      if (int(record(value, 'spec'), 'replicas') < 2) return undefined;
      if (selectorsOf(snapshot, object).some(it => it.object.kind === 'PodDisruptionBudget')) return undefined;
      return { at: FieldPath.of('metadata', 'name'), message: t`no PodDisruptionBudget protects this ${object.kind}` };
    },
  }),
);
