import { isThorough } from './isThorough.mjs';

/** All items in a thorough run, otherwise each `each`th. */
export const sampled = <T>(items: readonly T[], each: number): readonly T[] =>
  isThorough ? items : items.filter((_, i) => i % each === 0);

/** A size for a thorough run, and one for any other. */
export const sizedFor = <T>({ thorough, quick }: { readonly thorough: T; readonly quick: T }): T =>
  isThorough ? thorough : quick;
