import { t } from '../../base/l10n';
import { get, record } from '../../kube/goFields';
import { defineRule } from '../framework/rule';
import { containerPractice } from './practice';

export default defineRule(
  containerPractice({
    code: 'practice/cpu-request',
    summary: 'A container requests no CPU.',
    why: 'The scheduler counts it as nothing, so that any number of such Pods land on one node; under pressure it gets what is left.',
    remedy: 'Request what the container usually needs; `kubectl top pod` and a VPA know.',
    after: ['kube-linter unset-cpu-requirements', 'Polaris cpuRequestsMissing', 'kube-score container-resources'],
    url: 'https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/',
    lists: ['containers', 'initContainers'],
    check: ({ container, at, name, spec }) => {
      const isGiven = [container, spec].some(
        it =>
          get(record(record(it, 'resources'), 'requests'), 'cpu') !== undefined ||
          get(record(record(it, 'resources'), 'limits'), 'cpu') !== undefined,
      );
      if (isGiven) return undefined;
      return { at, part: 'key', message: t`container "${name}" has no cpu request` };
    },
  }),
);
