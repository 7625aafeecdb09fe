import { type FunctionTable, type FunctionUse, functionsOf } from './declarations';
import { MACROS, type Macros } from './macros';
import { DYN, listOf, mapOf, optionalOf, parseType, type Type, typeOf } from './types';

/** What expressions may call. */
export interface ExpressionBase {
  readonly macros: Macros;
  /** Whether a field may be called by a word that CEL reserves. */
  readonly recognizesKeywords: boolean;
  functions(use: FunctionUse): FunctionTable;
}

/**
 * The environment of a minor, for example "1.37". New expressions may use what the minor before has, for a rollback;
 * stored ones may use everything. Upstream: environment.EnvSet with DefaultCompatibilityVersion.
 */
export function expressionBase(minor: string, age: 'new' | 'stored'): ExpressionBase {
  const number = minorNumber(minor) - (age === 'new' ? 1 : 0);
  const isServerOf = (since: string): boolean => minorNumber(since) <= minorNumber(minor);
  const hasLibrary = (since: string): boolean => minorNumber(since) <= number;
  const made = new Map<FunctionUse, FunctionTable>();
  return {
    macros: new Set([
      ...MACROS.always,
      ...(hasLibrary('1.32') ? MACROS.twoVariables : []),
      ...(hasLibrary('1.34') ? MACROS.lists : []),
    ]),
    recognizesKeywords: hasLibrary('1.31'),
    functions(use) {
      const functions = made.get(use) ?? functionsOf({ isServerOf, hasLibrary }, use);
      made.set(use, functions);
      return functions;
    },
  };
}

const minorNumber = (minor: string): number => Number(minor.slice(minor.indexOf('.') + 1));

/** The type of the name of a type; undefined for another name. */
export const standardTypeOfName = (name: string): Type | undefined =>
  Object.hasOwn(TYPE_NAMES, name) ? TYPE_NAMES[name] : undefined;

/** Messages of Protocol Buffers, such as `google.protobuf.Int32Value`, whose fields are not checked. */
export const isProtobuf = (name: string): boolean => name.startsWith('google.protobuf.');

/** Upstream: stdlib.Types, by their names in expressions. */
const TYPE_NAMES: Readonly<Record<string, Type>> = {
  ...Object.fromEntries(
    ['bool', 'bytes', 'double', 'int', 'null_type', 'string', 'uint']
      .concat(['google.protobuf.Duration', 'google.protobuf.Timestamp'])
      .map(it => [it, typeOf(parseType(it))]),
  ),
  list: typeOf(listOf(DYN)),
  map: typeOf(mapOf(DYN, DYN)),
  optional_type: typeOf(optionalOf(DYN)),
  type: typeOf(typeOf(DYN)),
};
