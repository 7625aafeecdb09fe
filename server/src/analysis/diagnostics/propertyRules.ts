import { evaluateProperties, type PropertyResults } from '../../policy/property/property';
import { policyProblem } from '../../policy/result';
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
    .flatMap(it => propertyResults(it, rules, { kube, properties }).told)
    .flatMap(it => policyProblem(it) ?? []);
}

/** What the rules of `berth.yaml` find in an object, cached. */
export function propertyResults(
  object: WorkspaceObject,
  rules: Settings['rules'],
  { kube, properties }: Judged,
): PropertyResults {
  const known = properties.get(object.manifest.contentId);
  if (known !== undefined) {
    const told = known.told.map(it => ({ ...it, location: { ...it.location, object } }));
    return { ...known, told };
  }
  const found = evaluateProperties(rules, object, kube);
  properties.set(object.manifest.contentId, found);
  return found;
}
