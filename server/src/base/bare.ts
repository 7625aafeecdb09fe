/** A copy without a prototype: a lookup finds own keys alone, whatever they are called (`constructor`, `__proto__`). */
export function bare<T>(map: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.assign(Object.create(null) as Record<string, T>, map);
}
