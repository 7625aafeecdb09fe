import { asObject } from '../../base/json';
import { t } from '../../base/l10n';
import { nearestNames } from '../../base/nearest';
import { FieldPath } from '../../manifest/fieldPath';
import { defineRule } from '../framework/rule';

interface Facts {
  readonly gate: string;
  readonly nearest: readonly string[];
}

const GATES = FieldPath.of('featureGates');

export default defineRule<Facts>({
  meta: {
    code: 'decode/unknown-gate',
    category: 'decode',
    severity: 'error',
    cost: 'typing',
    summary: 'The options of a scenario set a feature gate that the Kubernetes version does not have.',
    why: 'The gate changes nothing, and the placement is not the one that was meant.',
    remedy: 'Correct the name, or choose a Kubernetes version that has the gate.',
    source: { project: 'kubernetes', symbol: 'featuregate.(*featureGate).SetFromMap', fidelity: 'same' },
    url: 'https://kubernetes.io/docs/reference/command-line-tools-reference/feature-gates/',
  },
  on: ['ScenarioOptions'],

  *check({ object, value }, { kube }) {
    if (object.group !== 'berth.dev') return;
    for (const gate of Object.keys(asObject(value.featureGates) ?? {})) {
      if (kube.gate(gate) !== undefined) continue;
      const nearest = nearestNames(
        gate,
        kube.gates().map(it => it.name),
      );
      yield { at: GATES.child(gate), part: 'key', facts: { gate, nearest: nearest.slice(0, 3) } };
    }
  },

  message: ({ facts: { gate, nearest } }, { kube }) =>
    t`Kubernetes ${kube.minor} has no feature gate ${gate}${nearest[0] === undefined ? '' : t`; did you mean ${nearest[0]}?`}`,

  fixes: ({ at, facts: { nearest } }, { object }, _context, edit) =>
    nearest.map(it => ({ title: t`Rename it to ${it}`, safety: 'unsafe', edits: [edit.renameKey(object, at, it)] })),
});
