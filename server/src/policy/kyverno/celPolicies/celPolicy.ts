import { ownOf } from '../../../base/ownOf';
import { record, text } from '../../../kube/goFields';
import type { WorkspaceObject } from '../../../workspace/object';
import { autogenPolicies } from './autogen';
import type { CelPolicy, CelPolicyType } from './types';

const typeOfKind: Readonly<Record<string, CelPolicyType>> = {
  ValidatingPolicy: 'validating',
  MutatingPolicy: 'mutating',
  GeneratingPolicy: 'generating',
  DeletingPolicy: 'deleting',
  ImageValidatingPolicy: 'imageValidating',
};

/** The policy and its autogen variants for controllers; empty for any other object. */
export function celPoliciesOf(object: WorkspaceObject): readonly CelPolicy[] {
  if (object.group !== 'policies.kyverno.io') return [];
  const plainKind = object.kind.replace(/^Namespaced/, '');
  const type = ownOf(typeOfKind, plainKind);
  if (type === undefined) return [];
  const { value } = object.manifest;
  const metadata = record(value, 'metadata');
  const policy: CelPolicy = {
    type,
    object,
    name: text(metadata, 'name'),
    ...(object.kind.startsWith('Namespaced') && { namespace: text(metadata, 'namespace') || 'default' }),
    spec: record(value, 'spec') ?? {},
  };
  return [policy, ...autogenPolicies(policy)];
}

/** Whether the policy evaluates plain JSON instead of cluster objects. */
export const isForJson = ({ spec }: CelPolicy): boolean => text(record(spec, 'evaluation'), 'mode') === 'JSON';

/** Whether the policy is evaluated at admission. */
export const isForAdmission = ({ spec }: CelPolicy): boolean =>
  record(record(spec, 'evaluation'), 'admission')?.enabled !== false;
