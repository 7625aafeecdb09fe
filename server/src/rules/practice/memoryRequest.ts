import { t } from '../../base/l10n';
import { get, record } from '../../kube/goFields';
import { defineRule } from '../framework/rule';
import { containerPractice } from './practice';

export default defineRule(
  containerPractice({
    code: 'practice/memory-request',
    summary: 'A container requests no memory.',
    why: 'The scheduler counts it as nothing, and the kubelet evicts a Pod that uses more than it requested before others.',
    remedy: 'Request what the container usually needs; `kubectl top pod` and a VPA know.',
    after: ['kube-linter unset-memory-requirements', 'Polaris memoryRequestsMissing', 'kube-score container-resources'],
    url: 'https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/',
    lists: ['containers', 'initContainers'],
    check: ({ container, at, name, spec }) => {
      const isGiven = [container, spec].some(
        it =>
          get(record(record(it, 'resources'), 'requests'), 'memory') !== undefined ||
          get(record(record(it, 'resources'), 'limits'), 'memory') !== undefined,
      );
      if (isGiven) return undefined;
      return { at, part: 'key', message: t`container "${name}" has no memory request` };
    },
  }),
);
