import type { DeclaredProcess } from './document';
import type { NameMeaning, NameScope, ValueType } from './expression/compile';

/** A variable in the slots of a state. */
export interface PlacedVariable {
  readonly name: string;
  readonly type: ValueType;
  readonly first: number;
  /** undefined: no array. */
  readonly size: number | undefined;
}

/** One copy of a process in the slots of a state. */
export interface PlacedProcess {
  /** `name`, or `name[k]` where there are more copies. */
  readonly name: string;
  readonly slot: number;
  readonly locations: readonly string[];
  readonly variables: readonly PlacedVariable[];
}

export interface PlacedCopies {
  readonly declared: DeclaredProcess;
  readonly copies: readonly PlacedProcess[];
}

export function meaningOf({ type, first, size }: PlacedVariable): NameMeaning {
  return size === undefined ? { kind: 'variable', type, slot: first } : { kind: 'array', type, first, size };
}

/** Names above others, which are not copied: each copy of a process has names of its own. */
export function withNames(names: NameScope, own: ReadonlyMap<string, NameMeaning>): NameScope {
  return {
    get: name => own.get(name) ?? names.get(name),
    keys: () => new Set([...own.keys(), ...names.keys()]).keys(),
  };
}

export function withIndex(names: NameScope, i: number): NameScope {
  return withNames(names, new Map([['i', { kind: 'constant', type: 'int', value: i }]]));
}
