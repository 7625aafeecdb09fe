import type { JsonValue } from '../../../base/json';
import { isList, isMap, isNumber, sprint } from '../go/goValues';
import { withoutAnchors } from '../pattern/anchor';
import { operatorOf } from '../pattern/scalar';
import { KyvernoError } from '../results/failures';
import { traverseMarked } from './traverse';

/**
 * The references of a text, each with the character before it. Upstream: regexes.RegexReferences, `^\$\(.[^\ ]*\)|[^\\]\$\(.[^\ ]*\)`.
 * The last parenthesis before a space is found once for all references before that space, as an expression of JavaScript
 * would look for it from each of them.
 */
function referencesIn(text: string): readonly string[] {
  const found: string[] = [];
  let next = 0;
  let run = { end: -1, close: -1 };
  for (let at = text.indexOf('$('); at >= 0; at = text.indexOf('$(', at + 1)) {
    const start = Math.max(0, at - 1);
    if (start < next || text[at - 1] === '\\' || !ONE_OF_LINE.test(text.charAt(at + 2))) continue;
    if (at + 3 > run.end) {
      const space = text.indexOf(' ', at + 3);
      const end = space < 0 ? text.length : space;
      const close = text.slice(at + 3, end).lastIndexOf(')');
      run = { end, close: close < 0 ? -1 : at + 3 + close };
    }
    if (run.close < at + 3) continue;
    next = run.close + 1;
    found.push(text.slice(start, next));
  }
  return found;
}

const ONE_OF_LINE = /^.$/u;

/** Without the backslash of escaped references. Upstream: regexes.RegexEscpReferences, `\\\$\(.[^\ \)]*\)`. */
function withoutEscapes(text: string): string {
  let res = '';
  let from = 0;
  let stop = -1;
  for (let at = text.indexOf('\\$('); at >= 0; at = text.indexOf('\\$(', at + 1)) {
    if (at < from || !ONE_OF_LINE.test(text.charAt(at + 3))) continue;
    if (stop < at + 4) {
      stop = at + 4;
      while (stop < text.length && text[stop] !== ' ' && text[stop] !== ')') stop += 1;
    }
    if (text[stop] !== ')') continue;
    res += text.slice(from, at);
    from = at + 1;
    at = stop;
  }
  return res + text.slice(from);
}

/** Replaces `$(./../field)` references of a document by the texts they refer to. Upstream: substituteReferences. */
export function resolveReferences(document: JsonValue): JsonValue {
  return traverseMarked(document, '$(', (text, path) => resolveIn(text, path, document));
}

function resolveIn(text: string, path: string, document: JsonValue): string {
  let value = text;
  for (const found of referencesIn(text)) {
    const prefix = found.startsWith('$(') ? '' : found.slice(0, 1);
    const reference = found.slice(prefix.length);
    const resolved = resolve(reference, path, document);
    if (typeof resolved !== 'string') {
      throw new KyvernoError(`NotResolvedReferenceErr,reference ${reference} not resolved at path ${path}`);
    }
    const at = value.indexOf(found);
    value = value.slice(0, at) + prefix + resolved + value.slice(at + found.length);
  }
  return withoutEscapes(value);
}

/** Upstream: resolveReference. */
function resolve(reference: string, path: string, document: JsonValue): JsonValue {
  const inside = reference.replace(/^[$()]+|(?<![$()])[$()]+$/g, '');
  const operator = operatorOf(inside);
  const target = inside.slice(operator.length);
  if (target === '')
    throw new KyvernoError(`failed to resolve ${reference} at path ${path}: expected path, found empty reference`);
  const found = leafAt(document, joined(target.startsWith('/') ? '/' : path, target));
  if (found === undefined || found === null) {
    throw new KyvernoError(`got nil resolved variable ${reference} at path ${path}: <nil>`);
  }
  if (operator === '') return found;
  if (typeof found !== 'string' && !isNumber(found)) {
    throw new KyvernoError(`incorrect expression: operator ${operator} does not match with value ${sprint(found)}`);
  }
  return `${operator}${found}`;
}

/** Upstream: path.Join. */
function joined(base: string, relative: string): string {
  const res: string[] = [];
  for (const part of `${base}/${relative}`.split('/')) {
    if (part === '..') res.pop();
    else if (part !== '' && part !== '.') res.push(part);
  }
  return `/${res.join('/')}`;
}

/** The leaf at a path, ignoring anchors; the last one if there are several. Upstream: getValueFromReference. */
function leafAt(document: JsonValue, path: string): JsonValue | undefined {
  const walk = (element: JsonValue, at: string): JsonValue | undefined => {
    if (isList(element)) return last(element.map((it, i) => walk(it, `${at}/${i}`)));
    if (isMap(element))
      return last(Object.entries(element).map(([key, it]) => walk(it, `${at}/${key.replaceAll('/', '\\/')}`)));
    return withoutAnchors(at) === path ? element : undefined;
  };
  return walk(document, '');
}

const last = (found: readonly (JsonValue | undefined)[]): JsonValue | undefined =>
  found.findLast(it => it !== undefined);
