import type { JsonObject } from '../../base/json';
import { push } from '../../base/multiMap';
import type { WorkspaceObject } from '../../workspace/object';
import type { PolicyAnswer, PolicyJudge } from '../policySet';
import type { AdmissionChain, AdmittedObject } from './chain';

/** The outcome of mutating and validating admission for one object. */
export interface JudgedObject extends AdmittedObject {
  /** The server's words where a validating policy refuses the object. */
  readonly denied?: string;
  /** Whether all answers of the policies are the same with the inventory as it is now. Absent: they do not depend on it. */
  readonly holds?: () => boolean;
  /** How many results validating policies had; absent: none, or they were not counted. */
  readonly results?: number;
}

/** Mutating and validating policies of one environment, for objects that are created. */
export interface Admission {
  admit(objects: readonly WorkspaceObject[]): Promise<readonly JudgedObject[]>;
}

/**
 * The policies that may refuse something judge what mutating ones leave, in the server's order; the first refusal ends the
 * request. Upstream: AllOrderedPlugins, where ValidatingAdmissionPolicy comes before the webhooks.
 */
export function judgedBy(chain: Pick<AdmissionChain, 'admit'>, sets: readonly PolicyJudge[]): Admission {
  const denying = sets.filter(it => it.denies === true);
  if (denying.length === 0) return chain;
  return {
    async admit(objects) {
      const admitted = await chain.admit(objects);
      const denied = new Map<WorkspaceObject, string>();
      const conditions = new Map<WorkspaceObject, (() => boolean)[]>();
      const counts = new Map<WorkspaceObject, number>();
      for (const set of denying) {
        const open = objects.flatMap((object, i) =>
          admitted[i]?.isRefused === false && !denied.has(object) ? [{ object, value: admitted[i].value }] : [],
        );
        const answers = open.length === 0 ? [] : await verdictsBy(set, open);
        for (const [i, { object: it }] of open.entries()) {
          const answer: Partial<PolicyAnswer> | undefined = answers[i];
          if (answer?.results) counts.set(it, (counts.get(it) ?? 0) + answer.results.length);
          const refusal = answer?.denied;
          if (refusal !== undefined) denied.set(it, refusal);
          const holds = answer?.holds;
          if (holds !== undefined) push(conditions, it, holds);
        }
      }
      return admitted.map((it, i): JudgedObject => {
        const object = objects[i] as WorkspaceObject;
        const [refusal, holding, results] = [denied.get(object), conditions.get(object), counts.get(object)];
        if (refusal === undefined && holding === undefined && results === undefined) return it;
        return {
          ...it,
          ...(results !== undefined && { results }),
          ...(refusal !== undefined && { denied: refusal }),
          ...(holding !== undefined && { holds: allOf(holding) }),
        };
      });
    },
  };
}

const verdictsBy = (
  set: PolicyJudge,
  open: readonly { readonly object: WorkspaceObject; readonly value: JsonObject }[],
) => {
  const objects = open.map(it => it.object);
  return (
    set.verdicts?.(
      objects,
      open.map(it => it.value),
    ) ?? set.evaluate(objects)
  );
};

/** Outside of `judgedBy`, as placements keep the result for long: it holds no policies. */
const allOf = (conditions: readonly (() => boolean)[]) => (): boolean => conditions.every(it => it());
