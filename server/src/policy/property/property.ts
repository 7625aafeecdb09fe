import { asObject, asText, type JsonObject } from '../../base/json';
import { lazy, lazyByObject } from '../../base/lazy';
import { matchesAnyWildcard } from '../../base/wildcard';
import type { CelCompilers } from '../../kube/cel/compilers';
import { type CheckResult, failureOf } from '../../kube/cel/environment';
import { celValue } from '../../kube/cel/values';
import type { Kube } from '../../kube/kube';
import { labelMapMatcher } from '../../kube/labelSelector';
import { podSpecPath } from '../../kube/podTemplates';
import { FieldPath } from '../../manifest/fieldPath';
import { fieldAt } from '../../manifest/valueAt';
import type { Severity } from '../../rules/framework/problem';
import { podSpecOf } from '../../rules/reading/podSpec';
import type { WorkspaceObject } from '../../workspace/object';
import type { PolicyResult } from '../result';

/** An assertion on objects, similar to CloudFormation Guard: a rule of `rules:` in berth.yaml. */
export interface PropertyRule {
  readonly name: string;
  /** CEL that must be true of `object`, the object as written, and of `pod`, the PodSpec that it is or contains. */
  readonly expression: string;
  readonly message?: string;
  /** CEL that returns the message as a string. */
  readonly messageExpression?: string;
  readonly severity: Severity;
  readonly why?: string;
  /** The field to underline: from the object's root, or from the PodSpec when it starts with `pod.`. */
  readonly at?: string;
  readonly select: PropertySelector;
  readonly tests?: readonly PropertyTest[];
}

/** The expected outcome of a rule for an object. */
export interface PropertyTest {
  readonly name?: string;
  readonly object: JsonObject;
  /** `skips`: the rule does not apply to the object. */
  readonly expect: 'holds' | 'fails' | 'skips';
  /** Part of the message of a failing rule. */
  readonly message?: string;
}

/** The objects to which a rule applies. Absent fields select everything. */
export interface PropertySelector {
  /** `Deployment`, `apps/Deployment` or `apps/v1/Deployment`; `*` matches within a segment. */
  readonly kinds?: readonly string[];
  readonly namespaces?: readonly string[];
  readonly names?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
}

/** What the rules find in one object. Most objects pass most rules, so that a result for each would be most of the memory. */
export interface PropertyResults {
  /** Failures and errors, in the order of the rules. */
  readonly told: readonly PolicyResult[];
  /** The names of the rules that hold. */
  readonly passed: ReadonlySet<string>;
}

/** Evaluates the rules on one object. Rules that use `pod` apply only to objects with Pods. */
export function evaluateProperties(
  rules: readonly PropertyRule[],
  object: WorkspaceObject,
  kube: Pick<Kube, 'cel'>,
): PropertyResults {
  const variables = lazy(() => variablesOf(object));
  const told: PolicyResult[] = [];
  const passed: string[] = [];
  for (const rule of rules) {
    const result = isSelected(object, rule.select) ? resultOf(rule, object, variables, kube.cel) : undefined;
    if (result === 'pass') passed.push(rule.name);
    else if (result !== undefined) told.push(result);
  }
  return { told, passed: passed.length === rules.length ? namesOf(rules) : new Set(passed) };
}

/** Shared by all objects that pass all rules. */
const namesOf = lazyByObject(
  (rules: readonly PropertyRule[]): ReadonlySet<string> => new Set(rules.map(it => it.name)),
);

/** What the expressions of all rules see of an object; `pod` is null where it has no Pods. */
function variablesOf(object: WorkspaceObject): Variables {
  const { value } = object.manifest;
  const place = podSpecOf({ object, value, kind: undefined });
  return { object: celValue(value), pod: celValue(place?.spec ?? null) };
}

type Variables = Readonly<Record<'object' | 'pod', unknown>>;

interface CheckedRule {
  readonly expression: CheckResult;
  readonly message: CheckResult | undefined;
}

/** Each is compiled once, however many objects there are: the compiler keeps the latest texts only. */
const checkedBy = lazyByObject((cel: CelCompilers) =>
  lazyByObject(
    ({ expression, messageExpression }: PropertyRule): CheckedRule => ({
      expression: cel.assertion(expression),
      message: messageExpression === undefined ? undefined : cel.assertion(messageExpression),
    }),
  ),
);

/** The compile error of an expression; undefined when there is none. */
export function expressionProblem(expression: string, assertion: CelCompilers['assertion']): string | undefined {
  const checked = assertion(expression);
  if ('problem' in checked) return checked.problem.replace(/^compilation failed: /, '');
  return 'undecided' in checked ? `Berth cannot evaluate ${checked.undecided}` : undefined;
}

function resultOf(
  rule: PropertyRule,
  object: WorkspaceObject,
  variablesHere: () => Variables,
  cel: CelCompilers,
): PolicyResult | 'pass' | undefined {
  const { expression: checked, message } = checkedBy(cel)(rule);
  // Compile errors are reported in berth.yaml.
  if (!('root' in checked)) return undefined;
  const variables = variablesHere();
  if (variables.pod === null && usesPod(rule)) return undefined;
  const result = (outcome: 'fail' | 'error', message: string): PolicyResult => ({
    ...{ engine: 'property', policy: rule.name, severity: rule.severity, outcome, message },
    location: { object, at: locationOf(rule, object), part: 'key' },
  });
  try {
    const holds = checked.run(variables);
    if (holds === true) return 'pass';
    if (holds === false) return result('fail', messageOf(rule, message, variables));
    return result('error', `rule ${rule.name} is neither true nor false here`);
  } catch (error) {
    const failure = failureOf(error);
    const why = 'error' in failure ? failure.error : failure.undecided;
    return result('error', `rule ${rule.name} cannot be evaluated here: ${why}`);
  }
}

const usesPod = ({ expression }: PropertyRule): boolean => /(^|[^\w.])pod\b/.test(expression);

function messageOf(rule: PropertyRule, checked: CheckResult | undefined, variables: Variables): string {
  const plain = rule.message ?? `${rule.expression.trim()} does not hold`;
  if (checked === undefined || !('root' in checked)) return plain;
  try {
    const message = checked.run(variables);
    return typeof message === 'string' && message.trim() !== '' ? message : plain;
  } catch {
    return plain;
  }
}

function locationOf({ at }: PropertyRule, { kind }: WorkspaceObject): FieldPath {
  if (at === undefined) return FieldPath.root;
  const steps = at.split('.');
  return FieldPath.of(...(steps[0] === 'pod' ? [...(podSpecPath(kind) ?? []), ...steps.slice(1)] : steps));
}

function isSelected(object: WorkspaceObject, { kinds, namespaces, names, labels }: PropertySelector): boolean {
  const { group, version, kind, namespace = '', name = '' } = object;
  const spellings = [kind, `${group}/${kind}`, `${group === '' ? '' : `${group}/`}${version}/${kind}`];
  if (kinds !== undefined && !spellings.some(it => matchesAnyWildcard(kinds, it))) return false;
  if (namespaces !== undefined && !matchesAnyWildcard(namespaces, namespace)) return false;
  if (names !== undefined && !matchesAnyWildcard(names, name)) return false;
  return labels === undefined || labelMapMatcher(labels).matches(labelsOf(object));
}

function labelsOf({ manifest }: WorkspaceObject): Readonly<Record<string, string>> {
  const labels = asObject(fieldAt(manifest.value, 'metadata', 'labels')) ?? {};
  return Object.fromEntries(Object.entries(labels).map(([key, it]) => [key, asText(it) ?? '']));
}
