import { t } from '../../base/l10n';
import type { DeclaredVariable, LocatedExpression } from './document';
import { compile, type NameScope, typeInWords, type ValueType } from './expression/compile';
import { tell } from './field';
import { attempted, constantValue } from './located';
import { MOST_ELEMENTS } from './readValues';

/** A variable with its values in the initial state. */
export interface InitialVariable {
  readonly name: string;
  readonly type: ValueType;
  /** undefined: no array. */
  readonly size: number | undefined;
  readonly values: readonly number[];
}

/** The initial value of a variable; undefined, and a problem, where it has none. */
export function initialVariable({ name, content }: DeclaredVariable, names: NameScope): InitialVariable | undefined {
  if (content.kind === 'scalar') {
    const value = typedValue(content.value, names);
    return value && { name, type: value.type, size: undefined, values: [value.value] };
  }
  const size = sizeOf(content.size, names);
  if (size === undefined) return undefined;
  if (content.kind === 'filled') {
    const value = typedValue(content.value, names);
    return value && { name, type: value.type, size, values: Array.from({ length: size }, () => value.value) };
  }
  if (content.count !== size) {
    tell(content.field, t`there are ${content.count} values for ${size} elements`);
    return undefined;
  }
  const values = content.values.map(it => typedValue(it, names));
  const [first] = values;
  if (first === undefined || values.includes(undefined)) return undefined;
  const other = values.findIndex(it => it!.type !== first.type);
  if (other >= 0) {
    const { field } = content.values[other]!;
    tell(field, t`the elements of an array are of one type: the first is ${typeInWords(first.type)}`);
    return undefined;
  }
  return { name, type: first.type, size, values: values.map(it => it!.value) };
}

function sizeOf(located: LocatedExpression, names: NameScope): number | undefined {
  const size = constantValue(located, 'int', { names, processes: undefined });
  if (size === undefined || (size >= 1 && size <= MOST_ELEMENTS)) return size;
  const sentence =
    size < 1 ? t`an array has an element at least, and this is ${size}` : t`${size} elements are too many`;
  tell(located.field, sentence);
  return undefined;
}

function typedValue(
  located: LocatedExpression,
  names: NameScope,
): { readonly type: ValueType; readonly value: number } | undefined {
  return attempted(located, expression => {
    const { type, evaluate } = compile(expression, { names, processes: undefined });
    return { type, value: evaluate(new Int32Array(0)) };
  });
}
