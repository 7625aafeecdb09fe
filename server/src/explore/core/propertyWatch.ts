import type { ModelProperty } from './model';
import type { SavedSearch } from './savedSearch';
import type { StateCursor } from './successors';

/** What a search asks of each state. */
export interface PropertyWatch {
  readonly everywhere: (state: number) => void;
  readonly atEnd: (state: number) => void;
  /** The index of the property that is being evaluated. */
  readonly evaluated: () => number | undefined;
  readonly violations: readonly (number | undefined)[];
  readonly goals: (stateCount: number) => readonly (Uint8Array | undefined)[];
}

/** @param saved the answers of an earlier search */
export function watchProperties(
  properties: readonly ModelProperty[],
  { values }: StateCursor,
  saved?: Pick<SavedSearch, 'goals' | 'violations'>,
): PropertyWatch {
  const violations: (number | undefined)[] = properties.map((_, i) => saved?.violations[i]);
  const goals: (Uint8Array<ArrayBuffer> | undefined)[] = properties.map((it, i) => {
    if (it.kind !== 'canAlwaysReach') return undefined;
    const own = saved?.goals[i];
    return own === undefined ? new Uint8Array(1024) : new Uint8Array(own);
  });
  let evaluated = -1;

  function look(kind: 'never' | 'atEnd' | 'canAlwaysReach', state: number): void {
    for (let i = 0; i < properties.length; i++) {
      const property = properties[i]!;
      if (property.kind !== kind) continue;
      evaluated = i;
      const isTrue = property.test(values) !== 0;
      if (kind === 'canAlwaysReach') note(i, state, isTrue);
      else if (isTrue === (kind === 'never')) violations[i] ??= state;
    }
    evaluated = -1;
  }

  function note(i: number, state: number, isTrue: boolean): void {
    let own = goals[i]!;
    if (state >= own.length) {
      const next = new Uint8Array(Math.ceil(state * 1.5));
      next.set(own);
      own = next;
      goals[i] = own;
    }
    own[state] = isTrue ? 1 : 0;
  }

  return {
    everywhere(state) {
      look('never', state);
      look('canAlwaysReach', state);
    },
    atEnd: state => look('atEnd', state),
    evaluated: () => (evaluated < 0 ? undefined : evaluated),
    violations,
    goals: stateCount => goals.map(it => it && sized(it, stateCount)),
  };
}

function sized(array: Uint8Array<ArrayBuffer>, length: number): Uint8Array {
  if (array.length >= length) return array.subarray(0, length);
  const next = new Uint8Array(length);
  next.set(array);
  return next;
}
