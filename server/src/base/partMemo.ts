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

/** Marks of one number have a bit each. */
const MOST_BITS = 30;

/** Marks of parts. Those of many purposes share an entry of a part: each entry costs the garbage collector time. */
function createMarks(): Pick<PartMemo, 'isMarked' | 'mark'> {
  const places = new Map<string, { readonly marks: WeakMap<object, number>; readonly bit: number }>();
  let marks = new WeakMap<object, number>();
  const placeOf = (purpose: string) => {
    const known = places.get(purpose);
    if (known !== undefined) return known;
    const bit = places.size % MOST_BITS;
    if (bit === 0) marks = new WeakMap();
    const made = { marks, bit: 1 << bit };
    places.set(purpose, made);
    return made;
  };
  return {
    isMarked(purpose, part) {
      const { marks, bit } = placeOf(purpose);
      return ((marks.get(part) ?? 0) & bit) !== 0;
    },
    mark(purpose, part) {
      const { marks, bit } = placeOf(purpose);
      marks.set(part, (marks.get(part) ?? 0) | bit);
    },
  };
}

export function createPartMemo(): PartMemo {
  const answers = new Map<string, WeakMap<object, unknown>>();
  const { isMarked, mark } = createMarks();
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
