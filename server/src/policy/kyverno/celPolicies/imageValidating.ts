import type { JsonObject } from '../../../base/json';
import { printed } from '../../../base/printed';
import { matchesWildcard } from '../../../base/wildcard';
import { record, records, text } from '../../../kube/goFields';
import { jsonOf } from '../cel/json';
import { pathOfPointer } from '../context/locate';
import { imageOf, imagesOf } from '../resource/images';
import type { Resource } from '../resource/resource';
import { Indeterminate, KyvernoError } from '../results/failures';
import { attempt, type RuleOutcome } from '../results/outcome';
import type { KyvernoWorld } from '../world';
import { isForJson } from './celPolicy';
import { selectsResource } from './constraints';
import { evaluated, openScope, type PolicyScope } from './scope';
import type { CelPolicy } from './types';

/** An image with its list and the JSON pointer of its field. */
interface Found {
  readonly list: string;
  readonly image: string;
  readonly pointer: string;
}

/**
 * Evaluates an ImageValidatingPolicy without a registry: which resources and images it selects, and which images lack
 * a required digest. Everything that depends on signatures is undecided. Upstream: evaluator's
 * compiledPolicy.Evaluate.
 */
export function validateImagesWithCelPolicy(
  policy: CelPolicy,
  resource: Resource,
  world: KyvernoWorld,
): RuleOutcome | undefined {
  if (isForJson(policy) || !selectsResource(policy, resource, world)) return undefined;
  const attempted = attempt('failed to evaluate policy', () => ({ outcome: evaluate(policy, resource, world) }));
  return 'value' in attempted ? attempted.value.outcome : attempted.outcome;
}

function evaluate(policy: CelPolicy, resource: Resource, world: KyvernoWorld): RuleOutcome | undefined {
  const opened = openScope(policy, resource, world);
  if ('outcome' in opened) return opened.outcome;
  const found = imagesIn(policy, resource, world, opened.scope).filter(it => isWanted(policy, it.image, world));
  const configuration = record(policy.spec, 'validationConfigurations');
  const bare = found.find(it => imageOf(it.image)?.digest === '');
  if (bare !== undefined && configuration?.verifyDigest !== false && configuration?.mutateDigest === false) {
    const at = pathOfPointer(bare.pointer, resource.value);
    return { status: 'fail', message: `image ${bare.image} does not have a digest`, at };
  }
  if (found.length === 0) return { status: 'pass', message: 'the policy is about no image of the object' };
  throw new Indeterminate(`what the registry of ${found[0]?.image} holds is not asked`);
}

/** Images of Pods and Pod controllers, and those that the policy extracts itself. Upstream: ExtractImages. */
function imagesIn(
  { spec }: CelPolicy,
  { value }: Resource,
  world: KyvernoWorld,
  { variables }: PolicyScope,
): readonly Found[] {
  const own = records(spec, 'images').flatMap((it): readonly Found[] => {
    const images = jsonOf(evaluated(text(it, 'expression'), variables, world));
    if (!Array.isArray(images)) throw new KyvernoError('the expression of an image extractor has to give a list');
    return images.map(image => ({ list: text(it, 'name'), image: printed(image), pointer: '' }));
  });
  const written = Object.entries(imagesOf(value)).flatMap(([list, images]) =>
    (Object.values(images as JsonObject) as JsonObject[]).map(it => {
      const pointer = text(it, 'jsonPointer');
      return { list, image: textAt(value, pointer), pointer };
    }),
  );
  return [...own, ...written];
}

function textAt(value: JsonObject, pointer: string): string {
  const found = pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((it, step) => (it as Readonly<Record<string, unknown>> | undefined)?.[step], value);
  return typeof found === 'string' ? found : '';
}

/** Without references every image matches. Upstream: matching.MatchImage. */
function isWanted({ spec }: CelPolicy, image: string, world: KyvernoWorld): boolean {
  const references = records(spec, 'matchImageReferences');
  return (
    references.length === 0 ||
    references.some(it => {
      const expression = text(it, 'expression');
      if (expression === '') return matchesWildcard(text(it, 'glob'), image);
      return evaluated(expression, { ref: image, image }, world) === true;
    })
  );
}
