import { asList, asObject, asText } from '../../../base/json';
import { FieldPath } from '../../../manifest/fieldPath';
import type { ManifestObject } from '../../../manifest/manifest';
import { fieldAt } from '../../../manifest/valueAt';
import type { PolicyResult } from '../../../policy/result';
import type { Configuration } from '../../configuration/configuration';
import { propertyResults } from '../../diagnostics/propertyRules';
import type { EnvironmentState } from '../../state/environmentState';
import type { CodeLens, Hover } from '../annotations';
import { distinctLocations, type Location } from '../navigation/location';
import type { EvaluatedPolicy } from './evaluatedPolicy';
import { againstInWords } from './policyHover';
import { environmentsInWords, locationsOf, tallyInWords } from './policyLenses';
import { isAgainst, tallyOf, weighed } from './policyTally';

/** So many answers may be found for a lens; more are waited for until the problems of all files are known. */
const MOST_AT_ONCE = 2_000;

type RuledScene = Pick<EnvironmentState, 'kube' | 'snapshot' | 'properties' | 'environment'>;

/** A rule as it is written, with what it says in the environments that it is for. */
interface AskedRule extends Pick<EvaluatedPolicy, 'byEnvironment'> {
  readonly name: string;
  readonly at: FieldPath;
  readonly results: readonly PolicyResult[];
}

/** One lens over each rule of a `berth.yaml`: what it rejects of the workspace. */
export function propertyLensesOf({ file }: Configuration, scenes: readonly RuledScene[]): readonly CodeLens[] {
  const object = file.documents[0]?.objects[0];
  return askedRules(object, scenes).flatMap(({ at, results, byEnvironment }) => {
    const tally = tallyOf(results);
    const words = tallyInWords(tally, 'all');
    if (object === undefined || words === undefined) return [];
    const opens = weighed(tally).length > 0 && { policy: { rule: at.toString() } };
    const title = `${words}${environmentsInWords(tally, byEnvironment)}`;
    return [{ span: object.spanOf(at, 'value'), title, ...opens }];
  });
}

/** What the lens of a rule opens: what it is against, else all it weighed. */
export function propertyLocations(
  { file }: Configuration,
  scenes: readonly RuledScene[],
  rule: string | undefined,
): readonly Location[] {
  const asked = askedRules(file.documents[0]?.objects[0], scenes).find(it => it.at.toString() === rule);
  const results = asked?.results ?? [];
  const against = results.filter(isAgainst);
  return distinctLocations(locationsOf(against.length > 0 ? against : weighed(tallyOf(results))));
}

/** At the name or expression of a rule: which objects are against it. */
export function propertyHover(
  { file }: Configuration,
  scenes: readonly RuledScene[],
  offset: number,
): Hover | undefined {
  const object = file.documents[0]?.objects[0];
  const at = object?.pathAt(offset);
  const field = at?.path.segments.at(-1);
  if (object === undefined || at === undefined || (field !== 'name' && field !== 'expression')) return undefined;
  const rule = askedRules(object, scenes).find(it => `${it.at}.${field}` === at.path.toString());
  if (rule === undefined) return undefined;
  const { results, byEnvironment } = rule;
  return { span: object.spanOf(at.path, at.part), markdown: againstInWords(results, byEnvironment) };
}

function askedRules(object: ManifestObject | undefined, scenes: readonly RuledScene[]): readonly AskedRule[] {
  if (object === undefined || scenes.some(it => countUnknown(it) > MOST_AT_ONCE)) return [];
  const environments = Object.keys(asObject(fieldAt(object.value, 'environments')) ?? {});
  const lists = [[], ...environments.map(it => ['environments', it])];
  return lists.flatMap(list => {
    const own = scenes.filter(it => list.length === 0 || it.environment.name === list[1]);
    return asList(fieldAt(object.value, ...list, 'rules')).flatMap((it, i): readonly AskedRule[] => {
      const name = asText(fieldAt(it, 'name'));
      return name === undefined ? [] : [askedRule(name, FieldPath.of(...list, 'rules', i), own)];
    });
  });
}

/** An environment with rules of its own has no others. */
const isRuledBy = ({ environment }: RuledScene, name: string): boolean =>
  environment.settings.rules.some(it => it.name === name);

function askedRule(name: string, at: FieldPath, scenes: readonly RuledScene[]): AskedRule {
  const told = scenes
    .filter(it => isRuledBy(it, name))
    .map(scene => ({
      name: scene.environment.name,
      results: objectsIn(scene)
        .flatMap(it => propertyResults(it, scene.environment.settings.rules, scene))
        .filter(it => it.policy === name),
    }));
  const byEnvironment = told.flatMap(it => (it.name === undefined ? [] : [{ name: it.name, results: it.results }]));
  return { name, at, results: told.flatMap(it => it.results), byEnvironment: told.length > 1 ? byEnvironment : [] };
}

const objectsIn = ({ snapshot }: RuledScene) => [...snapshot.files.keys()].flatMap(uri => snapshot.objectsIn(uri));

const countUnknown = (scene: RuledScene): number =>
  objectsIn(scene).filter(it => !scene.properties.has(it.manifest.contentId)).length *
  scene.environment.settings.rules.length;
