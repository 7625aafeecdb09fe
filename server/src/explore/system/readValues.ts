import { t } from '../../base/l10n';
import type { DeclaredVariable, LocatedExpression, VariableContent } from './document';
import { type Expression, ExpressionError } from './expression/ast';
import { parseExpression } from './expression/parse';
import {
  fieldsOf,
  followed,
  itemsOf,
  knownFields,
  type SystemField,
  scalarOf,
  spanWithin,
  tell,
  tellAtKey,
  wrongWithName,
} from './field';

/** The largest array that is read. */
export const MOST_ELEMENTS = 20_000;

/** Whether a key is a name; a problem where it is none. */
export function isNamed(name: string, field: SystemField): boolean {
  const wrong = wrongWithName(name);
  if (wrong !== undefined) tellAtKey(field, wrong);
  return wrong === undefined;
}

/** Reads variables, global or local. */
export function readVariables(field: SystemField): readonly DeclaredVariable[] {
  return [...(fieldsOf(field) ?? [])].flatMap(([name, own]) => {
    const content = isNamed(name, own) ? readContent(own) : undefined;
    return content === undefined ? [] : [{ name, field: own, content }];
  });
}

function readContent(field: SystemField): VariableContent | undefined {
  if (field.node.kind !== 'map') {
    const value = readExpression(field);
    return value && { kind: 'scalar', value };
  }
  const fields = knownFields(field, ['size', 'value', 'values'], ['size']);
  const sizeField = fields?.get('size');
  const one = fields?.get('value');
  const all = fields?.get('values');
  const size = sizeField && readExpression(sizeField);
  if (one !== undefined && all !== undefined) tellAtKey(all, t('an array has either value or values'));
  if (one === undefined && all === undefined) tell(field, t('an array needs value or values'), field.key);
  if (all === undefined) {
    const value = one && readExpression(one);
    return size && value && { kind: 'filled', size, value };
  }
  const items = itemsOf(all);
  // An array that is longer is refused.
  const values = items.slice(0, MOST_ELEMENTS).flatMap(it => readExpression(it) ?? []);
  const count = values.length + Math.max(0, items.length - MOST_ELEMENTS);
  return size && { kind: 'listed', size, values, count, field: all };
}

/** Reads an integer, a boolean or a text with an expression; undefined, and a problem, where there is none. */
export function readExpression(field: SystemField): LocatedExpression | undefined {
  const scalar = scalarOf(field.node);
  if (scalar.kind === 'text') return parsed(field, scalar.text);
  if (scalar.kind === 'other') {
    tell(field, t('must be an integer, a boolean or a text with an expression'));
    return undefined;
  }
  const { kind, value } = scalar;
  if (kind === 'integer' && (value < -(2 ** 31) || value > 2 ** 31 - 1)) {
    tell(field, t`${field.node.text} is not within -2147483648 and 2147483647`);
    return undefined;
  }
  const expression: Expression = { kind, value: value + 0, start: 0, end: field.node.text.length };
  return { expression, field };
}

function parsed(field: SystemField, text: string): LocatedExpression | undefined {
  try {
    return { expression: parseExpression(text), field };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    tell(field, error.message, spanWithin(field, error.span));
    return undefined;
  }
}

/** Reads the target of a write from its key: a variable or an element of one. */
export function readTarget(field: SystemField): LocatedExpression | undefined {
  const key = field.key!;
  const target = parsed({ ...field, node: followed(key) }, followed(key).text);
  if (target === undefined) return undefined;
  const { kind } = target.expression;
  if (kind === 'name' || kind === 'element') return target;
  tellAtKey(field, t('only a variable or an element of an array can be set'));
  return undefined;
}
