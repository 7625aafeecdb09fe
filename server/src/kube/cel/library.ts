import type { Environment } from '@marcbachmann/cel-js';

/** A type from the checker: `name` is `string`, `list<int>`, `map<string, dyn>`, `kubernetes.Quantity`. */
export interface CelType {
  readonly kind: 'primitive' | 'list' | 'map' | 'message' | 'enum' | 'dyn' | 'optional' | 'param';
  readonly name: string;
  readonly keyType?: CelType;
  readonly valueType?: CelType;
}

/** A node of a parsed expression. `Shape` in `ast.ts` describes the `args` of each operator. */
export interface CelNode {
  readonly op: string;
  readonly args: unknown;
  readonly start: number;
  readonly end: number;
  /** Set by a successful check. */
  readonly checkedType?: CelType;
  readonly meta: { macro?: CelMacro; evaluate?: (evaluator: Evaluator, node: CelNode, scope: Scope) => unknown };
  /** How a checked access or call handles its operands. */
  handle?: (operands: unknown, second: unknown, ...more: readonly unknown[]) => unknown;
}

/** The interface of the checker and the evaluator for macros. */
export interface Checker {
  check(node: CelNode, scope: Scope): CelType;
  checkAccessOnType(node: CelNode, scope: Scope, type: CelType): CelType;
  getType(name: string): CelType;
  createError(code: string, text: string, node: CelNode): Error;
}

export interface Evaluator {
  run(node: CelNode, scope: Scope): unknown;
}

/** Variables and their types and, while an expression runs, their values. */
export interface Scope {
  forkWithVariable(name: string, type: CelType): Scope;
  setIterValue(value: unknown, evaluator: Evaluator): Scope;
  reuse(parent: Scope): Scope;
}

export interface CelMacro {
  readonly args?: readonly CelNode[];
  readonly async?: boolean;
  typeCheck(checker: Checker, macro: CelMacro, scope: Scope): CelType;
  evaluate(evaluator: Evaluator, macro: CelMacro, scope: Scope): unknown;
}

/** What a macro is called with. */
export interface MacroCall {
  readonly args: readonly CelNode[];
  readonly receiver: CelNode;
}

export type CelEnvironment = Environment;

/** The evaluator's module. It is part of the bundle, but run only when the first expression is compiled. */
export function celLibrary(): typeof import('@marcbachmann/cel-js') {
  return require('@marcbachmann/cel-js');
}
