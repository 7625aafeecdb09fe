import { lazy } from '../../base/lazy';
import { grouped } from '../../base/multiMap';
import { createSharedTexts, type SharedTexts } from '../../base/sharedTexts';
import { shortened } from '../../base/shortened';
import { runToEnd, type Steps } from '../../base/steps';
import type { Kube } from '../../kube/kube';
import type { ManifestFile } from '../../manifest/manifest';
import { spanWithin } from '../../manifest/spanWithin';
import type { Span } from '../../text/span';
import type { FileRole } from '../../workspace/fileRoles';
import type { WorkspaceObject } from '../../workspace/object';
import { isAtSamePosition } from '../../workspace/objectChanges';
import { withoutMendedByLimits } from '../apiserver/limitRanged';
import { editTools } from '../edits/edit';
import { CannotEdit } from '../edits/editText';
import { withFields, withLazyFixes, withoutFixes } from '../framework/fixes';
import { identityOf } from '../framework/identity';
import { messageFields } from '../framework/layers';
import { allOverlays, exactKeyOf, namelessKeyOf, sameKeyOf } from '../framework/overlays';
import type { Category, Fix, Problem, RelatedLocation, Severity } from '../framework/problem';
import {
  type AnyRule,
  type EditTools,
  type Finding,
  MOST_OF_ONE_OBJECT,
  MOST_RELATED,
  type Preset,
  type RuleContext,
  type RuleFinding,
  type RuleMeta,
  type RuleTarget,
} from '../framework/rule';
import { EXPLORATION_FINDING } from '../metas/exploration';
import { podSpecOf } from '../reading/podSpec';
import { allRules } from './allRules';
import { consequencesOf } from './consequences';
import { unknownCode } from './explain';
import { isWithoutNames } from './shareable';
import { suppress, withIgnoreFix } from './suppress';
import { documentProblems, duplicateKeyProblems, syntaxProblems } from './syntax';
import { isReplaced, isTemplated } from './templated';
import { textWithoutNames } from './textWithoutNames';
import { inBoth, possibleTargets } from './unreadValues';

/**
 * Findings by `contentId` of the rules that look at one whole object alone, and by texts without names.
 * Valid for one `Kube` and one list of rules; a change of either needs a new cache, or `cacheForSchemas`. Severities are not
 * part of it.
 */
export interface RuleCache extends FoundAlone {
  /** Those of the kinds whose schemas changed, by `GROUP/KIND`. */
  readonly ofKinds: ReadonlyMap<string, FoundAlone>;
  /** The rules for each kind of object, in files of whole objects. */
  readonly rules: Map<string, RulesByCost>;
}

interface FoundAlone {
  readonly found: Pick<WeakMap<object, readonly RuleFinding[]>, 'get' | 'set'>;
  readonly alike: SharedTexts<readonly RuleFinding[]>;
  /** What the server says apart from values that it cannot decode; see `beyondUndecoded`. */
  readonly beyond: WeakMap<object, readonly RuleFinding[]>;
}

export function createRuleCache(): RuleCache {
  return { ...nothingFound(), ofKinds: new Map(), rules: new Map() };
}

const nothingFound = (): FoundAlone => ({
  found: new WeakMap(),
  alike: createSharedTexts(),
  beyond: new WeakMap(),
});

/**
 * The cache for a `Kube` that differs in the schemas of some custom kinds (`GROUP/KIND`). It shares with the earlier cache
 * all but what is known of objects of these kinds: no rule looks at the schema of another kind.
 */
export function cacheForSchemas(cache: RuleCache, kinds: readonly string[]): RuleCache {
  return { ...cache, ofKinds: new Map([...cache.ofKinds, ...kinds.map(it => [it, nothingFound()] as const)]) };
}

/**
 * A cache that keeps nothing, for objects that are checked once: keeping 200,000 findings costs more than finding them.
 */
export const NO_FINDINGS_CACHE: RuleCache['found'] = { get: () => undefined, set: () => NO_FINDINGS_CACHE as never };

export interface RuleOptions extends RuleSelection, ReusedResults, PolicyResults {
  /** Called with an exception inside a rule; the other rules still run. */
  readonly onBug: (code: string, error: unknown) => void;
  /** report: suppressed problems are included and marked; absent: they are left out. */
  readonly suppressed?: 'report';
}

/** Which rules run, and with which severity. */
interface RuleSelection {
  /** Code → severity that replaces the rule's own; `off` disables the code. */
  readonly severity?: Readonly<Record<string, Severity | 'off'>>;
  /** The rules to choose from; all when absent. */
  readonly rules?: readonly AnyRule[];
  /**
   * Report only these categories. Rules of other categories are run only if the result of another rule depends on them.
   */
  readonly only?: readonly Category[];
  /** Presets that are on. A rule of a preset also runs if `severity` names its code. */
  readonly presets?: readonly Preset[];
}

/** Results of earlier runs; without them everything is computed again. */
interface ReusedResults {
  readonly cache?: RuleCache;
  /**
   * Gives the problems of an object: from `find`, or from `move` with the problems found before the object moved in its
   * text.
   */
  readonly reuse?: (object: WorkspaceObject, sources: FindOrMove) => Steps<ObjectProblems>;
}

/** What the users' policies add to the problems of rules. */
interface PolicyResults {
  /** Problems that the users' policies found in the file; they are suppressed and ordered like all others. */
  readonly policyProblems?: readonly Problem[];
  /**
   * Whether a policy that may report the code has not run yet. A suppression of such a code is not reported as unused.
   */
  readonly isPending?: (code: string) => boolean;
}

/** The problems of one object at its current position. */
export interface ObjectProblems {
  readonly object: WorkspaceObject;
  readonly all: readonly { readonly found: RuleFinding; readonly problem: Problem }[];
}

export interface FindOrMove {
  readonly find: () => Steps<ObjectProblems>;
  /** The earlier problems at the new position; undefined if they refer to other positions and must be found again. */
  readonly move: (before: ObjectProblems) => ObjectProblems | undefined;
}

/**
 * Every problem of one file (of its text, its objects and its suppressions) in the order of the text. `objects` are the
 * file's objects as the snapshot of `context` gives them.
 */
export function problemsOfFile(
  file: ManifestFile,
  objects: readonly WorkspaceObject[],
  context: RuleContext,
  options: RuleOptions,
): readonly Problem[] {
  return runToEnd(problemsOfFileInSteps(file, objects, context, options));
}

/** The same, in a step for each object, and where one is long for each rule and each problem. */
export function* problemsOfFileInSteps(
  file: ManifestFile,
  objects: readonly WorkspaceObject[],
  context: RuleContext,
  options: RuleOptions,
): Steps<readonly Problem[]> {
  const role = context.snapshot.roles.of(file);
  const isNotManifest = role === 'template' || role === 'data';
  const broken = new Set(
    file.documents.filter(it => it.problems.some(problem => problem.severity === 'error')).map(it => it.index),
  );
  const found = yield* runRules(isNotManifest ? [] : objects, context, options, role);
  const ofRules = found.filter(it => !(isFromServer(it) && it.document !== undefined && broken.has(it.document)));
  const ofText = isNotManifest
    ? []
    : [...syntaxProblems(file), ...documentProblems(file), ...duplicateKeyProblems(file, objects)];
  const { known, others } = eachOnce([...ofText, ...ofRules], options.policyProblems ?? []);
  // Few files suppress anything, and only those need the codes.
  const notAsked = lazy(() => codesNotRun(options, context));
  const all = suppress(
    [
      ...withSeverity(known.slice(0, ofText.length), options),
      ...known.slice(ofText.length),
      ...withSeverity(others, options),
    ],
    file,
    objects,
    { ...options, unknownCode, isNotRun: it => notAsked().has(it) || options.isPending?.(it) === true },
    editTools(context.snapshot),
  );
  return inTextOrder(all.map(it => withIgnoreFix(it, file)));
}

/**
 * The problems of a file and those that others found there, each once: a problem of a source also occurs in what is
 * rendered from it, for each overlay.
 */
function eachOnce(
  known: readonly Problem[],
  others: readonly Problem[],
): { readonly known: readonly Problem[]; readonly others: readonly Problem[] } {
  if (others.length === 0) return { known, others };
  const groups = [...grouped(others, sameKeyOf)];
  const overlaysOf = new Map(groups.map(([key, all]) => [key, allOverlays(all)]));
  const own = new Set(known.flatMap(it => [exactKeyOf(it), namelessKeyOf(it)]));
  const withOverlays = (it: Problem): Problem => {
    const overlays = overlaysOf.get(namelessKeyOf(it));
    return overlays === undefined ? it : withFields(it, { overlays });
  };
  return {
    known: known.map(withOverlays),
    others: groups.flatMap(([key, [first]]) => (own.has(key) || first === undefined ? [] : [withOverlays(first)])),
  };
}

/** The problems that rules find in some objects of one file, before suppressions are applied. */
function* runRules(
  objects: readonly WorkspaceObject[],
  context: RuleContext,
  options: RuleOptions,
  role: FileRole,
): Steps<readonly Problem[]> {
  const edit = editTools(context.snapshot);
  const { cache: _, ...uncached } = options;
  const used = role === 'objects' ? options : uncached;
  const rulesOf = rulesByKind(used, role, context.kube);
  const all: Problem[] = [];
  for (const it of objects) {
    for (const problem of yield* problemsOfObject(it, context, used, edit, rulesOf)) all.push(problem);
    yield;
  }
  return inTextOrder(all);
}

function* problemsOfObject(
  object: WorkspaceObject,
  context: RuleContext,
  options: RuleOptions,
  edit: EditTools,
  rulesOf: RulesOf,
): Steps<readonly Problem[]> {
  // No `function*` here: V8 makes a hidden class for each one that is made, which takes longer than most rules.
  const find = (): Steps<ObjectProblems> => foundIn(object, context, options, edit, rulesOf);
  const move = (before: ObjectProblems): ObjectProblems | undefined => movedTo(object, before, context, options, edit);
  const { all } = yield* options.reuse?.(object, { find, move }) ?? find();
  return all.map(it => it.problem);
}

function* foundIn(
  object: WorkspaceObject,
  context: RuleContext,
  options: RuleOptions,
  edit: EditTools,
  rulesOf: RulesOf,
): Steps<ObjectProblems> {
  return { object, all: yield* problemsIn(targetOf(object, context), context, options, edit, rulesOf) };
}

function targetOf(object: WorkspaceObject, { kube }: RuleContext): RuleTarget {
  return { object, value: object.manifest.value, kind: kube.kindOf(object.apiVersion, object.kind) };
}

/** The same problems at the object's current position; undefined if they refer to other positions. */
function movedTo(
  object: WorkspaceObject,
  before: ObjectProblems,
  context: RuleContext,
  { onBug }: RuleOptions,
  edit: EditTools,
): ObjectProblems | undefined {
  const [from, to] = [before.object.manifest, object.manifest];
  if (isAtSamePosition(to, from)) return before;
  if (before.all.some(it => it.problem.related.length > 0)) return undefined;
  if (before.all.length === 0) return { object, all: before.all };
  const by = to.span.start - from.span.start;
  const target = targetOf(object, context);
  const late = fixContext(context);
  const all = before.all.map(({ found, problem }) => {
    const place = {
      document: to.document,
      ...(to.item !== undefined && { item: to.item }),
      span: { start: problem.span.start + by, end: problem.span.end + by },
    };
    const fixes = (): readonly Fix[] => fixesOf(found.rule, found.finding, target, late, onBug, edit);
    return { found, problem: withLazyFixes({ ...withoutFixes(problem), ...place }, fixes) };
  });
  return { object, all };
}

/** The problems that the rules find in one object. */
function* problemsIn(
  target: RuleTarget,
  context: RuleContext,
  options: RuleOptions,
  edit: EditTools,
  rulesOf: RulesOf,
): Steps<ObjectProblems['all']> {
  const { kind } = target;
  const rules = rulesOf(target);
  const own = { ...context, answers: new Map() };
  const inItself = yield* typingFindings(target, rules, own, options);
  const slow = context.placement === undefined ? NOTHING : yield* findingsOf(target, rules.placement, own, options);
  const amongOthers = [...(yield* findingsOf(target, rules.workspace, own, options)), ...slow];
  if (inItself.length + amongOthers.length === 0) return [];
  const undecoded = inItself.filter(isFatal);
  const judged =
    undecoded.length === 0
      ? [...inItself, ...amongOthers]
      : [
          ...inItself,
          ...(yield* beyondUndecoded(target, undecoded, rules, own, options)),
          ...amongOthers.filter(it => !isFromServer(it.rule.meta)),
        ];
  const found = withoutMendedByLimits(withoutGeneralDuplicates(judged), target, context);
  const certain = found.filter(
    it => !(kind?.served === 'no' && isFromServer(it.rule.meta)) && !isTemplated(it.finding, target, context),
  );
  const replaced = new Set(certain.filter(it => isReplaced(it.finding, target, context)));
  const reported = replaced.size === 0 ? certain : certain.filter(it => !replaced.has(it));
  const consequences = consequencesIn(reported, target, options);
  const late = fixContext(context);
  const rendered: { found: RuleFinding; problem: Problem }[] = [];
  const isSlow = isLong(target);
  for (const { found, follows } of listed(reported, consequences)) {
    if (isSlow) yield;
    const problem = render(found, target, late, options, edit);
    if (problem !== undefined) rendered.push({ found, problem: follows ? asConsequence(problem) : problem });
  }
  for (const found of replaced) {
    const problem = render(found, target, late, options, edit);
    if (problem !== undefined) rendered.push({ found, problem: withFields(problem, { isReplaced: true }) });
  }
  return rendered;
}

/**
 * What the server says of an object apart from values that it cannot decode, where other tools set all of these; nothing where
 * it refuses them.
 */
function* beyondUndecoded(
  target: RuleTarget,
  undecoded: readonly RuleFinding[],
  { typing, workspace }: RulesByCost,
  context: RuleContext,
  options: RuleOptions,
): Steps<readonly RuleFinding[]> {
  const isSetLater = ({ finding }: RuleFinding): boolean =>
    isTemplated(finding, target, context) || isReplaced(finding, target, context);
  const targets = undecoded.every(isSetLater) ? possibleTargets(target, undecoded, context) : undefined;
  if (targets === undefined) return NOTHING;
  // What rules of cost `typing` find depends on the object alone, and hundreds of overlays may build it.
  const cache = options.cache && foundAloneIn(options.cache, target).beyond;
  const key = target.object.manifest.contentId;
  const alone = cache?.get(key) ?? (yield* saidOfBoth(targets, typing, context, options));
  cache?.set(key, alone);
  return [...alone, ...(yield* saidOfBoth(targets, workspace, context, options))];
}

/** What rules of the server find in an object both with values left out and with plausible ones. */
function* saidOfBoth(
  [without, plausible]: readonly [RuleTarget, RuleTarget],
  all: readonly AnyRule[],
  context: RuleContext,
  options: RuleOptions,
): Steps<readonly RuleFinding[]> {
  const rules = all.filter(it => isFromServer(it.meta));
  if (rules.length === 0) return NOTHING;
  const found = yield* findingsOf(without, rules, { ...context, answers: new Map() }, options);
  if (found.length === 0) return NOTHING;
  return inBoth(found, yield* findingsOf(plausible, rules, { ...context, answers: new Map() }, options));
}

/** Consequences among the findings; none if an exception prevents the answer. */
function consequencesIn(
  reported: readonly RuleFinding[],
  target: RuleTarget,
  { onBug }: Pick<RuleOptions, 'onBug'>,
): ReadonlySet<RuleFinding> {
  try {
    return consequencesOf(reported, target);
  } catch (error) {
    onBug('follows', error);
    return new Set();
  }
}

interface Listed {
  readonly found: RuleFinding;
  readonly follows: boolean;
}

/** The first findings of each rule, of which the last counts the rest. */
function listed(all: readonly RuleFinding[], consequences: ReadonlySet<RuleFinding>): readonly Listed[] {
  const marked = all.map(found => ({ found, follows: consequences.has(found) }));
  if (all.length <= MOST_OF_ONE_OBJECT) return marked;
  const kept: Listed[] = [];
  const groups = new Map<string, { count: number; last: number; more: number }>();
  for (const it of marked) {
    const { rule, finding } = it.found;
    const key = `${rule.meta.code} ${finding.severity} ${it.follows}`;
    const group = groups.get(key) ?? { count: 0, last: 0, more: 0 };
    groups.set(key, group);
    group.count += 1;
    if (group.count > MOST_OF_ONE_OBJECT) group.more += 1 + (finding.more ?? 0);
    else group.last = kept.push(it) - 1;
  }
  for (const { last, more } of groups.values()) if (more > 0) kept[last] = counting(kept[last]!, more);
  return kept;
}

function counting({ found, follows }: Listed, more: number): Listed {
  const finding = { ...found.finding, more: more + (found.finding.more ?? 0) };
  return { found: { ...found, finding }, follows };
}

function shortenedFields({
  message,
  headline,
  detail,
}: ReturnType<typeof messageFields>): ReturnType<typeof messageFields> {
  return {
    message: shortened(message),
    ...(headline !== undefined && { headline: shortened(headline) }),
    ...(detail !== undefined && { detail: shortened(detail) }),
  };
}

/**
 * The context that a problem keeps for its fixes. `placement` is left out: it would keep a whole scheduler run in
 * memory.
 */
function fixContext({ placement: _, ...context }: RuleContext): RuleContext {
  return context;
}

/** Marks a problem as a consequence; its fixes stay lazy. */
function asConsequence(problem: Problem): Problem {
  return withFields(problem, { follows: true });
}

/** Drops a general rule's finding if a special rule reports the same error of the same field, one for one. */
function withoutGeneralDuplicates(found: readonly RuleFinding[]): readonly RuleFinding[] {
  const keyOf = ({ rule, finding }: RuleFinding): string =>
    `${rule.meta.category} ${finding.errorType ?? ''} ${finding.fieldPath ?? finding.at.toString()}`;
  const special = new Map<string, number>();
  for (const it of found) {
    if (it.rule.meta.isGeneral !== true) special.set(keyOf(it), (special.get(keyOf(it)) ?? 0) + 1);
  }
  return found.filter(it => {
    const left = special.get(keyOf(it)) ?? 0;
    if (it.rule.meta.isGeneral !== true || left === 0) return true;
    special.set(keyOf(it), left - 1);
    return false;
  });
}

/**
 * A type error stops the API server's decoder, so that the server reports nothing about the object's values. An object
 * that cannot be decoded is refused before fields of disabled gates are dropped.
 */
function isFatal({ rule, finding }: RuleFinding): boolean {
  if (rule.meta.category !== 'decode') return false;
  return finding.errorType !== 'UnknownField' && finding.errorType !== 'DuplicateField';
}

function isFromServer(it: { readonly category: Problem['category'] }): boolean {
  return it.category === 'apiserver' || it.category === 'dropped' || it.category === 'warning';
}

const NOTHING: readonly RuleFinding[] = [];

function* typingFindings(
  target: RuleTarget,
  rules: RulesByCost,
  context: RuleContext,
  options: RuleOptions,
): Steps<readonly RuleFinding[]> {
  const cache = options.cache && foundAloneIn(options.cache, target);
  const key = target.object.manifest.contentId;
  const known = cache?.found.get(key);
  if (known !== undefined) return known;
  const nameless = cache?.alike.isWorthIt() === true ? textWithoutNames(target) : undefined;
  const shared = nameless && cache?.alike.get(nameless.text);
  const found = shared ?? (yield* inOneObject(target, rules, context, options));
  if (nameless !== undefined && shared === undefined && found.every(it => isWithoutNames(it.finding, nameless.names)))
    cache?.alike.set(nameless.text, found);
  cache?.found.set(key, found);
  return found;
}

function foundAloneIn(cache: RuleCache, { object: { group, kind } }: RuleTarget): FoundAlone {
  return cache.ofKinds.size === 0 ? cache : (cache.ofKinds.get(`${group}/${kind}`) ?? cache);
}

/** Where the server cannot decode the object, what it would say of the values is not computed: it is never reported. */
function* inOneObject(
  target: RuleTarget,
  { decode, typing, notOfServer }: RulesByCost,
  context: RuleContext,
  options: RuleOptions,
): Steps<readonly RuleFinding[]> {
  const ofDecoder = yield* findingsOf(target, decode, context, options);
  const others = yield* findingsOf(target, ofDecoder.some(isFatal) ? notOfServer : typing, context, options);
  if (ofDecoder.length === 0) return others;
  return others.length === 0 ? ofDecoder : [...ofDecoder, ...others];
}

/** So many characters make an object long: each rule takes a while, and so do the words for each of its problems. */
const LONG_TEXT = 100_000;

function isLong({ object: { manifest } }: RuleTarget): boolean {
  return manifest.span.end - manifest.span.start > LONG_TEXT;
}

function* findingsOf(
  target: RuleTarget,
  rules: readonly AnyRule[],
  context: RuleContext,
  options: RuleOptions,
): Steps<readonly RuleFinding[]> {
  const found: RuleFinding[] = [];
  const isSlow = isLong(target);
  for (const rule of rules) {
    if (isSlow) yield;
    const first = found.length;
    let more = 0;
    try {
      const findings = rule.check(target, context);
      if (Array.isArray(findings) && findings.length === 0) continue;
      for (const finding of findings) {
        if (found.length - first < MOST_FOUND) found.push({ rule, finding });
        else more += 1 + (finding.more ?? 0);
      }
    } catch (error) {
      options.onBug(rule.meta.code, error);
    }
    const last = found.at(-1);
    if (more > 0 && last !== undefined)
      found[found.length - 1] = { rule, finding: { ...last.finding, more: more + (last.finding.more ?? 0) } };
  }
  return found.length === 0 ? NOTHING : found;
}

/**
 * How many findings of one rule in one object are kept. Fewer are listed: `MOST_OF_ONE_OBJECT` for each code and
 * severity, consequences apart.
 */
const MOST_FOUND = 3 * MOST_OF_ONE_OBJECT;

/** The rules of one kind of object by cost. Those of cost `typing` are two lists: `decode`, and the others. */
interface RulesByCost extends Readonly<Record<RuleMeta['cost'], readonly AnyRule[]>> {
  readonly decode: readonly AnyRule[];
  /** Those of `typing` that do not say what the API server answers. */
  readonly notOfServer: readonly AnyRule[];
}
type RulesOf = (target: RuleTarget) => RulesByCost;

/** Rules of decoding and of the API server always run, because findings of one suppress findings of another. */
function rulesToRun({ rules = allRules(), only, presets, severity }: RuleOptions): readonly AnyRule[] {
  const isOn = ({ preset, code }: RuleMeta): boolean =>
    preset === undefined || presets?.includes(preset) === true || severity?.[code] !== undefined;
  const isWanted = ({ category }: RuleMeta): boolean => only === undefined || only.includes(category);
  return rules.filter(({ meta }) => isOn(meta) && (isWanted(meta) || meta.category === 'decode' || isFromServer(meta)));
}

/** Codes of rules that did not run this time: a suppression of one may still be of use. */
function codesNotRun(options: RuleOptions, { placement }: RuleContext): ReadonlySet<string> {
  const run = rulesToRun(options).filter(it => placement !== undefined || it.meta.cost !== 'placement');
  const ran = new Set(run);
  const codes = (options.rules ?? allRules()).filter(it => !ran.has(it)).map(it => it.meta.code);
  // Explorations are started by hand.
  return new Set([...codes, EXPLORATION_FINDING.code]);
}

const WHOLE_OBJECTS: readonly FileRole[] = ['objects'];

/** The rules for an object by cost, computed once for each kind. */
function rulesByKind(options: RuleOptions, role: FileRole, kube: Kube): RulesOf {
  const known = options.cache?.rules ?? new Map<string, RulesByCost>();
  const rulesOfAll = lazy(() => rulesToRun(options));
  return target => {
    const hasPodSpec = podSpecOf(target) !== undefined;
    const key = `${target.object.kind} ${hasPodSpec}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const applying = rulesOfAll().filter(({ on, reads = WHOLE_OBJECTS, concerns }) => {
      if (!reads.includes(role) || concerns?.(kube) === false) return false;
      if (on === 'any') return true;
      if (on === 'podSpec') return hasPodSpec;
      return on.includes(target.object.kind);
    });
    const costing = (cost: RuleMeta['cost']) => applying.filter(it => it.meta.cost === cost);
    const isOfDecoder = ({ meta }: AnyRule): boolean => meta.category === 'decode';
    const typing = costing('typing').filter(it => !isOfDecoder(it));
    const made = {
      decode: costing('typing').filter(isOfDecoder),
      typing,
      notOfServer: typing.filter(it => !isFromServer(it.meta)),
      workspace: costing('workspace'),
      placement: costing('placement'),
    };
    known.set(key, made);
    return made;
  };
}

function render(
  { rule, finding }: RuleFinding,
  target: RuleTarget,
  context: RuleContext,
  options: RuleOptions,
  edit: EditTools,
): Problem | undefined {
  const { onBug } = options;
  const severity = options.severity?.[rule.meta.code] ?? finding.severity ?? rule.meta.severity;
  if (severity === 'off') return undefined;
  const { object } = target;
  const { manifest } = object;
  const related = (finding.related ?? []).slice(0, MOST_RELATED).map((it): RelatedLocation => {
    // A finding from the cache holds the earlier object, whose text may have moved since.
    const at = it.object.manifest.contentId === manifest.contentId ? manifest : it.object.manifest;
    return { uri: at.uri, span: at.spanOf(it.at, 'entry'), message: it.message };
  });
  try {
    const path = finding.fieldPath ?? finding.at.toString();
    return withLazyFixes(
      {
        code: rule.meta.code,
        category: rule.meta.category,
        severity,
        ...(finding.errorType !== undefined && { errorType: finding.errorType }),
        ...(path !== '' && { fieldPath: path }),
        ...shortenedFields(messageFields(rule.message(finding, context))),
        uri: manifest.uri,
        document: manifest.document,
        ...(manifest.item !== undefined && { item: manifest.item }),
        object: identityOf(object),
        span: spanOfFinding(finding, object, context),
        related,
        ...(rule.meta.url !== undefined && { url: rule.meta.url }),
        ...(finding.unnecessary === true && { unnecessary: true as const }),
        ...(finding.more !== undefined && { more: finding.more }),
      },
      () => fixesOf(rule, finding, target, context, onBug, edit),
    );
  } catch (error) {
    onBug(rule.meta.code, error);
    return undefined;
  }
}

/** The file's text is read only where a part of a value is underlined: each read costs an entry of the cache. */
function spanOfFinding(finding: Finding<unknown>, { manifest }: WorkspaceObject, { snapshot }: RuleContext): Span {
  if (finding.within === undefined) return manifest.spanOf(finding.at, finding.part);
  return spanWithin(manifest, finding, snapshot.files.get(manifest.uri)?.text);
}

function fixesOf(
  rule: AnyRule,
  finding: Finding<unknown>,
  target: RuleTarget,
  context: RuleContext,
  onBug: RuleOptions['onBug'],
  edit: EditTools,
): readonly Fix[] {
  try {
    return rule.fixes?.(finding, target, context, edit) ?? [];
  } catch (error) {
    if (!(error instanceof CannotEdit)) onBug(rule.meta.code, error);
    return [];
  }
}

export function withSeverity(problems: readonly Problem[], options: Pick<RuleOptions, 'severity'>): readonly Problem[] {
  return problems.flatMap(it => {
    const severity = options.severity?.[it.code] ?? it.severity;
    return severity === 'off' ? [] : [{ ...it, severity }];
  });
}

export function inTextOrder(problems: readonly Problem[]): readonly Problem[] {
  return [...problems].sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
}
