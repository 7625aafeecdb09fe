import { DYN, isDynOrError, isSame, type Type, withParams } from './types';

/** Thrown where a check would take too long. */
export class TooLong extends Error {}

/** What type parameters stand for. A failed attempt is undone. */
export interface Substitutions {
  /** Whether a value of type `a` may be used as one of type `b`; parameters are bound if so. */
  isAssignable(a: Type, b: Type): boolean;
  areAssignable(a: readonly Type[], b: readonly Type[]): boolean;
  /** The type with its parameters replaced; unbound ones remain, or become `dyn`. */
  resolve(type: Type, unbound: 'kept' | 'dyn'): Type;
  fresh(): Type;
}

/** Upstream: github.com/google/cel-go/checker/types.go. `spend` is called for each step and may throw. */
export function substitutions(spend: () => void): Substitutions {
  const bound = new Map<string, Type>();
  const undo: (readonly [string, Type | undefined])[] = [];
  let freshTypes = 0;

  const bind = (param: Type, to: Type): void => {
    undo.push([param.name, bound.get(param.name)]);
    bound.set(param.name, to);
  };

  const attempt = (run: () => boolean): boolean => {
    const start = undo.length;
    if (run()) return true;
    while (undo.length > start) {
      const [name, before] = undo.pop()!;
      if (before === undefined) bound.delete(name);
      else bound.set(name, before);
    }
    return false;
  };

  /** Upstream: isValidTypeSubstitution. */
  const substitutes = (type: Type, param: Type): { readonly isValid: boolean; readonly isBound: boolean } => {
    if (param.kind === type.kind && isSame(type, param)) return { isValid: true, isBound: true };
    const known = bound.get(param.name);
    if (known !== undefined) {
      if (isSame(type, known)) return { isValid: true, isBound: true };
      if (!assignable(type, known)) return { isValid: false, isBound: true };
      const general = isLessSpecific(type, known) ? type : known;
      if (!occurs(param, general)) bind(param, general);
      return { isValid: true, isBound: true };
    }
    if (occurs(param, type)) return { isValid: false, isBound: false };
    bind(param, type);
    return { isValid: true, isBound: false };
  };

  const occurs = (param: Type, within: Type): boolean => {
    spend();
    if (isSame(param, within)) return true;
    if (!within.isOpen) return false;
    if (within.kind === 'param') {
      const known = bound.get(within.name);
      return known !== undefined && occurs(param, known);
    }
    return within.params.some(it => occurs(param, it));
  };

  /** Upstream: internalIsAssignable. */
  const assignable = (a: Type, b: Type): boolean => {
    spend();
    if (a === b && !a.isOpen) return true;
    if (b.kind === 'param') {
      const { isValid, isBound } = substitutes(a, b);
      if (isValid) return true;
      if (isBound) return false;
    }
    if (a.kind === 'param') return substitutes(b, a).isValid;
    if (isDynOrError(a) || isDynOrError(b)) return true;
    if (a.kind === 'null') return isNullable(b);
    if (b.kind === 'null') return isNullable(a);
    if (a.kind === 'type') return b.kind === 'type';
    return a.kind === b.kind && a.name === b.name && a.kind !== 'none' && allAssignable(a.params, b.params);
  };

  const allAssignable = (a: readonly Type[], b: readonly Type[]): boolean =>
    a.length === b.length && a.every((it, i) => assignable(it, b[i]!));

  const resolve = (type: Type, unbound: 'kept' | 'dyn'): Type => {
    spend();
    if (!type.isOpen) return type;
    if (type.kind === 'param') {
      const known = bound.get(type.name);
      if (known !== undefined) return resolve(known, unbound);
      return unbound === 'dyn' ? DYN : type;
    }
    return withParams(
      type,
      type.params.map(it => resolve(it, unbound)),
    );
  };

  return {
    isAssignable: (a, b) => attempt(() => assignable(a, b)),
    areAssignable: (a, b) => attempt(() => allAssignable(a, b)),
    resolve,
    fresh: () => ({ kind: 'param', name: `_var${freshTypes++}`, params: [], isOpen: true, size: 1 }),
  };
}

/** Upstream: internalIsAssignableNull. */
function isNullable({ kind }: Type): boolean {
  return ['null', 'opaque', 'struct', 'duration', 'timestamp'].includes(kind);
}

/** Upstream: isEqualOrLessSpecific. */
function isLessSpecific(a: Type, b: Type): boolean {
  if (a.kind === 'dyn' || a.kind === 'param') return true;
  if (b.kind === 'dyn' || b.kind === 'param' || a.kind !== b.kind) return false;
  if (a.kind === 'type') return true;
  return (
    a.name === b.name &&
    a.params.length === b.params.length &&
    a.params.every((it, i) => isLessSpecific(it, b.params[i]!))
  );
}

/** The more general of two types that can be used for each other. Upstream: mostGeneral. */
export const moreGeneral = (a: Type, b: Type): Type => (isLessSpecific(a, b) ? a : b);
