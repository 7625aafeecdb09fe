import type { ASTNode } from '@marcbachmann/cel-js';
import { callOf, walkNodes } from './ast';
import { collectionFunctions, equal } from './collections';
import { type Functions, kubernetesEqualities, kubernetesFunctions, kubernetesTypes } from './functions';
import { type CelEnvironment, type CelNode, type CelType, celLibrary } from './library';
import { loopMacros } from './loops';
import { hasMacro, optionalMacros } from './macros';
import { compileRegex } from './regex';
import { regexCall } from './regexCalls';
import { CelUnknown } from './undecided';
import { nanosecondsOf } from './values';

/*
 * The parser and the checker are those of cel-js. Kubernetes' functions, its cost limits and its messages are written
 * by hand: no library for JavaScript has them.
 */

/** A checked expression. */
export interface CheckedExpression {
  readonly root: CelNode;
  readonly type: CelType;
  /** The value for these variables. Throws if the evaluation fails or takes too many steps. */
  run(variables: Readonly<Record<string, unknown>>): unknown;
}

/** `problem` is upstream's error; `undecided` is what upstream supports and this engine does not. */
export type CheckResult = CheckedExpression | { readonly problem: string } | { readonly undecided: string };

/** Functions and macros of upstream's environment that this engine lacks. */
const missing: ReadonlySet<string> = new Set([
  'format',
  'format.named',
  'validate',
  'unwrapOpt',
  'optional.unwrap',
  'authorizer',
]);
/** The evaluator's errors for a function, a form or an overload that upstream has and it lacks. */
const gaps: readonly RegExp[] = [
  /^Unknown variable: (?:format|jsonpatch|math|base64|hash)$/,
  /^found no matching overload for '(?:(?:list|\w+Namespace)[.<]|(?:int|string|bytes)\()/,
  /^(?:no such overload|.*applied to).*optional/,
  /^Cannot index type 'undefined'/,
  /^Variable '.*' is not of type /,
  /^Operator overload .* overlaps/,
  /fromIndex out of range$/,
  /^Invalid duration string/,
  /^Unexpected character: `/,
  /^no such overload: .*(?:bytes|google\.protobuf)/,
];

const isGap = (text: string): boolean => gaps.some(it => it.test(text));

/**
 * Upstream's base environment for new expressions: its types, functions and macros, without variables. Only device
 * selectors with lists have `includes`. Lists and maps contain values of one type unless they are declared to contain
 * any. Upstream: k8s.io/apiserver/pkg/cel/environment.
 */
export function kubernetesEnvironment(
  includes: 'has includes' | 'has none',
  literals: 'of one type' | 'of any type' = 'of one type',
): CelEnvironment {
  const { Environment, Optional } = celLibrary();
  const environment = new Environment({
    enableOptionalTypes: true,
    homogeneousAggregateLiterals: literals === 'of one type',
  });
  for (const name of ['IpNamespace', 'SetsNamespace', 'ListsNamespace', 'StringsNamespace']) {
    const ctor = { [name]: class {} }[name] as new () => object;
    environment.registerType(name, { ctor });
    environment.registerConstant(name.replace('Namespace', '').toLowerCase(), name, new ctor());
  }
  for (const [name, ctor] of Object.entries(kubernetesTypes)) environment.registerType(name, { ctor });
  for (const [name, isEqual] of Object.entries(kubernetesEqualities)) {
    environment.registerOperator(`${name} == ${name}`, isEqual as (a: unknown, b: unknown) => boolean);
  }
  const functions = { ...kubernetesFunctions, ...collectionFunctions(includes) };
  for (const [signature, run] of Object.entries(functions))
    environment.registerFunction(signature, run as () => unknown);
  for (const [signature, expand] of Object.entries({ ...optionalMacros(Optional), ...loopMacros() })) {
    environment.registerFunction(signature, expand as () => unknown);
  }
  const optionals: Functions = {
    'OptionalNamespace.ofNonZeroValue(A): optional<A>': (_: unknown, it: unknown) =>
      isZero(it) ? Optional.none() : Optional.of(it),
    'list<dyn>.first(): optional<dyn>': (items: readonly unknown[]) => Optional.of(items[0]),
    'list<dyn>.last(): optional<dyn>': (items: readonly unknown[]) => Optional.of(items.at(-1)),
  };
  for (const [signature, run] of Object.entries(optionals))
    environment.registerFunction(signature, run as () => unknown);
  return environment;
}

function isZero(value: unknown): boolean {
  if (value === null || value === '' || value === false || value === 0 || value === 0n) return true;
  if (value instanceof Map) return value.size === 0;
  return typeof value === 'object' && Object.keys(value).length === 0 && (Array.isArray(value) || isPlain(value));
}

const isPlain = (value: object): boolean => Object.getPrototypeOf(value) === Object.prototype;

/** Parses and checks an expression. */
export function checkExpression(environment: CelEnvironment, expression: string): CheckResult {
  try {
    const parsed = environment.parse(expression);
    const root = parsed.ast as ASTNode & CelNode;
    for (const node of walkNodes(root)) {
      if (node.op === 'call' && callOf(node)?.name === 'has' && node.meta.macro !== undefined) {
        node.meta.macro = hasMacro(callOf(node)?.args ?? []);
      }
    }
    const verdict = parsed.check();
    if (!verdict.valid) return problemOf(verdict.error, expression, root);
    const steps = { left: 0 };
    for (const node of walkNodes(root)) {
      const regex = regexCall(callOf(node)?.name ?? '', microseconds => takeFrom(steps, microseconds));
      if (regex !== undefined) node.handle = operands => regex(...(operands as readonly unknown[]));
      if (node.op === 'in' && node.handle !== undefined) node.handle = membership(node.handle);
      if (isCall(node, 'int')) boundInteger(node);
      if (isCall(node, 'duration')) boundDuration(node);
      if (node.op === '||' || node.op === '&&') throwFirstError(node);
    }
    const wrong = wrongIndex(root) ?? wrongLiteral(root, environment);
    if (wrong !== undefined) return { problem: located(expression, wrong.node.start, wrong.text) };
    return { root, type: root.checkedType!, run: bounded(root, steps, variables => parsed({ ...variables })) };
  } catch (error) {
    return problemOf(error, expression, undefined);
  }
}

/** Numbers of different types may be equal; the evaluator does not support that for unsigned ones in lists. */
const membership =
  (handle: NonNullable<CelNode['handle']>): NonNullable<CelNode['handle']> =>
  (value, list, ...more) =>
    Array.isArray(list) ? list.some(it => equal(value, it)) : handle(value, list, ...more);

const isCall = (node: CelNode, name: string): boolean => node.op === 'call' && callOf(node)?.name === name;

/**
 * Upstream: types.doubleToInt64Checked, which refuses integers beyond 64 bits, and Go's strconv.ParseInt; the evaluator
 * accepts more.
 */
function boundInteger(node: CelNode): void {
  const { handle } = node;
  if (handle !== undefined) {
    node.handle = (operands, ...more) => {
      const [text] = Array.isArray(operands) ? (operands as readonly unknown[]) : [operands];
      if (typeof text === 'string' && !/^[-+]?[0-9]+$/.test(text)) {
        throw new Error("type conversion error from 'string' to 'int'");
      }
      return handle(operands, ...more);
    };
  }
  onResult(node, it => {
    if (typeof it === 'bigint' && BigInt.asIntN(64, it) !== it) throw new Error('integer overflow');
  });
}

/** Upstream: Go's time.ParseDuration counts nanoseconds in 64 bits. */
function boundDuration(node: CelNode): void {
  onResult(node, it => {
    if (isTooLong(it)) throw new Error('invalid duration');
  });
}

function isTooLong(value: unknown): boolean {
  const all = nanosecondsOf(value);
  return all !== undefined && BigInt.asIntN(64, all) !== all;
}

/** Calls `look` with the result of a node. */
function onResult({ meta }: CelNode, look: (value: unknown) => void): void {
  const { evaluate } = meta;
  if (evaluate === undefined) return;
  meta.evaluate = (evaluator, node, scope) => {
    const value = evaluate(evaluator, node, scope);
    look(value);
    return value;
  };
}

/** If both operands fail, upstream reports the error of the first. */
function throwFirstError({ meta, args }: CelNode): void {
  const [left] = args as readonly CelNode[];
  const { evaluate } = meta;
  meta.evaluate = (evaluator, node, scope) => {
    try {
      return evaluate?.(evaluator, node, scope);
    } catch (error) {
      if (left) evaluator.run(left, scope);
      throw error;
    }
  };
}

/** The maximum number of steps of an evaluation, some tenths of a second. */
const MAX_STEPS = 1_000_000;

interface Steps {
  left: number;
}

function takeFrom(steps: Steps, count: number): void {
  steps.left -= count;
  if (steps.left < 0) throw new CelUnknown(`it takes more than ${MAX_STEPS} steps`);
}

/** Counts the steps of each run, so that nested loops end. */
function bounded(root: CelNode, steps: Steps, run: CheckedExpression['run']): CheckedExpression['run'] {
  for (const { meta } of walkNodes(root)) {
    const { evaluate } = meta;
    if (evaluate === undefined) continue;
    meta.evaluate = (evaluator, node, scope) => {
      takeFrom(steps, 1);
      return evaluate(evaluator, node, scope);
    };
  }
  return variables => {
    steps.left = MAX_STEPS;
    return run(variables);
  };
}

interface CelError {
  readonly code?: string;
  readonly summary?: string;
  readonly message?: string;
  readonly range?: { readonly start: number };
}

function problemOf(error: unknown, expression: string, root: CelNode | undefined): CheckResult {
  const { code, summary, range, message } = error as CelError;
  if (error instanceof RangeError) return { undecided: TOO_DEEP };
  if (code === undefined && isGap(message ?? '')) return { undecided: message ?? '' };
  if (code === undefined) throw error;
  const unknown = /^Unknown variable: (.*)$/s.exec(summary ?? '')?.[1];
  if (root !== undefined && (code === 'no_matching_overload' || unknown !== undefined)) {
    const undecided = [...walkNodes(root)].map(callOf).find(it => it !== undefined && missing.has(it.name));
    if (undecided !== undefined) return { undecided: undecided.name };
  }
  const isOptionalElement = summary === 'Unexpected token: QUESTION' && /[[{,]\s*\?/.test(expression);
  if (isOptionalElement || isGap(summary ?? '')) return { undecided: summary ?? '' };
  const field = code === 'no_such_key' ? /^No such key: (.*)$/s.exec(summary ?? '')?.[1] : undefined;
  const text =
    (unknown !== undefined && `undeclared reference to '${unknown}' (in container '')`) ||
    (field !== undefined && `undefined field '${field}'`) ||
    (root === undefined ? `Syntax error: ${summary}` : (summary ?? ''));
  const start = range?.start ?? 0;
  return { problem: located(expression, field === undefined ? start : startOfAccess(expression, start, root), text) };
}

/** Upstream's position of a field access is its dot, and that of `has` is the parenthesis. */
function startOfAccess(expression: string, start: number, root: CelNode | undefined): number {
  for (const node of root ? walkNodes(root) : []) {
    const call = callOf(node);
    const asked = call?.name === 'has' ? call.args[0] : undefined;
    if (asked && asked.start < start && start < asked.end && !expression.slice(start, asked.end).includes('.')) {
      return expression.indexOf('(', node.start);
    }
  }
  return expression.lastIndexOf('.', start);
}

/** `compilation failed: ERROR: <input>:1:5: …` with the line and a caret below the position, as upstream prints it. */
export function located(expression: string, start: number, text: string): string {
  const before = expression.slice(0, start).split('\n');
  const line = expression.split('\n')[before.length - 1] ?? '';
  const column = before.at(-1)?.length ?? 0;
  return `compilation failed: ERROR: <input>:${before.length}:${column + 1}: ${text}\n | ${line}\n | ${'.'.repeat(column)}^`;
}

/** An index whose type is not that of the map's keys, which the evaluator's checker does not check. */
function wrongIndex(root: CelNode): { readonly node: CelNode; readonly text: string } | undefined {
  for (const node of walkNodes(root)) {
    if (node.op !== '[]' && node.op !== '[?]') continue;
    const [operand, index] = node.args as readonly [CelNode, CelNode];
    const type = operand.checkedType;
    const given = index.checkedType;
    if (type?.kind !== 'map' || given === undefined || given.kind === 'dyn' || type.keyType?.kind !== 'primitive')
      continue;
    if (type.keyType.name === given.name) continue;
    return {
      node,
      text: `found no matching overload for '_${node.op.replace(/[[\]]/g, it => (it === '[' ? '[' : '_]'))}' applied to '(${upstreamName(type)}, ${upstreamName(given)})'`,
    };
  }
  return undefined;
}

/**
 * Literals are checked with the expression: patterns, durations, timestamps, and integers of more than 64 bits.
 * Upstream: cel.ValidateRegexLiterals, ValidateDurationLiterals, ValidateTimestampLiterals.
 */
function wrongLiteral(
  root: CelNode,
  environment: CelEnvironment,
): { readonly node: CelNode; readonly text: string } | undefined {
  const negated = new Set([...walkNodes(root)].flatMap(leastInteger));
  for (const node of walkNodes(root)) {
    const isTooBig = node.op === 'value' && typeof node.args === 'bigint' && BigInt.asIntN(64, node.args) !== node.args;
    if (isTooBig && !negated.has(node)) {
      return { node, text: 'invalid int literal' };
    }
    const call = callOf(node);
    const literal = call?.args.at(-1);
    if (call === undefined || literal?.op !== 'value' || typeof literal.args !== 'string') continue;
    const isWrong =
      (call.name === 'matches' && 'error' in compileRegex(literal.args)) ||
      (call.name === 'duration' &&
        (isDuration(literal.args)
          ? isTooLong(valueOfCall(environment, call.name, literal.args))
          : fails(environment, call.name, literal.args))) ||
      (call.name === 'timestamp' && (!isDate(literal.args) || fails(environment, call.name, literal.args)));
    if (isWrong) return { node: literal, text: `invalid ${call.name} argument` };
  }
  return undefined;
}

/** The sign is part of a literal, so that the least integer can be written, whose digits alone exceed the maximum. */
function leastInteger({ op, args, start }: CelNode): readonly CelNode[] {
  const operand = args as CelNode;
  const isLeast = op === '-_' && operand.op === 'value' && operand.args === 2n ** 63n;
  return isLeast && operand.start === start + 1 ? [operand] : [];
}

/** Upstream: Go's time.ParseDuration. */
const isDuration = (text: string): boolean =>
  /^[-+]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/.test(text);

/** Whether the day exists; JavaScript would continue in the next month. */
function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)T/.exec(text) ?? [];
  return (
    year !== undefined && new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day)
  );
}

const fails = (environment: CelEnvironment, name: string, literal: string): boolean =>
  valueOfCall(environment, name, literal) === undefined;

/** undefined if the call fails. */
function valueOfCall(environment: CelEnvironment, name: string, literal: string): unknown {
  try {
    return environment.evaluate(`${name}(${JSON.stringify(literal)})`);
  } catch {
    return undefined;
  }
}

/** A type as upstream writes it: `map(string, list(int))`. */
export function upstreamName(type: CelType): string {
  return type.name.replaceAll('<', '(').replaceAll('>', ')').replaceAll('optional(', 'optional_type(');
}

/** The evaluator calls itself for each part of a part, until there is no stack left. */
const TOO_DEEP = 'an expression of so many nested parts';

/** The meaning of an exception during evaluation. */
export function failureOf(error: unknown): { readonly error: string } | { readonly undecided: string } {
  if (error instanceof CelUnknown) return { undecided: error.message };
  if (error instanceof RangeError) return { undecided: TOO_DEEP };
  const { summary, message } = error as { readonly summary?: string; readonly message?: string };
  const text = summary ?? message ?? String(error);
  if (isGap(text)) return { undecided: text };
  const key = /^No such key: (.*)$/s.exec(text)?.[1];
  return { error: key === undefined ? text : `no such key: ${key}` };
}
