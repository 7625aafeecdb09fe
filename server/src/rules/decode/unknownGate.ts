import { t } from '../../base/l10n';
import { nearestNames } from '../../base/nearest';
import { versionIn } from '../../kube/version';
import { defineRule } from '../framework/rule';
import { componentGates, GATE_CONFIGURATIONS, mappedGates, versionOfConfiguration } from '../reading/componentGates';

interface Facts {
  readonly gate: string;
  readonly nearest: readonly string[];
}

export default defineRule<Facts>({
  meta: {
    code: 'decode/unknown-gate',
    category: 'decode',
    severity: 'error',
    cost: 'typing',
    summary:
      'The options of a scenario, or the configuration of a component, set a feature gate that the Kubernetes version does not have.',
    why: 'In a scenario the gate changes nothing, and the placement is not the one that was meant. A component that is given it does not start.',
    remedy: 'Correct the name, or choose a Kubernetes version that has the gate.',
    details:
      'Configurations are those of the kubelet, of kube-proxy, of kubeadm with its flags `feature-gates`, and of kind with its patches of kubeadm. One that names another version of Kubernetes than the chosen one is not judged.',
    source: { project: 'kubernetes', symbol: 'featuregate.(*featureGate).SetFromMap', fidelity: 'same' },
    url: 'https://kubernetes.io/docs/reference/command-line-tools-reference/feature-gates/',
  },
  on: ['ScenarioOptions', ...GATE_CONFIGURATIONS],
  reads: ['objects', 'patch'],

  *check({ object, value }, { kube }) {
    const isOwn = object.group === 'berth.dev';
    const version = versionOfConfiguration(value);
    if (version !== undefined && versionIn(version)?.minor !== kube.minor) return;
    for (const { name, at, part, within } of isOwn
      ? mappedGates(value)
      : componentGates(object.group, object.kind, value)) {
      if (kube.gate(name) !== undefined || OF_LOGGING.has(name)) continue;
      const nearest = nearestNames(
        name,
        kube.gates().map(it => it.name),
      );
      yield {
        at,
        part,
        ...(within !== undefined && { within }),
        facts: { gate: name, nearest: nearest.slice(0, 3) },
        ...(!isOwn && { severity: 'warning' as const }),
      };
    }
  },

  message: ({ facts: { gate, nearest } }, { kube }) =>
    t`Kubernetes ${kube.minor} has no feature gate ${gate}${nearest[0] === undefined ? '' : t`; did you mean ${nearest[0]}?`}`,

  fixes: ({ at, part, facts: { nearest } }, { object }, _context, edit) =>
    part === 'key'
      ? nearest.map(it => ({ title: t`Rename it to ${it}`, safety: 'unsafe', edits: [edit.renameKey(object, at, it)] }))
      : [],
});

/** Gates that components register beside those of Kubernetes. Upstream: logs/api/v1.featureGates. */
const OF_LOGGING: ReadonlySet<string> = new Set([
  'ContextualLogging',
  'LoggingAlphaOptions',
  'LoggingBetaOptions',
  'LoggingStableOptions',
]);
