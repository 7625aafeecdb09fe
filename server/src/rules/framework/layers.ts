import type { Problem } from './problem';

/** What a rule says in two layers: a short sentence to act on, and what stands behind it. */
export interface Layers {
  readonly headline: string;
  /** The upstream program's own words, or further details; '' if there are none. */
  readonly detail: string;
  /** The text of the CLI's contract, if it is not both layers in one. */
  readonly message?: string;
}

export const layered = (headline: string, detail: string): Layers => ({ headline, detail });

/** The fields of a problem for what a rule says. */
export function messageFields(told: string | Layers): Pick<Problem, 'message' | 'headline' | 'detail'> {
  if (typeof told === 'string') return { message: told };
  const { headline, detail, message } = told;
  if (detail === '') return { message: message ?? headline };
  return { message: message ?? `${headline} — ${detail}`, headline, detail };
}

/** The longest headline, in UTF-16 units. */
export const LONGEST_HEADLINE = 140;

/** What a list of problems shows of a headline beside its code, in UTF-16 units, at a width of 1280 pixels. */
const LONGEST_ROW = 72;

/** A clause that is shorter than this says too little. */
const SHORTEST_CLAUSE = 30;

type Told = Pick<Problem, 'message' | 'headline' | 'detail' | 'where'>;

/** Where a problem is stands in front of a long headline, whose end a list cuts off. */
const placed = (line: string, there: string): string =>
  there === '' || line.length + there.length <= LONGEST_ROW ? line + there : `${there.trim()} ${line}`;

/** The two layers of a problem. The headline is one line; `detail` is absent where the headline says everything. */
export function layersOf({ message, headline = message, detail, where }: Told): {
  readonly headline: string;
  readonly detail?: string;
} {
  const line = headline.replace(/(?<!\s)\s*[\r\n]+\s*/g, ' ').trim();
  const there = where === undefined ? '' : ` (${where})`;
  const most = Math.max(LONGEST_HEADLINE - there.length, SHORTEST_CLAUSE);
  if (line.length <= most) return { headline: placed(line, there), ...(detail !== undefined && { detail }) };
  const short = placed(shortened(line, most), there);
  return { headline: short, detail: detail === undefined ? message : `${line}\n${detail}` };
}

const CLAUSE_END = /[.;:] |。| \(|, (?=(?:and|so|which|as|where|though|a) )/g;

/** The text up to the end of a clause; up to the end of a word, with an ellipsis, where that says too little. */
function shortened(text: string, most: number): string {
  const clauses = [...text.matchAll(CLAUSE_END)].map(it => text.slice(0, it.index));
  const clause = clauses.findLast(it => it.length <= most && it.length >= SHORTEST_CLAUSE && isWhole(it));
  if (clause !== undefined) return clause;
  const start = text.slice(0, most - 1);
  const end = start.lastIndexOf(' ');
  return `${start.slice(0, end < SHORTEST_CLAUSE ? undefined : end).replace(/[,\s]+$/, '')}…`;
}

/** Whether each quote and bracket is closed. */
function isWhole(text: string): boolean {
  const count = (character: string): number => text.split(character).length - 1;
  return count('"') % 2 === 0 && count('(') === count(')') && count('[') === count(']');
}
