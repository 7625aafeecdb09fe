import { t } from '../../base/l10n';
import { get, record } from '../../kube/goFields';
import { defineRule } from '../framework/rule';
import { containerPractice } from './practice';

export default defineRule(
  containerPractice({
    code: 'practice/cpu-limit',
    severity: 'info',
    summary: 'Nothing limits the CPU of a container.',
    why: 'Without a limit a container takes every idle core. Many leave it away on purpose, as a limit throttles while cores are idle.',
    remedy: 'Set a limit where neighbours must be protected, or turn this rule off.',
    after: ['Polaris cpuLimitsMissing', 'kube-score container-resources', 'Kubescape C-0270'],
    url: 'https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/',
    lists: ['containers', 'initContainers'],
    check: ({ container, at, name, spec }) => {
      const isGiven = [container, spec].some(it => get(record(record(it, 'resources'), 'limits'), 'cpu') !== undefined);
      if (isGiven) return undefined;
      return { at, part: 'key', message: t`container "${name}" has no cpu limit` };
    },
  }),
);
