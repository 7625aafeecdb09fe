import { compareText } from '../../base/compareText';
import { isObject, type JsonValue } from '../../base/json';
import type { Problem } from '../framework/problem';

/** Problems that existed when a tree was first checked, by path. They are no longer reported. */
export interface Baseline {
  readonly files: Readonly<Record<string, readonly KnownProblem[]>>;
}

/** A problem without its position in the text, so that it is recognized after the text has moved. */
export interface KnownProblem {
  readonly code: string;
  /** `prod/Deployment/web`; '' for a problem of the text. */
  readonly object: string;
  readonly field: string;
}

/** Syntax errors are never part of a baseline: they hide all other problems of the text. */
const isKept = ({ category, follows }: Problem): boolean => category !== 'syntax' && follows !== true;

/** The part of a problem that a baseline keeps. */
export function knownProblem({ code, object, fieldPath = '' }: Problem): KnownProblem {
  const { namespace, kind, name = '' } = object ?? {};
  const parts = kind === undefined ? [] : [...(namespace === undefined ? [] : [namespace]), kind, name];
  return { code, object: parts.join('/'), field: fieldPath };
}

/** The baseline of problems by path, sorted so that the diff of two baselines is short. */
export function baselineOf(problems: ReadonlyMap<string, readonly Problem[]>): Baseline {
  const files = [...problems].flatMap(([path, own]) => {
    const known = own
      .filter(isKept)
      .map(knownProblem)
      .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    return known.length === 0 ? [] : [[path, known] as const];
  });
  return { files: Object.fromEntries(files.sort(([a], [b]) => compareText(a, b))) };
}

export const baselineText = ({ files }: Baseline): string => {
  const lines = Object.entries(files).map(([path, known]) => {
    const own = known.map(it => `      ${JSON.stringify(it)}`).join(',\n');
    return `    ${JSON.stringify(path)}: [\n${own}\n    ]`;
  });
  return `{\n  "berthBaseline": 1,\n  "files": {\n${lines.join(',\n')}\n  }\n}\n`;
};

/** undefined for a text that `baselineText` has not written. */
export function readBaseline(text: string): Baseline | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    if (!isObject(value) || value.berthBaseline !== 1 || !isObject(value.files)) return undefined;
    const isRight = Object.values(value.files).every(it => Array.isArray(it) && it.every(isKnownProblem));
    return isRight ? (value as unknown as Baseline) : undefined;
  } catch {
    return undefined;
  }
}

function isKnownProblem(value: JsonValue): boolean {
  return isObject(value) && [value.code, value.object, value.field].every(it => typeof it === 'string');
}

/** The same problems, those in the baseline marked as suppressed. Each entry of the baseline covers one problem. */
export function markKnown(problems: readonly Problem[], known: readonly KnownProblem[]): readonly Problem[] {
  const left = new Map<string, number>();
  for (const it of known) left.set(keyOf(it), (left.get(keyOf(it)) ?? 0) + 1);
  return problems.map(problem => {
    const key = keyOf(knownProblem(problem));
    const count = left.get(key) ?? 0;
    if (count === 0 || !isKept(problem) || problem.suppressed !== undefined) return problem;
    left.set(key, count - 1);
    return { ...problem, suppressed: { by: 'baseline' as const } };
  });
}

const keyOf = ({ code, object, field }: KnownProblem): string => `${code} ${object} ${field}`;
