import { t } from '../../../base/l10n';
import { push } from '../../../base/multiMap';
import type { FieldPath } from '../../../manifest/fieldPath';
import type { PolicyResult } from '../../../policy/result';
import type { CodeLens } from '../annotations';
import { PENDING } from '../codeLenses';
import { firstLineOf } from '../firstLine';
import { distinctLocations, type Location } from '../navigation/location';
import {
  type EnvironmentResults,
  type EvaluatedPolicy,
  type EvaluationStatus,
  evaluatedPolicy,
  policyAt,
} from './evaluatedPolicy';
import { isAgainst, type PolicyTally, type ReportScope, tallyOf, validationsOf, weighed } from './policyTally';

/**
 * A lens over each policy, and over each rule of a policy with several: what it rejects. Uses existing results only.
 */
export function policyLensesOf(environments: readonly EnvironmentResults[], uri: string): readonly CodeLens[] {
  return policiesIn(environments, uri).flatMap(evaluated => {
    const { policy, results } = evaluated;
    if (evaluated.bindings?.length === 0) {
      return [{ span: firstLineOf(policy), title: t('binds nothing: no binding names this policy') }];
    }
    if (results === undefined) return [];
    const rules = validationsOf(policy);
    const whole = lens(evaluated, undefined);
    return rules.length > 1 ? [...whole, ...ruleLenses(evaluated, rules)] : whole;
  });
}

/** The distinct policies of a file in all of its environments. */
function policiesIn(environments: readonly EnvironmentResults[], uri: string): readonly EvaluatedPolicy[] {
  const objects = environments.flatMap(it => it.snapshot.objectsIn(uri));
  const different = new Map(objects.map(it => [it.manifest.contentId, it]));
  return [...different.values()].flatMap(it => evaluatedPolicy(environments, it) ?? []);
}

/** The lenses of the rules of one policy. */
function ruleLenses(evaluated: EvaluatedPolicy, rules: readonly FieldPath[]): readonly CodeLens[] {
  const resultsOf = resultsByRule(evaluated.results ?? [], rules);
  const byEnvironment = evaluated.byEnvironment.map(it => ({ ...it, resultsOf: resultsByRule(it.results, rules) }));
  return rules.flatMap(rule => {
    const results = resultsOf(rule);
    if (!results.some(isAgainst)) return [];
    const apart = byEnvironment.map(({ name, resultsOf: of }) => ({ name, results: of(rule) }));
    return lens({ ...evaluated, scope: 'all', results, byEnvironment: apart }, rule);
  });
}

/**
 * Results of each rule. A ValidatingAdmissionPolicy has one pass per object for all of its rules: what one of them says of
 * an object is a pass of the others.
 */
function resultsByRule(
  results: readonly PolicyResult[],
  rules: readonly FieldPath[],
): (rule: FieldPath) => readonly PolicyResult[] {
  const names = new Set(rules.map(String));
  const own = new Map<string, PolicyResult[]>();
  const passed = new Map<object, PolicyResult>();
  for (const it of results) {
    for (const name of textsAbove(it.source?.at)) if (names.has(name)) push(own, name, it);
    const { contentId } = it.location.object.manifest;
    if (it.engine === 'vap' && it.outcome !== 'skip') passed.set(contentId, { ...it, outcome: 'pass' });
  }
  const passes = [...passed.values()];
  return rule => [...(own.get(rule.toString()) ?? []), ...passes];
}

/** The paths of the objects that a field is in, as text. */
function textsAbove(at: FieldPath | undefined): readonly string[] {
  if (at?.parent === undefined) return [];
  const above = textsAbove(at.parent);
  return typeof at.segments.at(-1) === 'string' ? [...above, at.parent.toString()] : above;
}

function lens(evaluated: EvaluatedPolicy, rule: FieldPath | undefined): readonly CodeLens[] {
  const { policy, scope, results = [], byEnvironment, status } = evaluated;
  const tally = tallyOf(results);
  const words = tallyInWords(tally, scope);
  if (words === undefined) return [];
  const span = rule === undefined ? firstLineOf(policy) : policy.manifest.spanOf(rule, 'value');
  const opens = weighed(tally).length > 0 && { policy: rule === undefined ? {} : { rule: rule.toString() } };
  return [marked({ span, title: `${words}${environmentsInWords(tally, byEnvironment)}`, ...opens }, status)];
}

const marked = (lens: CodeLens, answers: EvaluationStatus): CodeLens =>
  answers === 'known' ? lens : { ...lens, title: `${lens.title} ${PENDING}`, isPending: true };

/** " (prod: 2, staging: 1)"; '': the environments do not differ. */
export function environmentsInWords(
  { rejected, warned, noted }: PolicyTally,
  all: EvaluatedPolicy['byEnvironment'],
): string {
  const total = rejected.length + warned.length + noted.length;
  const counts = all.map(({ name, results }) => {
    const own = tallyOf(results);
    return { name, count: own.rejected.length + own.warned.length + own.noted.length };
  });
  if (counts.every(it => it.count === total)) return '';
  return ` (${counts.map(it => `${it.name}: ${it.count}`).join(', ')})`;
}

/** "rejects 2, warns of 1 of 41 objects"; undefined: there are no results. */
export function tallyInWords(tally: PolicyTally, scope: ReportScope): string | undefined {
  const { rejected, warned, noted, skipped } = tally;
  if (scope === 'deletes') return deletionsInWords(tally);
  const all = weighed(tally).length;
  const said = [
    ...(rejected.length > 0 ? [t`rejects ${rejected.length}`] : []),
    ...(warned.length > 0 ? [t`warns of ${warned.length}`] : []),
    ...(noted.length > 0 ? [t`would reject ${noted.length}`] : []),
  ].join(', ');
  if (scope === 'against') {
    if (said === '') return t('rejects nothing');
    return all === 1 ? t`${said} object` : t`${said} objects`;
  }
  if (said !== '') return all === 1 ? t`${said} of 1 object` : t`${said} of ${all} objects`;
  if (all > 0) return all === 1 ? t('selects 1 object, rejects none') : t`selects ${all} objects, rejects none`;
  return skipped.length > 0 ? undecided(skipped.length) : undefined;
}

/** A policy that deletes on a schedule rejects nothing: its matches are reported as information. */
function deletionsInWords({ noted, skipped }: PolicyTally): string {
  if (noted.length > 0)
    return noted.length === 1
      ? t('deletes 1 object when it next runs')
      : t`deletes ${noted.length} objects when it next runs`;
  return skipped.length > 0 ? undecided(skipped.length) : t('deletes nothing');
}

const undecided = (count: number): string =>
  count === 1 ? t('selects 1 object, decides about none') : t`selects ${count} objects, decides about none`;

/** The locations that the lens of a policy, or of its rule `rule`, opens: failures, else all evaluated objects. */
export function policyLocations(
  environments: readonly EnvironmentResults[],
  { uri, offset, rule }: { readonly uri: string; readonly offset: number; readonly rule?: string },
): readonly Location[] {
  const results = policyAt(environments, uri, offset)?.results ?? [];
  const own = results.filter(it => rule === undefined || it.source?.at.toString().startsWith(`${rule}.`));
  const against = own.filter(isAgainst);
  return locationsOf(against.length > 0 ? against : weighed(tallyOf(own)));
}

/** A lens over each rule of a Rego file with failures. */
export function regoLensesOf(results: readonly PolicyResult[], answers: EvaluationStatus): readonly CodeLens[] {
  const rules = new Map(
    results.flatMap(({ sourceText }) => (sourceText ? [[sourceText.span.start, sourceText] as const] : [])),
  );
  return [...rules.values()].map(({ span }) => {
    const tally = tallyOf(resultsAt(results, span.start));
    return marked({ span, title: tallyInWords(tally, 'against') ?? '', policy: {} }, answers);
  });
}

/** The locations that the lens of the Rego rule at an offset opens. */
export const regoLocations = (results: readonly PolicyResult[], offset: number): readonly Location[] =>
  locationsOf(resultsAt(results, offset));

const resultsAt = (results: readonly PolicyResult[], start: number): readonly PolicyResult[] =>
  results.filter(it => it.sourceText?.span.start === start);

/** The locations of the objects of results. */
export const locationsOf = (results: readonly PolicyResult[]): readonly Location[] =>
  distinctLocations(
    results.map(({ location: { object, at, part } }) => ({
      uri: object.manifest.uri,
      span: object.manifest.spanOf(at, part),
    })),
  );
