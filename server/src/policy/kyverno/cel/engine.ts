import { callOf, walkNodes } from '../../../kube/cel/ast';
import { type CheckResult, checkExpression, failureOf, kubernetesEnvironment } from '../../../kube/cel/environment';
import { type CelEnvironment, type CelNode, celLibrary } from '../../../kube/cel/library';
import { CelUnknown } from '../../../kube/cel/undecided';
import { OutOfSteps } from '../results/failures';
import { type ClusterLibrary, withLibraries } from './libraries';
import { withObjectCalls } from './literals';
import { withPlainLibraries } from './plainLibraries';

/** `undecided` names a feature that Kyverno has and this evaluator lacks. */
export type CelResult = { readonly value: unknown } | { readonly error: string } | { readonly undecided: string };

/**
 * Evaluates expressions; each is compiled once. The interface behind which the WebAssembly engine could be used
 * instead.
 */
export interface CelEngine {
  evaluate(expression: string, variables: Readonly<Record<string, unknown>>): CelResult;
  /** Why an expression does not compile; undefined when it does, or when this is unknown. */
  problemOf(expression: string): string | undefined;
}

/** Variables of the expressions in Kyverno's rules and policies. */
const variableNames = ['object', 'oldObject', 'request', 'params', 'namespaceObject', 'variables', 'exceptions', 'ref'];

/** Functions that need a cluster, a registry, or a library that is missing here. */
const foreignNames =
  /\b(authorizer|math|gzip|verifyImageSignatures|verifyAttestationSignatures|getImageData|extractPayload)\s*[.(]|\b(?:resource)\.(post|Post|toGVR|ToGVR)\s*\(/;

/**
 * For the expressions of rules, in the API server's environment as Kyverno sets it up. Upstream:
 * admissionpolicy.NewCompiler.
 */
export function celEngine(): CelEngine {
  return engineFor({ environmentOf: baseEnvironment, changes: [takeAnyReceiver], parsed: it => it });
}

/** Whether list and map literals may mix types. */
export type Literals = 'of one type' | 'of any type';

/**
 * The expressions of policies.kyverno.io, with Kyverno's libraries. Upstream: compiler.DefaultEnvOptionsWithCompat, and
 * DynamicResourceEnvOptionsWithCompat for literals of any type.
 */
export function policyCelEngine(cluster: ClusterLibrary, literals: Literals = 'of one type'): CelEngine {
  return engineFor({
    environmentOf: () => withPlainLibraries(withLibraries(baseEnvironment(literals), cluster)),
    changes: [takeAnyReceiver],
    parsed: withObjectCalls,
  });
}

const baseEnvironment = (literals: Literals = 'of one type'): CelEnvironment =>
  variableNames.reduce((it, name) => it.registerVariable(name, 'dyn'), kubernetesEnvironment('has none', literals));

interface EngineParts {
  readonly environmentOf: () => CelEnvironment;
  readonly changes: readonly ((root: CelNode) => void)[];
  /** The source that is parsed for an expression. */
  readonly parsed: (expression: string) => string;
}

/** Nobody writes a longer expression by hand, and each object would be judged by it, with a message about it. */
const LONGEST_EXPRESSION = 10_000;
const TOO_LONG = `the expression has more than ${LONGEST_EXPRESSION.toLocaleString('en')} characters and is not evaluated here`;

function engineFor({ environmentOf, changes, parsed }: EngineParts): CelEngine {
  const environments: CelEnvironment[] = [];
  const compiled = new Map<string, CheckResult>();
  const compile = (expression: string): CheckResult => {
    const cached = compiled.get(expression);
    if (cached !== undefined) return cached;
    environments[0] ??= environmentOf();
    const source = parsed(expression);
    const result = checkExpression(environments[0], source);
    // The reported position refers to the parsed source, so it is dropped when that differs from the expression.
    const checked = source !== expression && 'problem' in result ? { problem: withoutPlace(result.problem) } : result;
    if ('root' in checked) for (const change of changes) change(checked.root);
    compiled.set(expression, checked);
    return checked;
  };
  return {
    problemOf: expression => {
      if (expression.length > LONGEST_EXPRESSION) return undefined;
      const checked = compile(expression);
      return 'problem' in checked && !foreignNames.test(expression) ? checked.problem : undefined;
    },
    evaluate: (expression, variables) => {
      if (expression.length > LONGEST_EXPRESSION) return { undecided: TOO_LONG };
      const checked = compile(expression);
      if ('undecided' in checked)
        return { undecided: `the expression uses ${checked.undecided}, which Berth does not have` };
      if ('problem' in checked) return problemOf(expression, checked.problem);
      try {
        return { value: checked.run(variables) };
      } catch (error) {
        const failure = failureOf(error);
        if ('undecided' in failure && /takes more than \d+ steps/.test(failure.undecided)) throw new OutOfSteps();
        return failure;
      }
    },
  };
}

const withoutPlace = (problem: string): string =>
  problem.replace(/^(compilation failed: ERROR: )<input>:\d+:\d+: ([^\n]*)[\s\S]*$/, '$1$2');

function problemOf(expression: string, problem: string): CelResult {
  const library = foreignNames.exec(expression)?.[1];
  return library === undefined
    ? { error: problem }
    : { undecided: `the expression uses ${library}, which Berth does not answer` };
}

/** `x.orValue(y)` returns x when x is no optional. Upstream: OrValueCompatEnvOptions. */
function takeAnyReceiver(root: CelNode): void {
  const { Optional } = celLibrary();
  for (const node of walkNodes(root)) {
    const { macro } = node.meta;
    const call = callOf(node);
    if (macro === undefined || call?.name !== 'orValue' || call.target === undefined) continue;
    const { target, args } = call;
    const [otherwise] = args;
    macro.evaluate = (evaluator, _, scope) => {
      const value = evaluator.run(target, scope);
      if (!(value instanceof Optional)) return value;
      return value.hasValue() ? value.value() : otherwise && evaluator.run(otherwise, scope);
    };
  }
}

/** A variable that an expression defines. */
export interface CelDefinition {
  readonly name: string;
  readonly expression: string;
}

/** Variables that expressions define, evaluated on first use. Upstream: the lazy map of composited variables. */
export function lazyVariables(
  definitions: readonly CelDefinition[],
  engine: CelEngine,
  variables: Readonly<Record<string, unknown>>,
): object {
  const object = {};
  const results = new Map<string, CelResult>();
  for (const { name, expression } of definitions) {
    Object.defineProperty(object, name, {
      enumerable: true,
      // Of two variables with the same name the later one is used.
      configurable: true,
      get: () => {
        if (!results.has(name)) {
          results.set(name, { error: `undefined field '${name}': the variable needs itself` });
          results.set(name, engine.evaluate(expression, { ...variables, variables: object }));
        }
        const result = results.get(name) as CelResult;
        if ('value' in result) return result.value;
        if ('undecided' in result) throw new CelUnknown(result.undecided);
        throw new Error(result.error);
      },
    });
  }
  return object;
}
