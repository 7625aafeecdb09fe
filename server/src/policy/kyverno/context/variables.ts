import type { JsonValue } from '../../../base/json';
import { marshal } from '../go/goValues';
import { Indeterminate, KyvernoError, OutOfSteps, reasonOf } from '../results/failures';
import type { EvalContext } from './context';
import { resolveReferences } from './references';
import { traverseMarked } from './traverse';

const variables = /(^|[^\\])(\{\{(?:\{[^{}]*\}|[^{}])*\}\})/g;

/** The variables of a text, `{{ … }}` with their braces. Escaped ones (`\{{`) do not count. */
export function variablesIn(text: string): readonly string[] {
  if (isOneVariable(text)) return [text];
  return [...text.matchAll(variables)].map(it => it[2] ?? '');
}

/** Most texts with a variable are one variable, without braces inside. */
const isOneVariable = (text: string): boolean =>
  text.startsWith('{{') && text.endsWith('}}') && text.indexOf('{', 2) < 0 && text.indexOf('}') === text.length - 2;

/**
 * Replaces the `$(…)` references and `{{ … }}` variables of a document by their values. Throws when one cannot be
 * resolved. Upstream: variables.SubstituteAll.
 */
export function substitute(document: JsonValue, context: EvalContext): JsonValue {
  return substituteVariables(resolveReferences(document), context);
}

/** The same for a value that has to stay a text. */
export function substituteText(text: string, context: EvalContext, what: string): string {
  const value = substitute(text, context);
  if (typeof value === 'string') return value;
  throw new KyvernoError(`${what} must be a string`);
}

function substituteVariables(document: JsonValue, context: EvalContext): JsonValue {
  return traverseMarked(document, '{{', (text, path) => substituteIn(text, path, context));
}

/** Upstream: substituteVariablesIfAny. */
function substituteIn(text: string, path: string, context: EvalContext): JsonValue {
  let value = text;
  for (let found = variablesIn(value); found.length > 0; found = variablesIn(value)) {
    const whole = value;
    let isShallow = false;
    for (const variable of found) {
      const named = nameOf(variable);
      isShallow = named.isShallow;
      const resolved = resolve(expressionOf(named.name, path, context), path, context);
      if (whole === variable) return resolved;
      const written = typeof resolved === 'string' ? resolved : marshal(resolved);
      context.budget.spend((value.length + written.length) / 64);
      value = replaceOnce(value, variable, isShallow ? written.replaceAll('{{', '\\{{') : written);
    }
    if (isShallow) break;
  }
  return value.replaceAll('\\{{', '{{');
}

/** The value of `{{- x }}` is not searched for further variables. Upstream: replaceBracesAndTrimSpaces. */
function nameOf(variable: string): { readonly name: string; readonly isShallow: boolean } {
  const name = variable.replaceAll('{{', '').replaceAll('}}', '').trim();
  return name.startsWith('-') ? { name: name.slice(1).trim(), isShallow: true } : { name, isShallow: false };
}

function resolve(expression: string, path: string, context: EvalContext): JsonValue {
  context.budget.spend(10);
  try {
    return context.query(expression);
  } catch (error) {
    if (error instanceof Indeterminate || error instanceof OutOfSteps) throw error;
    throw new KyvernoError(`failed to resolve ${expression} at path ${path}: ${reasonOf(error)}`);
  }
}

function expressionOf(name: string, path: string, context: EvalContext): string {
  const expression = name === '@' ? currentPath(path, context) : name;
  return context.operation === 'DELETE' ? expression.replaceAll('request.object', 'request.oldObject') : expression;
}

/** The meaning of `@` at a path: the same field of the resource. Upstream: jsonpointer.Pointer.JMESPath. */
function currentPath(path: string, context: EvalContext): string {
  const parts = path
    .split(/(?<!\\)\//)
    .filter(it => it !== '')
    .map(it => it.replaceAll('\\/', '/'));
  const inner = parts.slice(parts.indexOf('foreach') + 1);
  const steps = inner.length > 2 ? inner.slice(2) : [];
  return [...(hasTarget(context) ? ['target'] : ['request', 'object']), ...steps].reduce((res, it) => {
    if (/^\d+$/.test(it)) return `${res}[${it}]`;
    const name = /^[(A-Za-z_][)0-9A-Za-z_]*$/.test(it) ? it : JSON.stringify(it);
    return res === '' ? name : `${res}.${name}`;
  }, '');
}

function hasTarget(context: EvalContext): boolean {
  try {
    context.query('target');
    return true;
  } catch (error) {
    reasonOf(error);
    return false;
  }
}

function replaceOnce(text: string, what: string, by: string): string {
  const at = text.indexOf(what);
  return at < 0 ? text : text.slice(0, at) + by + text.slice(at + what.length);
}
