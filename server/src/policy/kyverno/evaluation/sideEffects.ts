import type { JsonObject } from '../../../base/json';
import { record, text } from '../../../kube/goFields';
import type { WorkspaceObject } from '../../../workspace/object';
import { changesBetween, type MutationPreview } from '../../mutation';
import type { PolicyResult } from '../../result';
import { generateWithCelPolicy } from '../celPolicies/generating';
import { targetsOfCelPolicy } from '../celPolicies/mutating';
import { generateWithPolicy } from '../engine/generate';
import { mutateExisting } from '../mutate/mutateExisting';
import type { Resource } from '../resource/resource';
import { guarded, type RuleOutcome } from '../results/outcome';
import type { KyvernoWorld } from '../world';
import type { KyvernoPolicies } from './evaluatePolicies';
import { brokenResult, isFailure, resultOf, resultOfCelPolicy } from './results';

/** What becomes of other objects because one comes. */
export interface Others {
  readonly previews: readonly MutationPreview[];
  /** Rules that failed, or cannot be worked out here. */
  readonly results: readonly PolicyResult[];
}

/** Objects that policies generate, and existing ones that they change, because of an object. */
export function othersOf({ policies, celPolicies }: KyvernoPolicies, subject: Resource, world: KyvernoWorld): Others {
  const guardedAt = (policy: Named, others: () => Others): Others =>
    guarded(`policy ${policy.name}`, others, it => ({ previews: [], results: [brokenResult(policy, subject, it)] }));
  const parts = [
    ...policies.map(policy => guardedAt(policy, () => ofRules(policy, subject, world))),
    ...celPolicies.map(policy => guardedAt(policy, () => ofCelPolicy(policy, subject, world))),
  ];
  return { previews: parts.flatMap(it => it.previews), results: parts.flatMap(it => it.results) };
}

const isTold = (it: RuleOutcome): boolean => isFailure(it) || it.status === 'undecided';

function ofRules(policy: KyvernoPolicies['policies'][number], subject: Resource, world: KyvernoWorld): Others {
  const generated = policy.rules.some(it => it.generate !== undefined)
    ? generateWithPolicy(policy, subject, world)
    : [];
  const changed = mutateExisting(policy, subject, world);
  return {
    previews: [
      ...generated.flatMap(it => it.objects.map(object => madePreview(policy, object))),
      ...changed.flatMap(it => changePreview(policy, it.target, it.value)),
    ],
    results: [...generated, ...changed]
      .filter(isTold)
      .map(it => resultOf(policy, { ...it, fields: { name: it.rule } }, subject, world)),
  };
}

function ofCelPolicy(policy: KyvernoPolicies['celPolicies'][number], subject: Resource, world: KyvernoWorld): Others {
  if (policy.type === 'generating') {
    const generated = generateWithCelPolicy(policy, subject, world);
    const told = generated !== undefined && isTold(generated) ? [resultOfCelPolicy(policy, generated, subject)] : [];
    return { previews: (generated?.objects ?? []).map(it => madePreview(policy, it)), results: told };
  }
  const changed = policy.type === 'mutating' ? targetsOfCelPolicy(policy, subject, world) : [];
  return {
    previews: changed.flatMap(it => changePreview(policy, it.target, it.value)),
    results: changed.filter(isTold).map(it => resultOfCelPolicy(policy, it, subject)),
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
    other: { kind: text(made, 'kind'), name: fullName(text(metadata, 'namespace'), text(metadata, 'name')), made },
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
  return [{ policy: name, kind: object.kind, changes, other }];
}

const fullName = (namespace: string, name: string): string => (namespace === '' ? name : `${namespace}/${name}`);
