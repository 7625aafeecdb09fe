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

/** One lens over each policy, and over each rule of those with several: what it rejects. Nothing is evaluated for it. */
export function policyLensesOf(views: readonly EnvironmentResults[], uri: string): readonly CodeLens[] {
  return policiesIn(views, uri).flatMap(asked => {
    const { policy, results } = asked;
    if (asked.bindings?.length === 0) {
      return [{ span: firstLineOf(policy), title: 'binds nothing: no binding names this policy' }];
    }
    if (results === undefined) return [];
    const rules = validationsOf(policy);
    const whole = lens(asked, undefined);
    return rules.length > 1 ? [...whole, ...rules.flatMap(it => ruleLens(asked, it))] : whole;
  });
}

/** Every policy of a file once, in whichever environments it stands. */
function policiesIn(views: readonly EnvironmentResults[], uri: string): readonly EvaluatedPolicy[] {
  const objects = views.flatMap(it => it.snapshot.objectsIn(uri));
  const different = new Map(objects.map(it => [it.manifest.contentId, it]));
  return [...different.values()].flatMap(it => evaluatedPolicy(views, it) ?? []);
}

/** The same policy as far as it is one rule of it. */
function ruleLens(asked: EvaluatedPolicy, rule: FieldPath): readonly CodeLens[] {
  const results = resultsOfRule(asked.results ?? [], rule);
  if (!results.some(isAgainst)) return [];
  const byEnvironment = asked.byEnvironment.map(it => ({ ...it, results: resultsOfRule(it.results, rule) }));
  return lens({ ...asked, scope: 'all', results, byEnvironment }, rule);
}

/** An admission policy tells of an object that passes once, for all its rules. */
function resultsOfRule(results: readonly PolicyResult[], rule: FieldPath): readonly PolicyResult[] {
  const isOwn = (it: PolicyResult) => it.source?.at.toString().startsWith(`${rule}.`) === true;
  return results.flatMap(it => {
    if (isOwn(it)) return [it];
    return it.engine === 'vap' && it.outcome !== 'skip' ? [{ ...it, outcome: 'pass' as const }] : [];
  });
}

function lens(asked: EvaluatedPolicy, rule: FieldPath | undefined): readonly CodeLens[] {
  const { policy, scope: tells, results = [], byEnvironment, status: answers } = asked;
  const tally = tallyOf(results);
  const words = tallyInWords(tally, tells);
  if (words === undefined) return [];
  const span = rule === undefined ? firstLineOf(policy) : policy.manifest.spanOf(rule, 'value');
  const opens = weighed(tally).length > 0 && { policy: rule === undefined ? {} : { rule: rule.toString() } };
  return [marked({ span, title: `${words}${environmentsInWords(tally, byEnvironment)}`, ...opens }, answers)];
}

const marked = (lens: CodeLens, answers: EvaluationStatus): CodeLens =>
  answers === 'known' ? lens : { ...lens, title: `${lens.title} ${PENDING}`, isPending: true };

/** " (prod: 2, staging: 1)" where the environments differ. */
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

/** "rejects 2, warns of 1 of 41 objects"; undefined while nothing was said. */
export function tallyInWords(tally: PolicyTally, tells: ReportScope): string | undefined {
  const { rejected, warned, noted, skipped } = tally;
  if (tells === 'deletes') return deletionsInWords(tally);
  const all = weighed(tally).length;
  const against = [
    ['rejects', rejected],
    ['warns of', warned],
    ['would reject', noted],
  ] as const;
  const said = against.flatMap(([verb, list]) => (list.length > 0 ? [`${verb} ${list.length}`] : []));
  if (tells === 'against') return said.length > 0 ? `${said.join(', ')} ${objects(all)}` : 'rejects nothing';
  if (said.length > 0) return `${said.join(', ')} of ${all} ${objects(all)}`;
  if (all > 0) return `selects ${all} ${objects(all)}, rejects none`;
  return skipped.length > 0 ? `selects ${skipped.length} ${objects(skipped.length)}, decides about none` : undefined;
}

/** Nothing is rejected by what deletes on a schedule: what it finds is told as information. */
function deletionsInWords({ noted, skipped }: PolicyTally): string {
  if (noted.length > 0) return `deletes ${noted.length} ${objects(noted.length)} when it next runs`;
  return skipped.length > 0
    ? `selects ${skipped.length} ${objects(skipped.length)}, decides about none`
    : 'deletes nothing';
}

const objects = (count: number): string => (count === 1 ? 'object' : 'objects');

/** What the lens of a policy, or of the rule of it that `rule` names, opens: what it is against, else all it weighed. */
export function policyLocations(
  views: readonly EnvironmentResults[],
  { uri, offset, rule }: { readonly uri: string; readonly offset: number; readonly rule?: string },
): readonly Location[] {
  const results = policyAt(views, uri, offset)?.results ?? [];
  const own = results.filter(it => rule === undefined || it.source?.at.toString().startsWith(`${rule}.`));
  const against = own.filter(isAgainst);
  return locationsOf(against.length > 0 ? against : weighed(tallyOf(own)));
}

/** One lens over each rule of a file of Rego that something is against. */
export function regoLensesOf(results: readonly PolicyResult[], answers: EvaluationStatus): readonly CodeLens[] {
  const rules = new Map(
    results.flatMap(({ sourceText }) => (sourceText ? [[sourceText.span.start, sourceText] as const] : [])),
  );
  return [...rules.values()].map(({ span }) => {
    const tally = tallyOf(resultsAt(results, span.start));
    return marked({ span, title: tallyInWords(tally, 'against') ?? '', policy: {} }, answers);
  });
}

/** What the lens of the rule of a file of Rego that stands at an offset opens. */
export const regoLocations = (results: readonly PolicyResult[], offset: number): readonly Location[] =>
  locationsOf(resultsAt(results, offset));

const resultsAt = (results: readonly PolicyResult[], start: number): readonly PolicyResult[] =>
  results.filter(it => it.sourceText?.span.start === start);

/** Where the objects stand that results are about. */
export const locationsOf = (results: readonly PolicyResult[]): readonly Location[] =>
  distinctLocations(
    results.map(({ location: { object, at, part } }) => ({
      uri: object.manifest.uri,
      span: object.manifest.spanOf(at, part),
    })),
  );
