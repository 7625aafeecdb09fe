/** The types of cel-go's checker. Upstream: github.com/google/cel-go/common/types.Type. */

export type TypeKind =
  | 'dyn'
  | 'error'
  | 'null'
  | 'bool'
  | 'bytes'
  | 'double'
  | 'int'
  | 'string'
  | 'uint'
  | 'duration'
  | 'timestamp'
  | 'list'
  | 'map'
  | 'opaque'
  | 'struct'
  | 'type'
  | 'param'
  | 'none';

export interface Type {
  readonly kind: TypeKind;
  readonly name: string;
  readonly params: readonly Type[];
  /** Whether a type parameter occurs in it. */
  readonly isOpen: boolean;
  /** How many types it consists of. */
  readonly size: number;
}

/** Types that consist of more are not told apart: comparing them would take too long. */
const LARGEST = 100;

function made(kind: TypeKind, name: string, params: readonly Type[] = []): Type {
  const size = params.reduce((sum, it) => sum + it.size, 1);
  if (size > LARGEST) return DYN;
  return { kind, name, params, isOpen: kind === 'param' || params.some(it => it.isOpen), size };
}

export const DYN: Type = { kind: 'dyn', name: 'dyn', params: [], isOpen: false, size: 1 };
export const ERROR = made('error', '*error*');
export const BOOL = made('bool', 'bool');
export const INT = made('int', 'int');
export const STRING = made('string', 'string');
/** What upstream has for a field without a type. */
export const NONE = made('none', '');

const SIMPLE: Readonly<Record<string, Type>> = {
  dyn: DYN,
  bool: BOOL,
  int: INT,
  string: STRING,
  bytes: made('bytes', 'bytes'),
  double: made('double', 'double'),
  uint: made('uint', 'uint'),
  null_type: made('null', 'null_type'),
  'google.protobuf.Duration': made('duration', 'google.protobuf.Duration'),
  'google.protobuf.Timestamp': made('timestamp', 'google.protobuf.Timestamp'),
};

export const NULL = simple('null_type');
export const DOUBLE = simple('double');
export const UINT = simple('uint');
export const BYTES = simple('bytes');

function simple(name: string): Type {
  return SIMPLE[name] ?? DYN;
}

export const listOf = (item: Type): Type => made('list', 'list', [item]);
export const mapOf = (key: Type, value: Type): Type => made('map', 'map', [key, value]);
export const optionalOf = (value: Type): Type => made('opaque', 'optional_type', [value]);
export const typeOf = (value: Type): Type => made('type', 'type', [value]);
export const structType = (name: string): Type => made('struct', name);
const paramType = (name: string): Type => made('param', name);

export const isOptional = (it: Type): boolean => it.kind === 'opaque' && it.name === 'optional_type';
export const isDynOrError = (it: Type): boolean => it.kind === 'dyn' || it.kind === 'error';

/** The type with other parameters. */
export function withParams(type: Type, params: readonly Type[]): Type {
  return made(type.kind, type.name, params);
}

/** A type as upstream prints it, for example `map(string, list(<A>))`. Other names are those of opaque types. */
export function parseType(text: string): Type {
  const [, name = '', inner] = /^([^(]*)(?:\((.*)\))?$/.exec(text) ?? [];
  if (name.startsWith('<')) return paramType(name.slice(1, -1));
  const params = inner === undefined ? [] : splitTypes(inner).map(parseType);
  if (name === 'list' || name === 'map' || name === 'type') return made(name, name, params);
  return Object.hasOwn(SIMPLE, name) ? simple(name) : made('opaque', name, params);
}

/** The types of a list that is separated by commas; commas in parentheses do not count. */
export function splitTypes(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i <= text.length; i++) {
    const letter = text[i];
    if (letter === '(') depth++;
    if (letter === ')') depth--;
    if ((letter === ',' && depth === 0) || letter === undefined) {
      parts.push(text.slice(start, i).trim());
      start = i + 1;
    }
  }
  return parts.filter(it => it !== '');
}

/** Upstream: Type.IsExactType. */
export function isSame(a: Type, b: Type): boolean {
  if (a === b) return true;
  return (
    a.kind === b.kind &&
    a.name === b.name &&
    a.size === b.size &&
    a.params.length === b.params.length &&
    a.params.every((it, i) => isSame(it, b.params[i]!))
  );
}

/** How deeply a type is printed. */
const PRINTED = 8;

/** Upstream: Type.String. */
export function typeText(type: Type, depth = 0): string {
  if (type.kind === 'param') return `<${type.name}>`;
  if (type.params.length === 0 || depth > PRINTED) return type.name;
  return `${type.name}(${type.params.map(it => typeText(it, depth + 1)).join(', ')})`;
}

const SHORT: Readonly<Partial<Record<TypeKind, string>>> = {
  error: '!error!',
  null: 'null',
  duration: 'duration',
  timestamp: 'timestamp',
};

/** The type in the errors of the checker. Upstream: checker.FormatCELType. */
export function typeInError(type: Type, depth = 0): string {
  const name = SHORT[type.kind] ?? type.name;
  if (type.params.length === 0 || depth > PRINTED) return name;
  return `${name}(${type.params.map(it => typeInError(it, depth + 1)).join(', ')})`;
}
