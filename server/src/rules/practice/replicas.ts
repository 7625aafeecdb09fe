import { t } from '../../base/l10n';
import { optionalInt, record } from '../../kube/goFields';
import { FieldPath } from '../../manifest/fieldPath';
import { defineRule } from '../framework/rule';
import { practice } from './practice';

export default defineRule(
  practice({
    code: 'practice/replicas',
    severity: 'info',
    cost: 'workspace',
    summary: 'A Deployment has a single replica.',
    why: 'It is away whenever its node is drained, its Pod is evicted or its container is restarted.',
    remedy: 'Run two or more, or say with a suppression why one must do.',
    after: [
      'kube-linter minimum-three-replicas',
      'Polaris deploymentMissingReplicas',
      'kube-score deployment-replicas',
    ],
    on: ['Deployment'],
    check: ({ object, value }, { snapshot }) => {
      const replicas = optionalInt(record(value, 'spec'), 'replicas') ?? 1;
      const isScaled = snapshot.references.to(object).some(it => it.object.kind === 'HorizontalPodAutoscaler');
      if (replicas !== 1 || isScaled) return undefined;
      return { at: FieldPath.of('spec', 'replicas'), message: t('there is one replica only') };
    },
  }),
);
