import type { PolicyEngine } from '../../../server/src/policy/engine/engine';
import type { TextFile } from '../corpus';
import type { Findings } from '../findings';
import { below, pick, type Random, randomFrom } from '../random';
import { requestsIn } from './requests';
import { documentsOf, placesIn, shuffled, structurally } from './structure';
import { textually } from './texts';

export interface InputOptions {
  /** The files that are changed, and the files beside them. */
  readonly files: readonly TextFile[];
  readonly beside: readonly TextFile[];
  readonly engine?: PolicyEngine;
  readonly seed: number;
  /** When the run ends, on the clock of `performance.now`. */
  readonly until: number;
  readonly inputs: number;
  readonly findings: Findings;
  readonly say: (line: string) => void;
  /** Called with each input before it is tried, so that an input that ends the process is known. */
  readonly trying: (input: TextFile) => void;
}

export interface InputTally {
  readonly inputs: number;
  readonly places: number;
}

/** Every field of every file in random order, each with another value. */
export async function runStructure(options: InputOptions): Promise<InputTally> {
  const random = randomFrom(options.seed);
  const places = placesIn(options.files);
  return tried(options, 'structure', function* () {
    for (;;) for (const place of shuffled(random, places)) yield structurally(random, place);
  });
}

/** Random changes of the texts of files. */
export async function runTexts(options: InputOptions): Promise<InputTally> {
  const random = randomFrom(options.seed);
  return tried(options, 'texts', function* () {
    for (;;) yield textually(random, pick(random, options.files), options.files);
  });
}

async function tried(
  options: InputOptions,
  target: string,
  inputs: () => Generator<TextFile, never>,
): Promise<InputTally> {
  const { files, beside, engine, seed, until, findings, say, trying } = options;
  const plain = requestsIn(beside);
  const judged = engine && requestsIn([...beside, ...files.filter(isPolicy)], engine);
  const tally = { inputs: 0, places: placesIn(files).length };
  for (const it of [plain, judged]) await it?.begin();
  for (const file of inputs()) {
    if (tally.inputs >= options.inputs || performance.now() > until) break;
    tally.inputs += 1;
    trying(file);
    const random = randomFrom(seed + tally.inputs);
    // Policies are slow to evaluate, so files that are no policies are rarely combined with them.
    const asking = judged && ((isPolicy(file) && below(random, 4) === 0) || below(random, 200) === 0) ? judged : plain;
    const what = await asking.about(file, random);
    if (what !== undefined && !findings.isKnown(what)) findings.add({ target, seed, what, input: file });
    if (tally.inputs % 1_000 === 0) say(`${tally.inputs} inputs`);
  }
  return tally;
}

const isPolicy = ({ path }: TextFile): boolean => /polic(y|ies)|^suites\//.test(path);

/** Reduces one input; each step is tried in a new workspace. */
export async function replayInput(file: TextFile, options: Pick<InputOptions, 'beside' | 'files' | 'engine'>) {
  const random: Random = randomFrom(1);
  const policies = options.engine ? options.files.filter(isPolicy) : [];
  const what = await requestsIn([...options.beside, ...policies], options.engine).about(file, random);
  return what ?? `Nothing was found in ${documentsOf(file)?.length ?? 0} documents.`;
}
