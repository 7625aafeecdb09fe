import type { JsonObject } from '../../../base/json';
import { record, text } from '../../../kube/goFields';
import type { WorkspaceObject } from '../../../workspace/object';
import { changesBetween, type MutationPreview } from '../../mutation';
import type { PolicyResult } from '../../result';
import { generateWithCelPolicy } from '../celPolicies/generating';
import { targetsOfCelPolicy } from '../celPolicies/mutating';
import { generateWithPolicy } from '../engine/generate';
import { hasTargets, mutateExisting } from '../mutate/mutateExisting';
import type { Resource } from '../resource/resource';
import { guarded, type RuleOutcome } from '../results/outcome';
import type { KyvernoWorld } from '../world';
import type { KyvernoPolicies } from './evaluatePolicies';
import { bugResult, isFailure, resultOf, resultOfCelPolicy } from './results';

/** The effects of admitting one resource on other objects. */
export interface SideEffects {
  readonly previews: readonly MutationPreview[];
  /** Rules that failed or cannot be evaluated offline. */
  readonly results: readonly PolicyResult[];
}

/** The objects that policies generate, and the existing ones that they change, because of a resource. */
export function sideEffectsOf(
  { policies, celPolicies }: KyvernoPolicies,
  resource: Resource,
  world: KyvernoWorld,
): SideEffects {
  const guardedAt = (policy: Named, run: () => SideEffects): SideEffects =>
    guarded(`policy ${policy.name}`, run, it => ({ previews: [], results: [bugResult(policy, resource, it)] }));
  const parts = [
    ...policies.filter(hasSideEffects).map(policy => guardedAt(policy, () => ofRules(policy, resource, world))),
    ...celPolicies.map(policy => guardedAt(policy, () => ofCelPolicy(policy, resource, world))),
  ];
  return { previews: parts.flatMap(it => it.previews), results: parts.flatMap(it => it.results) };
}

/** Most policies validate alone. */
const hasSideEffects = ({ rules }: KyvernoPolicies['policies'][number]): boolean =>
  rules.some(it => it.generate !== undefined || hasTargets(it));

const isReported = (it: RuleOutcome): boolean => isFailure(it) || it.status === 'undecided';

function ofRules(policy: KyvernoPolicies['policies'][number], resource: Resource, world: KyvernoWorld): SideEffects {
  const generated = policy.rules.some(it => it.generate !== undefined)
    ? generateWithPolicy(policy, resource, world)
    : [];
  const changed = mutateExisting(policy, resource, world);
  return {
    previews: [
      ...generated.flatMap(it => it.objects.map(object => madePreview(policy, object))),
      ...changed.flatMap(it => changePreview(policy, it.target, it.value)),
    ],
    results: [...generated, ...changed]
      .filter(isReported)
      .map(it => resultOf(policy, { ...it, fields: { name: it.rule } }, resource, world)),
  };
}

function ofCelPolicy(
  policy: KyvernoPolicies['celPolicies'][number],
  resource: Resource,
  world: KyvernoWorld,
): SideEffects {
  if (policy.type === 'generating') {
    const generated = generateWithCelPolicy(policy, resource, world);
    const reported =
      generated !== undefined && isReported(generated) ? [resultOfCelPolicy(policy, generated, resource)] : [];
    return { previews: (generated?.objects ?? []).map(it => madePreview(policy, it)), results: reported };
  }
  const changed = policy.type === 'mutating' ? targetsOfCelPolicy(policy, resource, world) : [];
  return {
    previews: changed.flatMap(it => changePreview(policy, it.target, it.value)),
    results: changed.filter(isReported).map(it => resultOfCelPolicy(policy, it, resource)),
  };
}

interface Named {
  readonly name: string;
  readonly object: WorkspaceObject;
}

function madePreview({ name, object }: Named, made: JsonObject): MutationPreview {
  const metadata = record(made, 'metadata');
  return {
    policy: name,
    kind: object.kind,
    changes: [],
    affectedObject: {
      kind: text(made, 'kind'),
      name: fullName(text(metadata, 'namespace'), text(metadata, 'name')),
      made,
    },
  };
}

function changePreview(
  { name, object }: Named,
  target: Resource | undefined,
  after: JsonObject | undefined,
): readonly MutationPreview[] {
  const changes = target === undefined || after === undefined ? [] : changesBetween(target.value, after);
  if (target === undefined || changes.length === 0) return [];
  const other = { kind: target.kind, name: fullName(target.namespace, target.name) };
  return [{ policy: name, kind: object.kind, changes, affectedObject: other }];
}

const fullName = (namespace: string, name: string): string => (namespace === '' ? name : `${namespace}/${name}`);
