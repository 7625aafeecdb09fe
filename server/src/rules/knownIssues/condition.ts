import { isObject, type JsonValue } from '../../base/json';
import { lazyByText } from '../../base/lazy';
import { celValue } from '../../kube/cel/values';
import type { Kube } from '../../kube/kube';
import type { RuleContext, RuleTarget } from '../framework/rule';
import { podSpecOf } from '../reading/podSpec';
import { ISSUE_FUNCTIONS } from './functions/table';
import type { IssueCheck, IssueLookup } from './knownIssue';
import { hasPlace, isSet, type Place, placesAt } from './places';

const patternsOf = ({ at }: IssueCheck): readonly string[] => (typeof at === 'string' ? [at] : at);

/** Whether an object has what an issue looks at, by its cheap tests alone: all issues are asked of each object. */
export function mayConcern(issue: IssueCheck, target: RuleTarget): boolean {
  const test = (value: JsonValue): boolean => mayMeet(issue, value);
  return patternsOf(issue).some(it => hasPlace(it, target, test)) && !issue.needs?.some(it => !hasPlace(it, target));
}

/** Whether the gates are as an issue needs them. */
export function hasGates({ gates, gatesOff }: IssueCheck, kube: Kube): boolean {
  return gates?.every(it => kube.isGateOn(it)) !== false && gatesOff?.some(it => kube.isGateOn(it)) !== true;
}

/** The places that pass the cheap tests of an issue that may concern the object. */
export function placesToTest(issue: IssueCheck, target: RuleTarget): readonly Place[] {
  return patternsOf(issue)
    .flatMap(it => placesAt(it, target))
    .filter(it => mayMeet(issue, it.value));
}

/** The cheap tests: a condition takes some microseconds, and one that fails for an absent field ten times that. */
function mayMeet({ has, hasAny, includes, longerThan }: IssueCheck, self: JsonValue): boolean {
  if (includes !== undefined && !(typeof self === 'string' && self.includes(includes))) return false;
  if (longerThan !== undefined && !(typeof self === 'string' && self.length > longerThan)) return false;
  if (hasAny?.some(it => isSet(self, it)) === false) return false;
  return has?.every(it => isSet(self, it)) !== false;
}

/** Whether an object meets the condition of an issue at a place, whatever the version. */
export function isMet(issue: IssueCheck, self: JsonValue, target: RuleTarget, context: RuleContext): boolean {
  if (issue.function !== undefined) return ISSUE_FUNCTIONS[issue.function]?.(self, target, context) === true;
  if (issue.when === undefined) return true;
  const variables: Variables = { self: celValue(self), found: new Map() };
  const found = Object.entries(issue.lookup ?? {}).map(
    ([name, lookup]) => [name, lookedUp(lookup, variables, target, context)] as const,
  );
  return answer(issue.when, { ...variables, found: new Map(found) }, target, context) === true;
}

/** What an expression may name beside the object. */
interface Variables {
  readonly self: unknown;
  readonly found: ReadonlyMap<string, unknown>;
}

/** The value of an expression; undefined where it has none, as where a field is absent or of another type. */
function answer(expression: string, variables: Variables, target: RuleTarget, context: RuleContext): unknown {
  const checked = context.kube.cel.issue(expression);
  if (!('root' in checked)) throw new Error(`the condition cannot be evaluated: ${expression}`);
  const named = namedIn(expression);
  try {
    return checked.run({
      ...variables,
      ...(named.object && { object: converted('object', target, context) }),
      ...(named.pod && { pod: converted('pod', target, context) }),
    });
  } catch {
    return undefined;
  }
}

/** Which of the large variables an expression names: converting them takes longer than most conditions do. */
const namedIn = lazyByText(text => ({ object: /\bobject\b/.test(text), pod: /\bpod\b/.test(text) }));

/** Made once for each object. */
function converted(name: 'object' | 'pod', target: RuleTarget, { answers }: RuleContext): unknown {
  const key = `known issues: ${name}`;
  const known = answers?.get(key);
  if (known !== undefined) return known;
  const made = celValue(name === 'object' ? target.value : (podSpecOf(target)?.spec ?? null));
  answers?.set(key, made);
  return made;
}

function lookedUp(
  { group = '', kind, name }: IssueLookup,
  variables: Variables,
  target: RuleTarget,
  context: RuleContext,
): unknown {
  const wanted = answer(name, variables, target, context);
  if (typeof wanted !== 'string') return null;
  const { snapshot } = context;
  const [first] = [target.object.namespace, undefined].flatMap(it => snapshot.find(group, kind, it, wanted));
  const value = first?.manifest.value;
  return isObject(value) ? celValue(value) : null;
}
