import type { Expr } from './nodes';
import type { Type } from './types';

/** The names of an inner scope. */
export interface CheckerScope {
  readonly names: ReadonlyMap<string, Type>;
  readonly outer: CheckerScope | undefined;
}

/** A name without the dot that leads to the outermost scope. */
export const plain = (name = ''): string => name.replace(/^\./, '');

export function local(name: string, scope: CheckerScope | undefined): Type | undefined {
  for (let it = scope; it !== undefined; it = it.outer) {
    const type = it.names.get(name);
    if (type !== undefined) return type;
  }
  return undefined;
}

/** `a.b.c` of identifiers and plain selections. Upstream: computeQualifiers and containers.ToQualifiedName. */
export function qualifiedName(node: Expr): string | undefined {
  const names: string[] = [];
  let it = node;
  while (it.kind === 'select' && it.use === 'value') {
    names.push(it.field);
    it = it.operand;
  }
  return it.kind === 'ident' ? [it.name, ...names.reverse()].join('.') : undefined;
}
