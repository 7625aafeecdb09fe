/** Answers that follow from one part of a value, each held as long as the part is. */
export interface PartMemo {
  /** The answer for a part and a purpose; `make` is called unless it is known. */
  of<T>(purpose: string, part: object, make: () => T): T;
  /** Whether a part is marked for a purpose. */
  isMarked(purpose: string, part: object): boolean;
  mark(purpose: string, part: object): void;
  /** The items; none if the part is known to have none for this purpose. */
  unlessNone<T>(purpose: string, part: object, make: () => Iterable<T>): Iterable<T>;
}

export function createPartMemo(): PartMemo {
  const answers = new Map<string, WeakMap<object, unknown>>();
  const marks = new Map<string, WeakSet<object>>();
  const isMarked = (purpose: string, part: object): boolean => marks.get(purpose)?.has(part) === true;
  const mark = (purpose: string, part: object): void => {
    const marked = marks.get(purpose) ?? new WeakSet<object>();
    marks.set(purpose, marked.add(part));
  };
  return {
    isMarked,
    mark,
    of<T>(purpose: string, part: object, make: () => T): T {
      const kept = answers.get(purpose) ?? new WeakMap<object, unknown>();
      answers.set(purpose, kept);
      const known = kept.get(part);
      if (known !== undefined || kept.has(part)) return known as T;
      const value = make();
      kept.set(part, value);
      return value;
    },
    *unlessNone<T>(purpose: string, part: object, make: () => Iterable<T>): Iterable<T> {
      if (isMarked(purpose, part)) return;
      let isNone = true;
      for (const it of make()) {
        isNone = false;
        yield it;
      }
      if (isNone) mark(purpose, part);
    },
  };
}
