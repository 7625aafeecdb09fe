import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Something that must not be, with what makes it happen again. */
export interface Finding {
  readonly target: string;
  readonly seed: number;
  /** What happened; the first line says which of the findings are one. */
  readonly what: string;
  /** What leads to it, as small as it could be made. */
  readonly input: unknown;
}

export interface Findings {
  /** Whether this was found before in this run. */
  readonly isKnown: (what: string) => boolean;
  readonly add: (finding: Finding) => void;
  readonly all: () => readonly Finding[];
}

/** Findings are told as they come, the same one once; `save` writes one down and gives where. */
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

/** What an exception says and where it was thrown, without the names and numbers of the input. */
export function signatureOf(what: string): string {
  const [first = '', ...rest] = what.split('\n');
  const frames = rest.filter(it => /^\s*at /.test(it)).slice(0, 3);
  const where = frames.map(it => it.replace(/:\d+:\d+\)?$/, '').replace(/\(.*\//, '('));
  return [first.replace(/\d+(\.\d+)?/g, 'N').replace(/"[^"]*"|'[^']*'/g, 'S'), ...where].join('\n').slice(0, 500);
}
