import type { JsonValue } from '../../../base/json';
import { isList, isMap, isNumber, sprint } from '../go/goValues';
import { withoutAnchors } from '../pattern/anchor';
import { operatorOf } from '../pattern/scalar';
import { KyvernoError } from '../results/failures';
import { traverseMarked } from './traverse';

const references = /^\$\(.[^ ]*\)|[^\\]\$\(.[^ ]*\)/g;
const escapedReferences = /\\\$\(.[^ )]*\)/g;

/** Replaces `$(./../field)` references of a document by the texts they refer to. Upstream: substituteReferences. */
export function resolveReferences(document: JsonValue): JsonValue {
  return traverseMarked(document, '$(', (text, path) => resolveIn(text, path, document));
}

function resolveIn(text: string, path: string, document: JsonValue): string {
  let value = text;
  for (const [found] of text.matchAll(references)) {
    const prefix = found.startsWith('$(') ? '' : found.slice(0, 1);
    const reference = found.slice(prefix.length);
    const resolved = resolve(reference, path, document);
    if (typeof resolved !== 'string') {
      throw new KyvernoError(`NotResolvedReferenceErr,reference ${reference} not resolved at path ${path}`);
    }
    const at = value.indexOf(found);
    value = value.slice(0, at) + prefix + resolved + value.slice(at + found.length);
  }
  return value.replace(escapedReferences, it => it.slice(1));
}

/** Upstream: resolveReference. */
function resolve(reference: string, path: string, document: JsonValue): JsonValue {
  const inside = reference.replace(/^[$()]+|[$()]+$/g, '');
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
