import { t } from '../../base/l10n';
import { get } from '../../kube/goFields';
import { defineRule } from '../framework/rule';
import { containerPractice, SERVING_KINDS } from './practice';

export default defineRule(
  containerPractice({
    code: 'practice/liveness-probe',
    summary: 'A container that serves has no liveness probe.',
    why: 'A container that hangs is never restarted. A probe that is too strict does harm as well: let it fail only when a restart is the cure.',
    remedy: 'Write a `livenessProbe` that asks the container for what it needs to do its work.',
    after: ['kube-linter no-liveness-probe', 'Polaris livenessProbeMissing', 'Kubescape C-0056'],
    url: 'https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/',
    check: ({ container, at, name }, { object }) => {
      if (!SERVING_KINDS.includes(object.kind) || get(container, 'livenessProbe') !== undefined) return undefined;
      return { at, part: 'key', message: t`container "${name}" has no livenessProbe` };
    },
  }),
);
