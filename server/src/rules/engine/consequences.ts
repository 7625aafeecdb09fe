import { asList, asObject, type JsonValue } from '../../base/json';
import { lazy } from '../../base/lazy';
import { firstIndexes } from '../../base/repeated';
import { createValueKey } from '../../base/valueKey';
import type { FieldPath } from '../../manifest/fieldPath';
import { valueAt } from '../../manifest/valueAt';
import type { FieldError } from '../apiserver/validate/errors';
import type { Category } from '../framework/problem';
import type { Finding, RuleFinding, RuleTarget } from '../framework/rule';

/**
 * The findings that follow from another finding: fixing that one removes them. The API server reports them all the
 * same, so they stay among the problems and are marked. Upstream reports every consequence separately.
 */
export function consequencesOf(found: readonly RuleFinding[], target: RuleTarget): ReadonlySet<RuleFinding> {
  // One finding has no other to follow from.
  if (found.length < 2) return new Set();
  const keyOf = createValueKey();
  const serverErrors = found.filter(it => it.rule.meta.category === 'apiserver').map(it => serverErrorOf(it, keyOf));
  const index = errorIndex(serverErrors, found, target);
  const refused = new Set(serverErrors.map(it => it.finding.at.toString()).filter(it => it !== ''));
  const atRefused = found.filter(
    it => DEPENDENT_CATEGORIES.has(it.rule.meta.category) && refused.has(it.finding.at.toString()),
  );
  return new Set([
    ...atRefused,
    ...explainedPlacements(found),
    ...amongServerMetadata(found),
    ...ofImpossibleAffinity(found),
    ...toldByIssue(found),
    ...serverErrors.filter(it => FOLLOWS.some(follows => follows(it, index))).map(it => it.from),
  ]);
}

/** The general finding "no node for this Pod" follows from a special finding that gives the reason. */
function explainedPlacements(found: readonly RuleFinding[]): readonly RuleFinding[] {
  const findings = found.filter(it => it.rule.meta.category === 'placement' && it.rule.meta.cost === 'placement');
  const isReason = ({ rule: { meta }, finding }: RuleFinding): boolean =>
    meta.isGeneral !== true && (finding.severity ?? meta.severity) === 'warning';
  return findings.some(isReason) ? findings.filter(it => it.rule.meta.isGeneral === true) : [];
}

/** Where no node of any cluster can match, it is no news that none of this one does. */
function ofImpossibleAffinity(found: readonly RuleFinding[]): readonly RuleFinding[] {
  const isCause = ({ rule: { meta }, finding }: RuleFinding): boolean =>
    IMPOSSIBLE_AFFINITY.has(meta.code) && (finding.severity ?? meta.severity) === 'error';
  if (!found.some(isCause)) return [];
  return found.filter(
    ({ rule: { meta } }) =>
      meta.code === 'placement/selector-matches-no-node' || meta.code === 'placement/unschedulable',
  );
}

const IMPOSSIBLE_AFFINITY: ReadonlySet<string> = new Set([
  'placement/node-affinity-contradicts',
  'placement/pod-affinity-contradicts',
]);

/** Fields that only the server writes are one problem, which lists them. */
function amongServerMetadata(found: readonly RuleFinding[]): readonly RuleFinding[] {
  if (!found.some(it => it.rule.meta.code === 'registry/server-metadata')) return [];
  return found.filter(
    it => it.rule.meta.code === 'dropped/field' && (it.finding.facts as { isOfServer?: boolean }).isOfServer === true,
  );
}

/** What the server warns of a field adds nothing to a known issue that says what comes of it. */
function toldByIssue(found: readonly RuleFinding[]): readonly RuleFinding[] {
  const places = found.flatMap(it => (TELLS_WARNING.has(it.rule.meta.code) ? [it.finding.at.toString()] : []));
  return places.length === 0
    ? []
    : found.filter(it => it.rule.meta.code === 'warning/server' && places.includes(it.finding.at.toString()));
}

const TELLS_WARNING: ReadonlySet<string> = new Set(['known-issue/gitrepo-volume-disabled']);

/** Categories whose findings add nothing at a value that the API server refuses. */
const DEPENDENT_CATEGORIES: ReadonlySet<Category> = new Set<Category>(['warning', 'reference']);

interface ServerError {
  readonly from: RuleFinding;
  readonly finding: Finding<unknown>;
  /** As the API server prints it. */
  readonly path: string;
  readonly error: FieldError | undefined;
  /** The key of the refused value; equal values have equal keys. */
  readonly value: string;
}

/** Indexes of one object's errors for the predicates, so that no predicate compares each error with all others. */
interface ErrorIndex {
  readonly target: RuleTarget;
  /** Paths of required fields. */
  readonly required: ReadonlySet<string>;
  /** The lengths of those paths. */
  readonly requiredLengths: readonly number[];
  /** The parent path of unknown fields → the names that they may have meant. */
  readonly meant: ReadonlyMap<string, ReadonlySet<string>>;
  /** Errors of a value for which the same field has an earlier error. */
  readonly repeated: ReadonlySet<ServerError>;
  /** Path → the length of the shortest list of supported values reported for it. */
  readonly shortestChoices: ReadonlyMap<string, number>;
  /** Items of volumes and resourceClaims in which the API server finds an error. */
  readonly refusedItems: ReadonlySet<string>;
  /** The index of the first item of each name in a list. */
  readonly itemsOf: (list: FieldPath) => ReadonlyMap<JsonValue | undefined, number>;
  /** Paths of errors in written fields, by what a copied error elsewhere would have in common with them. */
  readonly originals: () => ReadonlyMap<string, ReadonlySet<string>>;
  readonly isSelectorRefused: boolean;
  readonly isGeneratedNameRefused: boolean;
}

/** Whether an error follows from another error of the object. */
type Follows = (it: ServerError, index: ErrorIndex) => boolean;

const FOLLOWS: readonly Follows[] = [
  isMisspelt,
  isOfEmptyField,
  isBelowMissingField,
  isSecondOfOneValue,
  hasLongerChoices,
  isOfRefusedItem,
  isMirrored,
  isOfRefusedSelector,
  isFromRefusedGenerateName,
  isOfSelectorParts,
  isOfUncheckedRules,
];

/** The server's note that it did not run the CEL rules of an object with other errors. */
function isOfUncheckedRules({ error }: ServerError): boolean {
  return error?.detail.startsWith('some validation rules were not checked') === true;
}

function serverErrorOf(from: RuleFinding, keyOf: (value: unknown) => string): ServerError {
  const { finding } = from;
  const facts = finding.facts as { readonly error?: FieldError };
  return {
    from,
    finding,
    path: finding.fieldPath ?? finding.at.toString(),
    error: facts.error,
    value: keyOf(facts.error?.value),
  };
}

function errorIndex(
  serverErrors: readonly ServerError[],
  found: readonly RuleFinding[],
  target: RuleTarget,
): ErrorIndex {
  const required = new Set(serverErrors.filter(isRequired).map(it => it.path));
  const isSelectorRefused = serverErrors.some(
    it => it.path === 'spec.selector' && (isRequired(it) || /not auto-generated/.test(it.error?.detail ?? '')),
  );
  return {
    target,
    required,
    requiredLengths: [...new Set([...required].map(it => it.length))],
    meant: meantIn(found),
    repeated: repeatedIn(serverErrors, target),
    shortestChoices: shortestChoicesIn(serverErrors),
    refusedItems: new Set(serverErrors.flatMap(it => ITEM.exec(`${it.path}.`)?.[0] ?? [])),
    itemsOf: createItemsOf(target),
    originals: lazy(() => originalsAmong(serverErrors, target)),
    isSelectorRefused,
    isGeneratedNameRefused: serverErrors.some(it => it.path === 'metadata.generateName' && !isRequired(it)),
  };
}

function meantIn(found: readonly RuleFinding[]): ReadonlyMap<string, ReadonlySet<string>> {
  const meant = new Map<string, Set<string>>();
  for (const { finding } of found) {
    if (finding.errorType !== 'UnknownField') continue;
    const { nearest } = finding.facts as { readonly nearest: readonly string[] };
    const parent = finding.at.parent?.toString() ?? '';
    const names = meant.get(parent) ?? new Set();
    for (const name of nearest) names.add(name);
    meant.set(parent, names);
  }
  return meant;
}

/** The field is present under a misspelt name, or the one of which exactly one must be set is. */
function isMisspelt({ finding }: ServerError, { meant }: ErrorIndex): boolean {
  const chosen = meant.get(finding.at.toString());
  if (chosen !== undefined && chosen.size > 0 && finding.errorType !== 'FieldValueForbidden') return true;
  const names = finding.errorType === 'FieldValueRequired' && meant.get(finding.at.parent?.toString() ?? '');
  return names ? names.has(nameOf(finding.at)) : false;
}

/** The server tells a wrong selector of an aggregation once more as a whole. */
function isOfSelectorParts({ error }: ServerError): boolean {
  return error?.detail === 'invalid label selector.';
}

/** For an empty required field, "not a valid name" and "not found" follow from "required". */
function isOfEmptyField({ path, finding }: ServerError, { required, target }: ErrorIndex): boolean {
  return finding.errorType !== 'FieldValueRequired' && required.has(path) && isEmpty(valueAt(target.value, finding.at));
}

/** What is written below an incomplete field has mistakes of its own. */
function isBelowMissingField(it: ServerError, { required, requiredLengths, target }: ErrorIndex): boolean {
  const { path } = it;
  if (isInText(it, target)) return false;
  return requiredLengths.some(it => (path[it] === '.' || path[it] === '[') && required.has(path.slice(0, it)));
}

/** The errors of a text for which the same field has an earlier one; that it is too long is another mistake. */
function repeatedIn(serverErrors: readonly ServerError[], { value }: RuleTarget): ReadonlySet<ServerError> {
  const known = new Set<string>();
  return new Set(
    serverErrors.filter(({ path, finding, error }) => {
      if (error?.type !== 'FieldValueInvalid' || typeof error.value !== 'string') return false;
      // The error of an item may have the path of the whole map.
      if (typeof valueAt(value, finding.at) === 'object') return false;
      const key = [path, finding.at, /no more than \d+/.test(error.detail), error.value].join('\n');
      return known.size === known.add(key).size;
    }),
  );
}

/** One text can break several rules for names; the first error is enough. */
function isSecondOfOneValue(it: ServerError, { repeated }: ErrorIndex): boolean {
  return repeated.has(it);
}

function shortestChoicesIn(serverErrors: readonly ServerError[]): ReadonlyMap<string, number> {
  const fewest = new Map<string, number>();
  for (const { path, error } of serverErrors) {
    if (error?.type !== 'FieldValueNotSupported') continue;
    fewest.set(path, Math.min(error.detail.length, fewest.get(path) ?? error.detail.length));
  }
  return fewest;
}

/** Of two lists of supported values for one field, the shorter one counts. */
function hasLongerChoices({ path, error }: ServerError, { shortestChoices }: ErrorIndex): boolean {
  return error?.type === 'FieldValueNotSupported' && error.detail.length > (shortestChoices.get(path) ?? 0);
}

const DEFINING_LISTS: Readonly<Record<string, string>> = {
  volumeMounts: 'volumes',
  volumeDevices: 'volumes',
  claims: 'resourceClaims',
};

/** The item in a path that ends with a dot. */
const ITEM = /^.*?(?:volumes|resourceClaims)\[\d+\](?=\.)/;

function createItemsOf({ value }: RuleTarget): ErrorIndex['itemsOf'] {
  const known = new Map<string, ReadonlyMap<JsonValue | undefined, number>>();
  return list => {
    const key = list.toString();
    const items = known.get(key) ?? firstIndexes(asList(valueAt(value, list)).map(it => asObject(it)?.name));
    known.set(key, items);
    return items;
  };
}

/** The API server discards an item that it refuses and then does not find its name. */
function isOfRefusedItem({ finding, error }: ServerError, { refusedItems, itemsOf }: ErrorIndex): boolean {
  if (error?.type !== 'FieldValueNotFound') return false;
  const { segments } = finding.at;
  const list = segments.map(it => DEFINING_LISTS[String(it)]).find(it => it !== undefined);
  const spec = segments.findIndex(it => typeof it === 'string' && it.toLowerCase().endsWith('containers'));
  if (list === undefined || spec < 0) return false;
  const definingList = pathOf(finding.at, spec).child(list);
  const index = itemsOf(definingList).get(error.value as JsonValue | undefined);
  return index !== undefined && refusedItems.has(`${[...segments.slice(0, spec), list].join('.')}[${index}]`);
}

/** Defaulting copied the error to a field that is not written. */
function isMirrored(it: ServerError, { originals, target }: ErrorIndex): boolean {
  if (isInText(it, target)) return false;
  return copyKeysOf(it).some(key => {
    const paths = originals().get(key);
    return paths !== undefined && (paths.size > 1 || !paths.has(it.path));
  });
}

/** The paths of errors in written fields, by each key that a copy may share with them. */
function originalsAmong(
  serverErrors: readonly ServerError[],
  target: RuleTarget,
): ReadonlyMap<string, ReadonlySet<string>> {
  const originals = new Map<string, Set<string>>();
  for (const serverError of serverErrors) {
    if (!isInText(serverError, target)) continue;
    for (const key of originalKeysOf(serverError)) {
      const paths = originals.get(key) ?? new Set();
      originals.set(key, paths);
      // Two paths are enough to know that one is not the copy's own.
      if (paths.size < 2) paths.add(serverError.path);
    }
  }
  return originals;
}

/**
 * An original has the same value and name, the same value beside the copy, or the same name beside it (a request copied
 * from a limit).
 */
function copyKeysOf(it: ServerError): readonly string[] {
  const { at } = it.finding;
  const { length } = at.segments;
  return [sameValueAndName(it), sameValueBelow(it, length - 1), sameNameBelow(it, length - 2)];
}

function originalKeysOf(it: ServerError): readonly string[] {
  const { length } = it.finding.at.segments;
  const below = Array.from({ length: length + 1 }, (_, i) => sameValueBelow(it, i));
  return [sameValueAndName(it), ...below, sameNameBelow(it, length - 2)];
}

const sameValueAndName = (it: ServerError): string => [kindOf(it), nameOf(it.finding.at), it.value].join('\n');

const sameValueBelow = (it: ServerError, length: number): string =>
  [kindOf(it), length, pathOf(it.finding.at, length).toString(), it.value].join('\n\n');

const sameNameBelow = (it: ServerError, length: number): string => {
  const { at } = it.finding;
  return [kindOf(it), at.segments.length, nameOf(at), pathOf(at, length).toString()].join('\n\n\n');
};

const kindOf = ({ from, finding }: ServerError): string => `${from.rule.meta.code} ${finding.errorType}`;

/** A selector that is missing, or that a Job may not have, cannot match the template; nor does one match what is missing. */
function isOfRefusedSelector({ error }: ServerError, { isSelectorRefused, target }: ErrorIndex): boolean {
  const isWithoutTemplate = asObject(asObject(target.value.spec)?.template) === undefined;
  return (isSelectorRefused || isWithoutTemplate) && /does not match template/.test(error?.detail ?? '');
}

/** The API server derives the name from generateName, so that both are refused. */
function isFromRefusedGenerateName(it: ServerError, { isGeneratedNameRefused, target }: ErrorIndex): boolean {
  return isGeneratedNameRefused && it.path === 'metadata.name' && !isInText(it, target);
}

function isRequired({ finding }: ServerError): boolean {
  return finding.errorType === 'FieldValueRequired';
}

function isInText({ finding }: ServerError, { object: { manifest } }: RuleTarget): boolean {
  const { at } = finding;
  return (
    manifest.has(at) ||
    (finding.errorType === 'FieldValueRequired' && at.parent !== undefined && manifest.has(at.parent))
  );
}

function pathOf(at: FieldPath, length: number): FieldPath {
  return at.parent === undefined || at.segments.length <= length ? at : pathOf(at.parent, length);
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (typeof value !== 'object' || value === null) return value === undefined || value === null || value === '';
  return Object.keys(value).length === 0;
}

function nameOf(at: FieldPath): string {
  const last = at.segments.at(-1);
  return typeof last === 'object' ? last.key : String(last ?? '');
}
