import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A failure, with what is needed to repeat it. */
export interface Finding {
  readonly target: string;
  readonly seed: number;
  /** What happened. Findings with the same first line are the same. */
  readonly what: string;
  /** The input, reduced as far as possible. */
  readonly input: unknown;
}

export interface Findings {
  /** Whether this run found the same before. */
  readonly isKnown: (what: string) => boolean;
  readonly add: (finding: Finding) => void;
  readonly all: () => readonly Finding[];
}

/** Reports findings as they come, each once. `save` writes one and returns its path. */
export function createFindings(
  save: (finding: Finding, name: string) => string,
  say: (line: string) => void,
): Findings {
  const found = new Map<string, Finding>();
  return {
    isKnown: what => found.has(signatureOf(what)),
    add(finding) {
      const signature = signatureOf(finding.what);
      if (found.has(signature)) return;
      found.set(signature, finding);
      const file = save(finding, `${finding.target}-${finding.seed}-${found.size}`);
      say(`FOUND ${finding.target}, seed ${finding.seed}: ${finding.what.slice(0, 600)}\n  ${file}`);
    },
    all: () => [...found.values()],
  };
}

/** Writes findings to a folder, one file each. */
export const savingTo =
  (folder: string) =>
  (finding: Finding, name: string): string => {
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `${name}.json`);
    writeFileSync(file, `${JSON.stringify(finding, undefined, 2)}\n`);
    return file;
  };

/** The message of an exception and where it was thrown, without names and numbers of the input. */
export function signatureOf(what: string): string {
  const [first = '', ...rest] = what.split('\n');
  const frames = rest.filter(it => /^\s*at /.test(it)).slice(0, 3);
  const where = frames.map(it => it.replace(/:\d+:\d+\)?$/, '').replace(/\(.*\//, '('));
  return [first.replace(/\d+(\.\d+)?/g, 'N').replace(/"[^"]*"|'[^']*'/g, 'S'), ...where].join('\n').slice(0, 500);
}
