import { evaluateProperties } from '../policy/property/property';
import { type PolicyResult, policyProblem } from '../policy/result';
import type { Problem } from '../rules/problem';
import type { WorkspaceObject } from '../workspace/workspace';
import type { Settings } from './analysis';
import type { Scene } from './moment';

/** Results of policies that look at one object alone, by its `contentId`. Valid for one `Kube` and one set of rules. */
export type PropertyCache = WeakMap<object, readonly PolicyResult[]>;

/** What the policies that users bring say of the objects of one file. */
export function policyProblems(
  { kube, snapshot, properties }: Pick<Scene, 'kube' | 'snapshot' | 'properties'>,
  { rules }: Pick<Settings, 'rules'>,
  uri: string,
): readonly Problem[] {
  if (rules.length === 0) return [];
  const resultsOf = (object: WorkspaceObject): readonly PolicyResult[] => {
    const known = properties.get(object.manifest.contentId);
    if (known !== undefined) return known.map(it => ({ ...it, place: { ...it.place, object } }));
    const found = evaluateProperties(rules, object, kube);
    properties.set(object.manifest.contentId, found);
    return found;
  };
  return snapshot
    .objectsIn(uri)
    .flatMap(resultsOf)
    .flatMap(it => policyProblem(it) ?? []);
}
