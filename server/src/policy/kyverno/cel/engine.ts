import { type CheckResult, checkExpression, failureOf, kubernetesEnvironment } from '../../../kube/cel/environment';
import type { CelEnvironment } from '../../../kube/cel/library';
import type { JsonObject, JsonValue } from '../../../manifest/manifest';
import { isList, isMap } from '../goValues';

/** `undecided` names what Kyverno has and the evaluator has not. */
export type CelResult = { readonly value: unknown } | { readonly error: string } | { readonly undecided: string };

/** Evaluates expressions; each is compiled once. The seam where the engine in WebAssembly can take its place. */
export interface CelEngine {
  evaluate(expression: string, variables: Readonly<Record<string, unknown>>): CelResult;
}

/** What expressions of Kyverno's rules and policies see. */
const variableNames = ['object', 'oldObject', 'request', 'params', 'namespaceObject', 'variables', 'exceptions'];

/** Variables of Kyverno's own libraries, and the one for authorization: their answers come from a cluster. */
const clusterNames = /\b(authorizer|resource|http|globalContext|images?|user)\s*[.(]/;

export function celEngine(): CelEngine {
  const made: CelEnvironment[] = [];
  const compiled = new Map<string, CheckResult>();
  const compile = (expression: string): CheckResult => {
    made[0] ??= variableNames.reduce((it, name) => it.registerVariable(name, 'dyn'), kubernetesEnvironment('has none'));
    const checked = compiled.get(expression) ?? checkExpression(made[0], expression);
    compiled.set(expression, checked);
    return checked;
  };
  return {
    evaluate: (expression, variables) => {
      const checked = compile(expression);
      if ('undecided' in checked) return { undecided: `the expression uses ${checked.undecided}` };
      if ('problem' in checked) return problemOf(expression, checked.problem);
      return run(checked.run, variables);
    },
  };
}

function problemOf(expression: string, problem: string): CelResult {
  const library = clusterNames.exec(expression)?.[1];
  return library === undefined
    ? { error: problem }
    : { undecided: `the expression asks ${library} for what only a cluster or a registry knows` };
}

function run(
  evaluate: (variables: Readonly<Record<string, unknown>>) => unknown,
  variables: Readonly<Record<string, unknown>>,
): CelResult {
  try {
    return { value: evaluate(variables) };
  } catch (error) {
    if (error instanceof UndecidedVariable) return { undecided: error.message };
    return failureOf(error);
  }
}

class UndecidedVariable extends Error {}

/**
 * Variables that expressions define, worked out when they are first asked for. Upstream: the lazy map of composited
 * variables.
 */
export function lazyVariables(
  definitions: readonly { readonly name: string; readonly expression: string }[],
  engine: CelEngine,
  given: Readonly<Record<string, unknown>>,
): object {
  const variables = {};
  const known = new Map<string, CelResult>();
  for (const { name, expression } of definitions) {
    Object.defineProperty(variables, name, {
      enumerable: true,
      get: () => {
        const result = known.get(name) ?? engine.evaluate(expression, { ...given, variables });
        known.set(name, result);
        if ('value' in result) return result.value;
        if ('undecided' in result) throw new UndecidedVariable(result.undecided);
        throw new Error(result.error);
      },
    });
  }
  return variables;
}

/** JSON as CEL has it: whole numbers are integers. */
export function celValue(value: JsonValue | undefined): unknown {
  if (value === undefined) return null;
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  if (isList(value)) return value.map(celValue);
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value as JsonObject).map(([key, it]) => [key, celValue(it)]));
}
