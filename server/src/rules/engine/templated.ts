import { isObject, type JsonObject, type JsonValue } from '../../base/json';
import type { FieldPath, Segment } from '../../manifest/fieldPath';
import { isPlaceholder } from '../../manifest/templates';
import { valueAt } from '../../manifest/valueAt';
import { effectsOn } from '../../workspace/kustomizeEffects';
import { isReplacedEverywhere } from '../../workspace/kustomizeReplaced';
import type { ReportedError } from '../apiserver/answer';
import type { FieldError } from '../apiserver/validate/errors';
import type { Finding, RuleContext, RuleTarget } from '../framework/rule';

/**
 * Whether a finding is about a value that another tool sets before the API server sees the object: a placeholder, or a
 * field that the kustomizations that build the object may add.
 */
export function isTemplated(finding: Finding<unknown>, target: RuleTarget, { snapshot }: RuleContext): boolean {
  const { at, errorType } = finding;
  const last = at.segments.at(-1);
  const texts = textsAt(at, target.value, refusedIn(finding));
  if (texts.some(isPlaceholder)) return true;
  const { kustomizations } = snapshot.roles;
  if (kustomizations.namedBy(target.object.manifest.uri).length === 0) return false;
  const [isVariable, isLabelled] = [texts.some(hasVariable), isOfLabels(at)];
  const isRequired = errorType === 'FieldValueRequired';
  const isNamespaceName = isAboutNameOfNamespace(finding, target);
  // Hundreds of overlays may build an object, and few findings depend on what they do.
  if (!isVariable && !isLabelled && !isRequired && !isNamespaceName) return false;
  const effects = effectsOn(target.object, kustomizations, snapshot.files);
  if (effects.has('variables') && isVariable) return true;
  if (effects.has('labels') && isLabelled) return true;
  if (effects.has('namespace') && isNamespaceName) return true;
  return isRequired && (effects.has('fields') || (effects.has('namespace') && last === 'namespace'));
}

/** Whether an error of the API server is about a placeholder, in whose place another tool writes a value. */
export const isOfPlaceholder = ({ at, value }: FieldError, object: JsonObject): boolean =>
  textsAt(at, object, value).some(isPlaceholder);

/** The texts that a finding may be about: the value, the one that is refused, and the name of the field. */
function textsAt(at: FieldPath, object: JsonObject, refused: JsonValue | undefined): readonly string[] {
  const last = at.segments.at(-1);
  return [...textsOf(valueAt(object, at)), ...textsOf(refused), ...(last === undefined ? [] : [textOf(last)])];
}

/** Whether a finding is about a value that each kustomization which builds the object replaces. */
export function isReplaced(
  { at, part, errorType }: Finding<unknown>,
  { object }: RuleTarget,
  { snapshot }: RuleContext,
): boolean {
  // What is wrong about a field that is there, whatever its value is, stays wrong.
  if (part === 'key' || errorType === 'FieldValueForbidden' || errorType === 'FieldValueRequired') return false;
  return isReplacedEverywhere(object, at, snapshot);
}

/**
 * Whether a finding is about the name of a Namespace, which kustomize replaces by the field `namespace`. The API server makes
 * a label of the name. Upstream: sigs.k8s.io/kustomize/api/internal/konfig/builtinpluginconsts.namespaceFieldSpecs
 */
function isAboutNameOfNamespace(finding: Finding<unknown>, { object }: RuleTarget): boolean {
  if (object.kind !== 'Namespace' || object.name === undefined) return false;
  const isName = finding.at.toString() === 'metadata.name';
  return isName || refusedIn(finding) === object.name;
}

/** The value that the API server refuses, which it may have computed from the written one. */
function refusedIn({ facts }: Finding<unknown>): JsonValue | undefined {
  const { error } = (facts ?? {}) as Partial<ReportedError>;
  return error?.value as JsonValue | undefined;
}

/** Whether a text has a variable of a kustomization, `$(NAME)`: a beginning is one unless a space or nothing comes first. */
const hasVariable = (text: string): boolean => text.split(/\s/).some(word => VARIABLE.test(upToLastClose(word)));
const VARIABLE = /\$\([^)]/;
const upToLastClose = (word: string): string => word.slice(0, Math.max(0, word.lastIndexOf(')')));

/** The text itself, or the texts of a map, since some errors are about the whole map. */
function textsOf(value: JsonValue | undefined): readonly string[] {
  const all = isObject(value) ? Object.values(value) : [value];
  return all.filter(it => typeof it === 'string');
}

/** Selectors, and the labels of Pods that they must match. */
function isOfLabels({ segments }: FieldPath): boolean {
  const names = segments.map(textOf);
  const selector = names.includes('selector') || names.includes('labelSelector') || names.includes('matchLabels');
  return selector || names.includes('labels') || (names.at(-1) === 'spec' && names.length === 1);
}

const textOf = (segment: Segment): string => String(typeof segment === 'object' ? segment.key : segment);
