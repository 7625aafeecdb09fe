import { asText, type JsonObject } from '../../base/json';
import type { PolicyVerdict } from '../../cluster/admission/mutationAdmission';
import type { Kube } from '../../kube/kube';
import { fieldAt } from '../../manifest/valueAt';
import { errorText } from '../../rules/apiserver/messages/sentences';
import { answerOf } from '../../rules/apiserver/validate/engine';

/**
 * A verdict of policies, or the server's refusal where the changed object is no longer valid. An object that was invalid
 * before keeps its verdict, because it is placed without policies, too. Upstream: rest.BeforeCreate, apierrors.NewInvalid.
 */
export function validVerdict(
  asked: JsonObject,
  verdict: PolicyVerdict | undefined,
  kube: Kube,
): PolicyVerdict | undefined {
  if (verdict === undefined || 'rejected' in verdict) return verdict;
  const made = verdict.object as JsonObject;
  const errors = errorsOf(made, kube);
  if (errors.length === 0 || errorsOf(asked, kube).length > 0) return verdict;
  return { rejected: `${kindText(made)} "${nameOf(made)}" is invalid: ${aggregated(errors)}` };
}

function errorsOf(object: JsonObject, kube: Kube): readonly string[] {
  const kind = kube.kindOf(asText(object.apiVersion) ?? '', asText(object.kind) ?? '');
  // The server completes a generated name before it validates it.
  const name = nameOf(object).replace(/-$/, '-12345');
  const named = { ...object, metadata: { ...(object.metadata as JsonObject | undefined), name } };
  return answerOf(named, kind, kube)?.errors.map(errorText) ?? [];
}

const nameOf = ({ metadata }: JsonObject): string =>
  asText(fieldAt(metadata, 'name')) ?? asText(fieldAt(metadata, 'generateName')) ?? '';

/** Upstream: schema.GroupKind.String. */
function kindText({ apiVersion, kind }: JsonObject): string {
  const [group, version] = (asText(apiVersion) ?? '').split('/', 2);
  return version === undefined ? (asText(kind) ?? '') : `${asText(kind)}.${group}`;
}

/** Upstream: utilerrors.Aggregate.Error, which omits duplicates. */
function aggregated(errors: readonly string[]): string {
  const distinct = [...new Set(errors)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`;
}
