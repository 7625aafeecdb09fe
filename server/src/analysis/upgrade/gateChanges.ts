import { t } from '../../base/l10n';
import { spanWithin } from '../../manifest/spanWithin';
import { identityOf } from '../../rules/framework/identity';
import type { Problem } from '../../rules/framework/problem';
import { componentGates } from '../../rules/reading/componentGates';
import type { WorkspaceObject } from '../../workspace/object';
import type { UpgradeChange } from './change';
import type { Facts } from './defaultChanges';

/** A gate that somebody sets. */
interface ChosenGate {
  readonly name: string;
  readonly on: boolean;
}

/** Gates of a configuration in the workspace that are gone or locked. A component refuses to start with such a gate. */
export function gateChangesIn(
  object: WorkspaceObject,
  walk: readonly Facts[],
  text: string | undefined,
): readonly UpgradeChange[] {
  const { manifest } = object;
  return componentGates(object.group, object.kind, manifest.value).flatMap(gate =>
    gateChange(gate, walk, {
      uri: manifest.uri,
      document: manifest.document,
      ...(manifest.item !== undefined && { item: manifest.item }),
      object: identityOf(object),
      fieldPath: gate.at.toString(),
      span: spanWithin(manifest, gate, text),
    }),
  );
}

/** Gates that settings choose; `uri` names where. */
export function gateChangesOf(
  gates: Readonly<Record<string, boolean>>,
  uri: string,
  walk: readonly Facts[],
): readonly UpgradeChange[] {
  return Object.entries(gates).flatMap(([name, on]) =>
    gateChange({ name, on }, walk, { uri, fieldPath: `featureGates.${name}`, span: { start: 0, end: 0 } }),
  );
}

type Place = Pick<Problem, 'uri' | 'span' | 'fieldPath' | 'document' | 'item' | 'object'>;

function gateChange(gate: ChosenGate, walk: readonly Facts[], place: Place): readonly UpgradeChange[] {
  const words = walk.map(it => wrongWith(gate, it));
  const [first, last] = [words[0], words.at(-1)];
  if (first !== undefined || last === undefined) return [];
  const since = walk[words.lastIndexOf(undefined) + 1]?.version ?? '';
  const problem: Problem = {
    code: 'upgrade/gate',
    category: 'decode',
    severity: 'error',
    message: last,
    ...place,
    related: [],
    fixes: [],
  };
  return [{ change: 'gate', urgency: 'run', since, problem }];
}

/** undefined: the version takes the gate as it is set. */
function wrongWith({ name, on }: ChosenGate, { kube }: Facts): string | undefined {
  const gate = kube.gate(name);
  if (gate === undefined)
    return t`Kubernetes ${kube.minor} has no feature gate ${name}; a component that is given it does not start`;
  if (!gate.locked || gate.default === on) return undefined;
  return t`feature gate ${name} is locked to ${gate.default} in Kubernetes ${kube.minor} and cannot be set to ${on}; a component that is given it does not start`;
}
