import { asList, asObject, asText } from '../../../base/json';
import { FieldPath } from '../../../manifest/fieldPath';
import type { ManifestObject } from '../../../manifest/manifest';
import { fieldAt } from '../../../manifest/valueAt';
import type { PolicyResult } from '../../../policy/result';
import { allObjects } from '../../../workspace/allObjects';
import type { WorkspaceObject } from '../../../workspace/object';
import type { Configuration } from '../../configuration/configuration';
import { propertyResults } from '../../diagnostics/propertyRules';
import type { EnvironmentState } from '../../state/environmentState';
import type { CodeLens, Hover } from '../annotations';
import { distinctLocations, type Location } from '../navigation/location';
import type { EvaluatedPolicy } from './evaluatedPolicy';
import { againstInWords } from './policyHover';
import { environmentsInWords, locationsOf, tallyInWords } from './policyLenses';
import { isAgainst, tallyOf, weighed } from './policyTally';

/** The maximum number of results to compute for a lens. Above that, lenses appear after the problems of all files. */
const MOST_COMPUTED = 2_000;

type RuledEnvironment = Pick<EnvironmentState, 'kube' | 'snapshot' | 'properties' | 'environment'>;

/** A rule with its location and its results in the environments that use it. */
interface EvaluatedRule extends Pick<EvaluatedPolicy, 'byEnvironment'> {
  readonly name: string;
  readonly at: FieldPath;
  readonly results: readonly PolicyResult[];
}

/** A lens over each rule of a `berth.yaml`: what it rejects in the workspace. */
export function propertyLensesOf(
  { file }: Configuration,
  environments: readonly RuledEnvironment[],
): readonly CodeLens[] {
  const object = file.documents[0]?.objects[0];
  return evaluatedRules(object, environments).flatMap(({ at, results, byEnvironment }) => {
    const tally = tallyOf(results);
    const words = tallyInWords(tally, 'all');
    if (object === undefined || words === undefined) return [];
    const opens = weighed(tally).length > 0 && { policy: { rule: at.toString() } };
    const title = `${words}${environmentsInWords(tally, byEnvironment)}`;
    return [{ span: object.spanOf(at, 'value'), title, ...opens }];
  });
}

/** The locations that the lens of a rule opens: failures, else all evaluated objects. */
export function propertyLocations(
  { file }: Configuration,
  environments: readonly RuledEnvironment[],
  rule: string | undefined,
): readonly Location[] {
  const found = evaluatedRules(file.documents[0]?.objects[0], environments).find(it => it.at.toString() === rule);
  const results = found?.results ?? [];
  const against = results.filter(isAgainst);
  return distinctLocations(locationsOf(against.length > 0 ? against : weighed(tallyOf(results))));
}

/** Hover on the name or expression of a rule: the objects that fail it. */
export function propertyHover(
  { file }: Configuration,
  environments: readonly RuledEnvironment[],
  offset: number,
): Hover | undefined {
  const object = file.documents[0]?.objects[0];
  const at = object?.pathAt(offset);
  const field = at?.path.segments.at(-1);
  if (object === undefined || at === undefined || (field !== 'name' && field !== 'expression')) return undefined;
  const rule = evaluatedRules(object, environments).find(it => `${it.at}.${field}` === at.path.toString());
  if (rule === undefined) return undefined;
  const { results, byEnvironment } = rule;
  return { span: object.spanOf(at.path, at.part), markdown: againstInWords(results, byEnvironment) };
}

function evaluatedRules(
  object: ManifestObject | undefined,
  environments: readonly RuledEnvironment[],
): readonly EvaluatedRule[] {
  if (object === undefined || environments.some(it => countUncached(it) > MOST_COMPUTED)) return [];
  const names = Object.keys(asObject(fieldAt(object.value, 'environments')) ?? {});
  const lists = [[], ...names.map(it => ['environments', it])];
  return lists.flatMap(list => {
    const own = environments.filter(it => list.length === 0 || it.environment.name === list[1]);
    return asList(fieldAt(object.value, ...list, 'rules')).flatMap((it, i): readonly EvaluatedRule[] => {
      const name = asText(fieldAt(it, 'name'));
      return name === undefined ? [] : [evaluatedRule(name, FieldPath.of(...list, 'rules', i), own)];
    });
  });
}

/** Whether a rule applies: an environment with rules of its own has no others. */
const isRuledBy = ({ environment }: RuledEnvironment, name: string): boolean =>
  environment.settings.rules.some(it => it.name === name);

function resultOf(name: string, object: WorkspaceObject, ruled: RuledEnvironment): PolicyResult | undefined {
  const { told, passed } = propertyResults(object, ruled.environment.settings.rules, ruled);
  if (!passed.has(name)) return told.find(it => it.policy === name);
  const location = { object, at: FieldPath.root, part: 'key' as const };
  return { engine: 'property', policy: name, severity: 'info', outcome: 'pass', message: '', location };
}

function evaluatedRule(name: string, at: FieldPath, environments: readonly RuledEnvironment[]): EvaluatedRule {
  const evaluated = environments
    .filter(it => isRuledBy(it, name))
    .map(ruled => ({
      name: ruled.environment.name,
      results: objectsIn(ruled).flatMap(it => resultOf(name, it, ruled) ?? []),
    }));
  const byEnvironment = evaluated.flatMap(it =>
    it.name === undefined ? [] : [{ name: it.name, results: it.results }],
  );
  return {
    name,
    at,
    results: evaluated.flatMap(it => it.results),
    byEnvironment: evaluated.length > 1 ? byEnvironment : [],
  };
}

const objectsIn = ({ snapshot }: RuledEnvironment) => allObjects(snapshot);

const countUncached = (ruled: RuledEnvironment): number =>
  objectsIn(ruled).filter(it => !ruled.properties.has(it.manifest.contentId)).length *
  ruled.environment.settings.rules.length;
