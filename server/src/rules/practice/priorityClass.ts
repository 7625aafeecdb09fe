import { t } from '../../base/l10n';
import { text } from '../../kube/goFields';
import { defineRule } from '../framework/rule';
import { podPractice } from './practice';

export default defineRule(
  podPractice({
    code: 'practice/priority-class',
    severity: 'info',
    cost: 'workspace',
    summary: 'Nothing says how important a Pod is.',
    why: 'When room is short the scheduler cannot tell it from any other, and neither can the kubelet when it must evict.',
    remedy: 'Name a PriorityClass.',
    after: ['Polaris priorityClassNotSet'],
    url: 'https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/',
    check: (spec, at, _target, { snapshot }) => {
      const hasDefault = snapshot
        .objectsOf('scheduling.k8s.io', 'PriorityClass')
        .some(it => it.manifest.value.globalDefault === true);
      if (hasDefault || text(spec, 'priorityClassName') !== '') return undefined;
      return {
        at: at.child('priorityClassName'),
        part: 'key',
        message: t('no PriorityClass says how important it is'),
      };
    },
  }),
);
