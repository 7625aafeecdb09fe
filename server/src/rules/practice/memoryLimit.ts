import { t } from '../../base/l10n';
import { get, record } from '../../kube/goFields';
import { defineRule } from '../framework/rule';
import { containerPractice } from './practice';

export default defineRule(
  containerPractice({
    code: 'practice/memory-limit',
    summary: 'Nothing limits the memory of a container.',
    why: 'A leak takes the memory of the whole node, and the kernel then kills what it likes.',
    remedy: 'Set a limit; equal to the request, the container can never be surprised.',
    after: [
      'kube-linter unset-memory-requirements',
      'Polaris memoryLimitsMissing',
      'kube-score container-resources',
      'Kubescape C-0271',
    ],
    url: 'https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/',
    lists: ['containers', 'initContainers'],
    check: ({ container, at, name, spec }) => {
      const isGiven = [container, spec].some(
        it => get(record(record(it, 'resources'), 'limits'), 'memory') !== undefined,
      );
      if (isGiven) return undefined;
      return { at, part: 'key', message: t`container "${name}" has no memory limit` };
    },
  }),
);
