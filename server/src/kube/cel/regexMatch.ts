import type { RegexNode } from './regexTree';

/** A state of the machine that a pattern is: it moves on by a character, at a place, or of itself. */
type State =
  | { readonly by: 'character'; readonly test: (character: string) => boolean; readonly next: number }
  | { readonly by: 'place'; readonly test: (text: string, at: number) => boolean; readonly next: number }
  | { readonly by: 'itself'; readonly next: readonly number[] }
  | { readonly by: 'end' };

/** A pattern of more states is not run. */
const MAX_STATES = 20_000;
/** States times characters; some tenths of a second. */
const MAX_STEPS = 20_000_000;

/**
 * Whether a text has a match anywhere. All ways are gone at once, as RE2 goes them, so that the time is that of the text
 * times the pattern; undefined where this is too much. `flags` are those of RegExp.
 */
export function hasMatch(tree: RegexNode, flags: string, text: string): boolean | undefined {
  const states = statesOf(tree, flags);
  if (states === undefined || states.length * text.length > MAX_STEPS) return undefined;
  const start = states.length - 1;
  let current: number[] = [];
  for (let at = 0; ; ) {
    const reached = closure(states, [...current, start], text, at);
    if (reached === 'end') return true;
    if (at >= text.length) return false;
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    at += character.length;
    current = [];
    for (const it of reached) if (it.test(character)) current.push(it.next);
  }
}

type ByCharacter = Extract<State, { readonly by: 'character' }>;

/** The states that wait for a character, where one comes to from others without one. */
function closure(states: readonly State[], from: number[], text: string, at: number): readonly ByCharacter[] | 'end' {
  const seen = new Set<number>();
  const res: ByCharacter[] = [];
  for (let index = from.pop(); index !== undefined; index = from.pop()) {
    const state = states[index];
    if (state === undefined || seen.has(index)) continue;
    seen.add(index);
    if (state.by === 'end') return 'end';
    if (state.by === 'character') res.push(state);
    else if (state.by === 'itself') from.push(...state.next);
    else if (state.test(text, at)) from.push(state.next);
  }
  return res;
}

/** The last state is the first one to be in; undefined where they are too many. */
function statesOf(tree: RegexNode, flags: string): readonly State[] | undefined {
  const states: State[] = [{ by: 'end' }];
  const tests = new Map<string, (character: string) => boolean>();
  const add = (state: State): number => states.push(state) - 1;

  function entry(node: RegexNode, next: number): number {
    if (states.length > MAX_STATES) return next;
    switch (node.is) {
      case 'character': {
        const test = tests.get(node.source) ?? characterTest(node.source, flags);
        tests.set(node.source, test);
        return add({ by: 'character', test, next });
      }
      case 'place':
        return add({ by: 'place', test: placeTest(node.source, flags), next });
      case 'sequence':
        return node.parts.reduceRight((after, it) => entry(it, after), next);
      case 'choice':
        return add({ by: 'itself', next: node.parts.map(it => entry(it, next)) });
      case 'repetition':
        return repetition(node, next);
    }
  }

  function repetition({ of, least, most }: Extract<RegexNode, { is: 'repetition' }>, next: number): number {
    let first = next;
    if (most === Number.POSITIVE_INFINITY) {
      const ways = [next];
      first = add({ by: 'itself', next: ways });
      ways.push(entry(of, first));
    }
    for (let i = least; i < most && most !== Number.POSITIVE_INFINITY && states.length <= MAX_STATES; i++) {
      first = add({ by: 'itself', next: [entry(of, first), next] });
    }
    for (let i = 0; i < least && states.length <= MAX_STATES; i++) first = entry(of, first);
    return first;
  }

  add({ by: 'itself', next: [entry(tree, 0)] });
  return states.length > MAX_STATES ? undefined : states;
}

function characterTest(source: string, flags: string): (character: string) => boolean {
  const regex = new RegExp(`^(?:${source})$`, flags.replace(/[gm]/g, ''));
  const known = new Map<string, boolean>();
  return character => {
    const told = known.get(character) ?? regex.test(character);
    known.set(character, told);
    return told;
  };
}

function placeTest(source: string, flags: string): (text: string, at: number) => boolean {
  const regex = new RegExp(source, `${flags.replace('g', '')}y`);
  return (text, at) => {
    regex.lastIndex = at;
    return regex.test(text);
  };
}
