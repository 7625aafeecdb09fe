import { evaluateProperties } from '../../policy/property/property';
import { type PolicyResult, policyProblem } from '../../policy/result';
import type { Problem } from '../../rules/framework/problem';
import type { WorkspaceObject } from '../../workspace/object';
import type { Settings } from '../configuration/settings';
import type { EnvironmentState } from '../state/environmentState';

type Judged = Pick<EnvironmentState, 'kube' | 'properties'>;

/** Problems that the rules of `berth.yaml` find in the objects of one file. */
export function policyProblems(
  { kube, snapshot, properties }: Judged & Pick<EnvironmentState, 'snapshot'>,
  { rules }: Pick<Settings, 'rules'>,
  uri: string,
): readonly Problem[] {
  if (rules.length === 0) return [];
  return snapshot
    .objectsIn(uri)
    .flatMap(it => propertyResults(it, rules, { kube, properties }))
    .flatMap(it => policyProblem(it) ?? []);
}

/** Results of the rules of `berth.yaml` about an object, cached. */
export function propertyResults(
  object: WorkspaceObject,
  rules: Settings['rules'],
  { kube, properties }: Judged,
): readonly PolicyResult[] {
  const known = properties.get(object.manifest.contentId);
  if (known !== undefined) return known.map(it => ({ ...it, location: { ...it.location, object } }));
  const found = evaluateProperties(rules, object, kube);
  properties.set(object.manifest.contentId, found);
  return found;
}
