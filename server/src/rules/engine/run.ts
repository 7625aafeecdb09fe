import { lazy } from '../../base/lazy';
import { grouped } from '../../base/multiMap';
import { runToEnd, type Steps } from '../../base/steps';
import type { ManifestFile } from '../../manifest/manifest';
import type { FileRole } from '../../workspace/fileRoles';
import type { WorkspaceObject } from '../../workspace/object';
import { isAtSamePosition } from '../../workspace/objectChanges';
import { editTools } from '../edits/edit';
import { withFields, withLazyFixes, withoutFixes } from '../framework/fixes';
import { allOverlays, exactKeyOf, namelessKeyOf, sameKeyOf } from '../framework/overlays';
import type { Fix, Problem } from '../framework/problem';
import type { EditTools, RuleContext, RuleFinding, RuleTarget } from '../framework/rule';
import { unknownCode } from './explain';
import { findingsIn, isLong } from './findings';
import { fixContext, fixesOf, render } from './render';
import { type Reported, reportedOf } from './reported';
import type { ObjectProblems, RuleOptions } from './ruleOptions';
import { codesNotRun, isFromServer, type RulesOf, rulesByKind } from './selection';
import { suppress, withIgnoreFix } from './suppress';
import { documentProblems, duplicateKeyProblems, syntaxProblems } from './syntax';

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
  const all = yield* findingsIn(target, rulesOf(target), context, options);
  if (all.length === 0) return [];
  const late = fixContext(context);
  const isSlow = isLong(target);
  const problems: { found: RuleFinding; problem: Problem }[] = [];
  for (const { found, as } of reportedOf(all, target, context, options)) {
    if (isSlow) yield;
    const problem = render(found, target, late, options, edit);
    if (problem !== undefined)
      problems.push({ found, problem: as === 'problem' ? problem : withFields(problem, FIELDS[as]) });
  }
  return problems;
}

const FIELDS: Readonly<Record<Exclude<Reported['as'], 'problem'>, Partial<Problem>>> = {
  consequence: { follows: true },
  replaced: { isReplaced: true },
};

export function withSeverity(problems: readonly Problem[], options: Pick<RuleOptions, 'severity'>): readonly Problem[] {
  return problems.flatMap(it => {
    const severity = options.severity?.[it.code] ?? it.severity;
    return severity === 'off' ? [] : [{ ...it, severity }];
  });
}

export function inTextOrder(problems: readonly Problem[]): readonly Problem[] {
  return [...problems].sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
}
