import type { FieldPath } from '../manifest/fieldPath';
import type { FieldError } from './apiserver/validate/errors';
import type { Category } from './problem';
import type { Finding, Target } from './rule';
import type { RuleFinding } from './run';
import { asList, asObject, valueAt } from './values';

/**
 * The findings that only follow from another one: mending that one takes them away. The server tells of them all the
 * same, so they stay among the problems and are marked. Upstream reports every consequence on its own.
 */
export function followersOf(found: readonly RuleFinding[], target: Target): ReadonlySet<RuleFinding> {
  const voices = found.filter(it => it.rule.meta.category === 'apiserver').map(it => tellerOf(it));
  const world: World = {
    voices,
    unknown: found.filter(it => it.finding.errorType === 'UnknownField').map(it => it.finding),
    target,
  };
  const refused = new Set(voices.map(it => it.finding.at.toString()).filter(it => it !== ''));
  const atRefused = found.filter(it => ECHOES.has(it.rule.meta.category) && refused.has(it.finding.at.toString()));
  return new Set([
    ...atRefused,
    ...explainedPlacements(found),
    ...voices.filter((it, i) => FOLLOWS.some(follows => follows(it, world, voices.slice(0, i)))).map(it => it.from),
  ]);
}

/** That a Pod finds no node goes without saying where a special rule tells why it cannot. */
function explainedPlacements(found: readonly RuleFinding[]): readonly RuleFinding[] {
  const asked = found.filter(it => it.rule.meta.category === 'placement' && it.rule.meta.cost === 'placement');
  const isReason = ({ rule: { meta }, finding }: RuleFinding): boolean =>
    meta.isGeneral !== true && (finding.severity ?? meta.severity) === 'warning';
  return asked.some(isReason) ? asked.filter(it => it.rule.meta.isGeneral === true) : [];
}

/** Voices that have nothing to add about a value that the server refuses. */
const ECHOES: ReadonlySet<Category> = new Set<Category>(['warning', 'reference']);

interface Teller {
  readonly from: RuleFinding;
  readonly finding: Finding<unknown>;
  /** As the server prints it. */
  readonly path: string;
  readonly error: FieldError | undefined;
}

interface World {
  readonly voices: readonly Teller[];
  readonly unknown: readonly Finding<unknown>[];
  readonly target: Target;
}

/** Whether an error follows from another of the object; `before` are those that were told earlier. */
type Follows = (it: Teller, world: World, before: readonly Teller[]) => boolean;

const FOLLOWS: readonly Follows[] = [
  isMisspelt,
  isOfEmptyField,
  isBelowMissingField,
  isSecondOfOneValue,
  isOfFewerWords,
  isOfRefusedItem,
  isMirrored,
  isOfRefusedSelector,
  isMadeOfRefusedName,
];

function tellerOf(from: RuleFinding): Teller {
  const { finding } = from;
  const facts = finding.facts as { readonly error?: FieldError };
  return { from, finding, path: finding.fieldPath ?? finding.at.toString(), error: facts.error };
}

/** The field is there under a misspelt name, or the object's one choice is. */
function isMisspelt({ finding }: Teller, { unknown }: World): boolean {
  const parent = finding.at.parent?.toString() ?? '';
  return unknown.some(it => {
    const { nearest } = it.facts as { readonly nearest: readonly string[] };
    const around = it.at.parent?.toString() ?? '';
    const isChoice =
      around === finding.at.toString() && nearest.length > 0 && finding.errorType !== 'FieldValueForbidden';
    return (
      isChoice ||
      (finding.errorType === 'FieldValueRequired' && around === parent && nearest.includes(nameOf(finding.at)))
    );
  });
}

/** An empty field is required: that it is no valid name and that nothing has it goes without saying. */
function isOfEmptyField({ path, finding }: Teller, { voices }: World): boolean {
  return finding.errorType !== 'FieldValueRequired' && voices.some(it => isRequired(it) && it.path === path);
}

function isBelowMissingField({ path }: Teller, { voices }: World): boolean {
  return voices.some(it => isRequired(it) && (path.startsWith(`${it.path}.`) || path.startsWith(`${it.path}[`)));
}

/** One word can break several rules of a name; the first says enough. */
function isSecondOfOneValue({ path, error }: Teller, _world: World, before: readonly Teller[]): boolean {
  if (error?.type !== 'FieldValueInvalid' || typeof error.value !== 'string') return false;
  return before.some(it => it.path === path && it.error?.type === error.type && it.error.value === error.value);
}

/** Of two lists of words that a field may hold, the shorter one counts. */
function isOfFewerWords({ path, error, from }: Teller, { voices }: World): boolean {
  if (error?.type !== 'FieldValueNotSupported') return false;
  return voices.some(
    it =>
      it.from !== from &&
      it.path === path &&
      it.error?.type === error.type &&
      it.error.detail.length < error.detail.length,
  );
}

const HOMES: Readonly<Record<string, string>> = {
  volumeMounts: 'volumes',
  volumeDevices: 'volumes',
  claims: 'resourceClaims',
};

/** The server forgets an item that it refuses, and then does not find its name. */
function isOfRefusedItem({ finding, error }: Teller, { voices, target }: World): boolean {
  if (error?.type !== 'FieldValueNotFound') return false;
  const { segments } = finding.at;
  const list = segments.map(it => HOMES[String(it)]).find(it => it !== undefined);
  const spec = segments.findIndex(it => typeof it === 'string' && it.toLowerCase().endsWith('containers'));
  if (list === undefined || spec < 0) return false;
  const prefix = [...segments.slice(0, spec), list].join('.');
  const home = asList(valueAt(target.value, pathOf(finding.at, spec).child(list)));
  const index = home.findIndex(it => asObject(it)?.name === error.value);
  return index >= 0 && voices.some(it => `${it.path}.`.startsWith(`${prefix}[${index}].`));
}

/** Defaulting copied the mistake to a field that nobody wrote. */
function isMirrored(it: Teller, { voices, target }: World): boolean {
  if (isInText(it, target)) return false;
  return voices.some(
    other =>
      other !== it &&
      other.from.rule === it.from.rule &&
      other.finding.errorType === it.finding.errorType &&
      other.path !== it.path &&
      isCopy(it, other) &&
      isInText(other, target),
  );
}

/** The same value under the same name or beside it; or the same name beside it, such as a request made of a limit. */
function isCopy(it: Teller, other: Teller): boolean {
  const [at, otherAt] = [it.finding.at, other.finding.at];
  const isNamesake = nameOf(at) === nameOf(otherAt);
  const isBeside = (n: number): boolean => pathOf(at, n).toString() === pathOf(otherAt, n).toString();
  const isSameValue = JSON.stringify(other.error?.value) === JSON.stringify(it.error?.value);
  return isSameValue
    ? isNamesake || isBeside(at.segments.length - 1)
    : isNamesake && at.segments.length === otherAt.segments.length && isBeside(at.segments.length - 2);
}

/** A selector that is missing, or that a Job may not have, cannot match the template. */
function isOfRefusedSelector({ error }: Teller, { voices }: World): boolean {
  return (
    /does not match template/.test(error?.detail ?? '') &&
    voices.some(
      it => it.path === 'spec.selector' && (isRequired(it) || /not auto-generated/.test(it.error?.detail ?? '')),
    )
  );
}

/** The server makes the name of a generateName, so that both are refused. */
function isMadeOfRefusedName(it: Teller, { voices, target }: World): boolean {
  if (it.path !== 'metadata.name' || isInText(it, target)) return false;
  return voices.some(other => other.path === 'metadata.generateName' && !isRequired(other));
}

function isRequired({ finding }: Teller): boolean {
  return finding.errorType === 'FieldValueRequired';
}

function isInText({ finding }: Teller, { object: { manifest } }: Target): boolean {
  const { at } = finding;
  return (
    manifest.has(at) ||
    (finding.errorType === 'FieldValueRequired' && at.parent !== undefined && manifest.has(at.parent))
  );
}

function pathOf(at: FieldPath, length: number): FieldPath {
  return at.segments.length <= length ? at : pathOf(at.parent ?? at, length);
}

function nameOf(at: FieldPath): string {
  const last = at.segments.at(-1);
  return typeof last === 'object' ? last.key : String(last ?? '');
}
