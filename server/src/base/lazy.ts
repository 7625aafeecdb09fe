/** A function that makes its answer when first asked, and keeps it. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** A value that is made when first asked for, and made again after it was forgotten. */
export interface Forgettable<T> {
  readonly get: () => T;
  readonly forget: () => void;
}

export function forgettable<T>(make: () => T): Forgettable<T> {
  let made: { readonly value: T } | undefined;
  return {
    get() {
      made ??= { value: make() };
      return made.value;
    },
    forget() {
      made = undefined;
    },
  };
}

/** A function that makes its answer once for each text that it is asked with, and keeps it. */
export function lazyByText<T>(make: (text: string) => T): (text: string) => T {
  const made = new Map<string, { readonly value: T }>();
  return text => {
    const known = made.get(text) ?? { value: make(text) };
    made.set(text, known);
    return known.value;
  };
}
