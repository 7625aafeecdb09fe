import { compareText } from '../../base/compareText';
import { t } from '../../base/l10n';
import { get } from '../../kube/goFields';
import { defineRule } from '../framework/rule';
import { containerPractice } from './practice';

export default defineRule(
  containerPractice({
    code: 'practice/identical-probes',
    summary: 'A container is restarted for the same reason for which it would get no requests.',
    why: 'Under load a Pod that should only be left alone for a moment is killed, and the others get its load.',
    remedy: 'Let the liveness probe ask less, or wait for more failures than the readiness probe.',
    after: ['kube-score pod-probes-identical'],
    url: 'https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/',
    check: ({ container, at, name }) => {
      const [liveness, readiness] = [get(container, 'livenessProbe'), get(container, 'readinessProbe')];
      if (liveness === undefined || textOf(liveness) !== textOf(readiness)) return undefined;
      return {
        at: at.child('livenessProbe'),
        part: 'key',
        message: t`the liveness probe of container "${name}" is its readiness probe`,
      };
    },
  }),
);

/** Equal for equal probes, whatever the order of their fields. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, it) => {
    if (typeof it === 'bigint') return String(it);
    const isMap = typeof it === 'object' && it !== null && !Array.isArray(it);
    return isMap ? Object.entries(it).toSorted(([a], [b]) => compareText(a, b)) : it;
  });
}
