import type { JsonObject } from '../../../base/json';
import { matchesAnyWildcard } from '../../../base/wildcard';
import { record, records, text, texts } from '../../../kube/goFields';
import type { FieldPath } from '../../../manifest/fieldPath';
import { pathOfPointer } from '../context/locate';
import { rulesFor } from '../policies/autogen';
import { exceptionName, exceptionsFor } from '../policies/exceptions';
import type { KyvernoPolicy } from '../policies/policy';
import { imagesOf } from '../resource/images';
import type { Resource } from '../resource/resource';
import type { RuleOutcome } from '../results/outcome';
import type { KyvernoWorld } from '../world';
import { appliesTo, checkRule, type NamedOutcome, type RuleRun } from './evaluate';

/**
 * Evaluates `verifyImages` rules without a registry: reports missing digests and images that nothing verifies.
 * Everything that depends on a signature or an attestation is undecided. Upstream: mutateImageHandler,
 * validateImageHandler.
 */
export function verifyImagesWithPolicy(
  policy: KyvernoPolicy,
  resource: Resource,
  world: KyvernoWorld,
): readonly NamedOutcome[] {
  if (!policy.rules.some(it => it.verifyImages !== undefined) || world.operation === 'DELETE') return [];
  if (!appliesTo(policy, resource, world)) return [];
  return rulesFor(policy, resource.kind).flatMap(fields => {
    if (records(fields, 'verifyImages').length === 0) return [];
    const rule = text(fields, 'name');
    const outcome = checkRule(policy, fields, resource, world, (run, context) => {
      if (fields.imageExtractors !== undefined)
        return { status: 'undecided', message: 'where custom resources keep their images is not worked out here' };
      const verifications = records(fields, 'verifyImages').map(it => matchedBy(it, resource));
      if (verifications.every(it => it.images.length === 0)) return undefined;
      const [exception] = exceptionsFor(policy, rule, resource, run.matchContext, world, context);
      if (exception !== undefined)
        return { status: 'skip', message: `rule is skipped due to policy exceptions ${exceptionName(exception)}` };
      return worstOf(verifications.flatMap(it => it.images.map(image => verdictOf(it.fields, image, run))));
    });
    const [first] = records(fields, 'verifyImages');
    return outcome === undefined ? [] : [{ ...outcome, rule, fields: withActionOf(fields, first) }];
  });
}

/** An image of the resource, in the form that patterns are matched with. */
interface Named {
  readonly reference: string;
  readonly hasDigest: boolean;
  readonly at: FieldPath;
}

interface Verification {
  readonly fields: JsonObject;
  readonly images: readonly Named[];
}

/** Upstream: GetMatchingImages, matchReferences. */
function matchedBy(fields: JsonObject, { value }: Resource): Verification {
  const wanted = [...texts(fields, 'imageReferences'), ...[text(fields, 'image')].filter(it => it !== '')];
  const all = Object.values(imagesOf(value)).flatMap(list => Object.values(list as JsonObject) as JsonObject[]);
  const images = all
    .map(it => ({
      reference: text(it, 'reference'),
      hasDigest: text(it, 'digest') !== '',
      at: pathOfPointer(text(it, 'jsonPointer'), value),
    }))
    .filter(it => matchesAnyWildcard(wanted, it.reference))
    .filter(it => !matchesAnyWildcard(texts(fields, 'skipImageReferences'), it.reference));
  return { fields, images };
}

/** `verifyDigest`, `required` and `mutateDigest` default to true. */
function verdictOf(fields: JsonObject, { reference, hasDigest, at }: Named, { rule }: RuleRun): RuleOutcome {
  const isVerified =
    [...records(fields, 'attestors'), ...records(fields, 'attestations')].length > 0 ||
    [text(fields, 'key'), text(fields, 'issuer')].some(it => it !== '');
  const isPinned = hasDigest || fields.mutateDigest !== false;
  if (!isPinned && fields.verifyDigest !== false)
    return { status: 'fail', message: `missing digest for ${reference}`, at };
  if (isVerified)
    return { status: 'undecided', message: `signatures and attestations of ${reference} take its registry`, at };
  if (!hasDigest && fields.mutateDigest !== false)
    return { status: 'undecided', message: `the digest of ${reference} is asked of its registry`, at };
  if (fields.required !== false) return { status: 'fail', message: `unverified image ${reference}`, at };
  return { status: 'pass', message: `${text(rule, 'name')}: image verified` };
}

const order = ['fail', 'undecided', 'pass'] as const;

function worstOf(verdicts: readonly RuleOutcome[]): RuleOutcome | undefined {
  return order.flatMap(status => verdicts.find(it => it.status === status) ?? [])[0];
}

/** The action is that of the first entry. Upstream: EngineResponse.GetValidationFailureAction. */
function withActionOf(fields: JsonObject, first: JsonObject | undefined): JsonObject {
  const failureAction = text(first, 'failureAction');
  return failureAction === '' ? fields : { ...fields, validate: { ...record(fields, 'validate'), failureAction } };
}
