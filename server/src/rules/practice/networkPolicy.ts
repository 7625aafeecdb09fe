import { t } from '../../base/l10n';
import { podKinds } from '../../kube/podTemplates';
import { FieldPath } from '../../manifest/fieldPath';
import { selectorsOf } from '../../workspace/references/definitions';
import { defineRule } from '../framework/rule';
import { practice } from './practice';

export default defineRule(
  practice({
    code: 'practice/network-policy',
    severity: 'info',
    cost: 'workspace',
    summary: 'No NetworkPolicy selects a Pod.',
    why: 'Every Pod of the cluster can then speak to it, and it to everything.',
    remedy: 'Write a NetworkPolicy that selects it, or one for the whole namespace.',
    after: ['kube-score pod-networkpolicy', 'Kubescape C-0260'],
    url: 'https://kubernetes.io/docs/concepts/services-networking/network-policies/',
    on: podKinds,
    check: ({ object }, { snapshot }) => {
      if (selectorsOf(snapshot, object).some(it => it.object.kind === 'NetworkPolicy')) return undefined;
      const pods = object.kind === 'Pod' ? 'this Pod' : `the Pods of this ${object.kind}`;
      return { at: FieldPath.of('metadata', 'name'), message: t`no NetworkPolicy selects ${pods}` };
    },
  }),
);
