/** A function that computes its result at its first call and then keeps it. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** A value that is computed when first read, and computed again after `forget`. */
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

/** A function that computes its result once for each text and keeps it. */
export function lazyByText<T>(make: (text: string) => T): (text: string) => T {
  const made = new Map<string, { readonly value: T }>();
  return text => {
    const known = made.get(text);
    if (known !== undefined) return known.value;
    const value = make(text);
    made.set(text, { value });
    return value;
  };
}

/** A function that computes its result once for each object and keeps it as long as the object is. */
export function lazyByObject<K extends object, T>(make: (object: K) => T): (object: K) => T {
  const made = new WeakMap<K, { readonly value: T }>();
  return object => {
    const known = made.get(object);
    if (known !== undefined) return known.value;
    const value = make(object);
    made.set(object, { value });
    return value;
  };
}
