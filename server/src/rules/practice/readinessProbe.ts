import { t } from '../../base/l10n';
import { get } from '../../kube/goFields';
import { defineRule } from '../framework/rule';
import { containerPractice, SERVING_KINDS } from './practice';

export default defineRule(
  containerPractice({
    code: 'practice/readiness-probe',
    summary: 'A container that serves has no readiness probe.',
    why: 'A Pod gets requests as soon as its container runs, and a roll-out goes on before the new Pods can answer.',
    remedy: 'Write a `readinessProbe` that asks the container for what it needs to do its work.',
    after: [
      'kube-linter no-readiness-probe',
      'Polaris readinessProbeMissing',
      'kube-score pod-probes',
      'Kubescape C-0018',
    ],
    url: 'https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/',
    check: ({ container, at, name }, { object }) => {
      if (!SERVING_KINDS.includes(object.kind) || get(container, 'readinessProbe') !== undefined) return undefined;
      return { at, part: 'key', message: t`container "${name}" has no readinessProbe` };
    },
  }),
);
