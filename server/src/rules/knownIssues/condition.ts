import { isObject, type JsonValue } from '../../base/json';
import { celValue } from '../../kube/cel/values';
import type { Kube } from '../../kube/kube';
import type { RuleContext, RuleTarget } from '../framework/rule';
import { podSpecOf } from '../reading/podSpec';
import { ISSUE_FUNCTIONS } from './functions/table';
import type { IssueCheck, IssueLookup } from './knownIssue';
import { type Place, placesAt } from './places';

/** The places at which an object meets an issue, whatever the version. */
export function placesMeeting(issue: IssueCheck, target: RuleTarget, context: RuleContext): readonly Place[] {
  const { kube } = context;
  if (issue.gates?.some(it => !kube.isGateOn(it)) || issue.gatesOff?.some(it => kube.isGateOn(it))) return [];
  if (issue.needs?.some(it => placesAt(it, target).length === 0)) return [];
  const patterns = typeof issue.at === 'string' ? [issue.at] : issue.at;
  return patterns.flatMap(it => placesAt(it, target)).filter(it => isMet(issue, it.value, target, context));
}

function isMet(issue: IssueCheck, self: JsonValue, target: RuleTarget, context: RuleContext): boolean {
  if (issue.function !== undefined) return ISSUE_FUNCTIONS[issue.function]?.(self, target, context) === true;
  if (issue.when === undefined) return true;
  const variables = { ...variablesOf(target, context), self: celValue(self) };
  const found = Object.entries(issue.lookup ?? {}).map(
    ([name, lookup]) => [name, lookedUp(lookup, variables, target, context)] as const,
  );
  return answer(issue.when, { ...variables, found: new Map(found) }, context.kube) === true;
}

/** The value of an expression; undefined where it has none, as where a field is absent or of another type. */
function answer(expression: string, variables: Readonly<Record<string, unknown>>, { cel }: Kube): unknown {
  const checked = cel.issue(expression);
  if (!('root' in checked)) throw new Error(`the condition cannot be evaluated: ${expression}`);
  try {
    return checked.run(variables);
  } catch {
    return undefined;
  }
}

interface ObjectVariables {
  readonly object: unknown;
  readonly pod: unknown;
}

/** Made once for each object. */
function variablesOf(target: RuleTarget, { answers }: RuleContext): ObjectVariables {
  const known = answers?.get('knownIssues') as ObjectVariables | undefined;
  if (known !== undefined) return known;
  const made = { object: celValue(target.value), pod: celValue(podSpecOf(target)?.spec ?? null) };
  answers?.set('knownIssues', made);
  return made;
}

function lookedUp(
  { group = '', kind, name }: IssueLookup,
  variables: Readonly<Record<string, unknown>>,
  { object }: RuleTarget,
  { kube, snapshot }: RuleContext,
): unknown {
  const wanted = answer(name, { ...variables, found: new Map() }, kube);
  if (typeof wanted !== 'string') return null;
  const [first] = [object.namespace, undefined].flatMap(it => snapshot.find(group, kind, it, wanted));
  const value = first?.manifest.value;
  return isObject(value) ? celValue(value) : null;
}
