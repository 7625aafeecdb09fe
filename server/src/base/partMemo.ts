/** Answers that follow from one part of a value, each held as long as the part is. */
export interface PartMemo {
  /** The answer for a part and a purpose; `make` is called unless it is known. */
  of<T>(purpose: string, part: object, make: () => T): T;
  /** The items; none if the part is known to have none for this purpose. */
  unlessNone<T>(purpose: string, part: object, make: () => Iterable<T>): Iterable<T>;
}

export function createPartMemo(): PartMemo {
  const answers = new Map<string, WeakMap<object, { readonly value: unknown }>>();
  const without = new Map<string, WeakSet<object>>();
  return {
    of<T>(purpose: string, part: object, make: () => T): T {
      const kept = answers.get(purpose) ?? new WeakMap<object, { readonly value: unknown }>();
      answers.set(purpose, kept);
      const known = kept.get(part);
      if (known !== undefined) return known.value as T;
      const value = make();
      kept.set(part, { value });
      return value;
    },
    *unlessNone<T>(purpose: string, part: object, make: () => Iterable<T>): Iterable<T> {
      const kept = without.get(purpose) ?? new WeakSet<object>();
      without.set(purpose, kept);
      if (kept.has(part)) return;
      let isNone = true;
      for (const it of make()) {
        isNone = false;
        yield it;
      }
      if (isNone) kept.add(part);
    },
  };
}
