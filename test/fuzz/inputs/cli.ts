import { run } from '../../cli/world';
import type { TextFile } from '../corpus';
import { below, pick, type Random, randomFrom } from '../random';
import { mainThreadCpu } from './mainThread';
import type { InputOptions, InputTally } from './run';
import { documentsOf, placesIn, structurally } from './structure';
import { textually } from './texts';

/** One run of the CLI: its arguments, the changed file, and standard input. */
export interface CliInput {
  readonly argv: readonly string[];
  readonly file: TextFile;
}

/** More CPU time than any run over a few dozen small files should cost. */
const LONGEST_MILLISECONDS = 5_000;
/** Control characters that a terminal or a log interprets, except line breaks and tabs. */
const ACTED_UPON = /[\0-\x08\x0b-\x1f\x7f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

/** Random command lines over random changes of one file, with all others of `beside` present. */
export async function runCommands(options: InputOptions): Promise<InputTally> {
  const { seed, files, until, inputs, findings, say } = options;
  const random = randomFrom(seed);
  const tally = { inputs: 0, places: placesIn(files).length };
  while (tally.inputs < inputs && performance.now() < until) {
    tally.inputs += 1;
    const input = nextInput(random, options);
    const what = await faultOf(input, options);
    if (what !== undefined) findings.add({ target: 'cli', seed, what, input });
    if (tally.inputs % 500 === 0) say(`${tally.inputs} command lines`);
  }
  return tally;
}

/** The failure of a run's end; undefined when there is none. */
export async function faultOf(
  { argv, file }: CliInput,
  { beside }: Pick<InputOptions, 'beside'>,
): Promise<string | undefined> {
  const all = Object.fromEntries([...beside, file].map(({ path, text }) => [path, text]));
  const before = mainThreadCpu();
  try {
    const { code, out, err } = await run(argv, all, file.text, undefined, undefined, undefined, 'plain', () =>
      performance.now(),
    );
    const milliseconds = mainThreadCpu() - before;
    if (milliseconds > LONGEST_MILLISECONDS) return `slow: ${(milliseconds / 1000).toFixed(1)} s of CPU for ${argv[0]}`;
    return wrongIn({ code, out, err, isJson: argv.includes('json') || argv.includes('sarif') });
  } catch (error) {
    return `exception: ${error instanceof Error ? error.stack : String(error)}`;
  }
}

interface Ended {
  readonly code: number | undefined;
  readonly out: string;
  readonly err: string;
  readonly isJson: boolean;
}

function wrongIn({ code, out, err, isJson }: Ended): string | undefined {
  if (code !== 0 && code !== 1 && code !== 2) return `it ended with ${code}`;
  const bug = `${out}\n${err}`.match(/^.*\ba bug\b.*(?:\n\s+at .*)*/m);
  if (bug) return bug[0];
  if (code === 2 && err === '' && out === '') return 'it ended with 2 and said nothing';
  const raw = ACTED_UPON.exec(out) ?? ACTED_UPON.exec(err);
  if (raw) return `raw U+${raw[0].charCodeAt(0).toString(16)} in the output`;
  if (isJson && !isJsonText(out) && !out.trimEnd().split('\n').every(isJsonText))
    return `no JSON: ${out.slice(0, 200)}`;
  return undefined;
}

/** `place` writes one document a line, one for each scenario. */
function isJsonText(text: string): boolean {
  if (text === '') return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function nextInput(random: Random, { files, beside }: InputOptions): CliInput {
  const original = pick(random, files);
  const places = below(random, 2) === 0 && documentsOf(original) ? placesIn([original]) : [];
  const file = places.length > 0 ? structurally(random, pick(random, places)) : textually(random, original, files);
  return { argv: argvFor(random, [file, ...beside]), file };
}

const MINORS = ['1.31', '1.33', '1.36', '1.37', '1.37.2', '9.9', 'x', ''];
const FORMATS = ['text', 'json', 'sarif', 'github', 'junit', 'markdown', 'dot', 'mermaid', 'svg', 'nosuch'];

/** Options of each verb with valid values, and a few invalid ones. */
const OPTIONS: Readonly<Record<string, readonly (readonly [name: string, ...values: readonly string[]])[]>> = {
  check: [
    ['--pod-security', 'restricted', 'enforce=baseline:v1.30', 'nosuch'],
    ['--only', 'policy', 'syntax,decode', 'nosuch'],
    ['--environment', 'prod', 'nosuch'],
    ['--preset', 'best-practice', 'nosuch'],
    ['--baseline', 'baseline.json', 'nosuch.json'],
    ['--max-problems', '1', '0', '-1', 'x'],
    ['--show-suppressed'],
    ['--fail-on', 'warning', 'never', 'nosuch'],
    ['--jobs', '1', '2', '0', 'x'],
    ['--shard', '1/2', '0/0', '3/2'],
    ['--require', 'policies', 'nosuch'],
  ],
  place: [
    ['--environment', 'prod', 'nosuch'],
    ['--fail-on', 'unschedulable', 'never', 'nosuch'],
    ['--suggest'],
    ['--time-limit', '2', '0', '-1', 'x'],
    ['--explain', 'web', 'shop/web', 'nosuch', ''],
    ['--verbose'],
  ],
  upgrade: [
    ['--from', '1.31', '1.34.2', 'v1.35.1-gke.5', '1.12', ''],
    ['--to', '1.37', '1.36', 'nosuch'],
    ['--fail-on', 'warning', 'never', 'nosuch'],
    ['--environment', 'prod', 'nosuch'],
  ],
  'what-if': [
    ['--vpa'],
    ['--descheduler', 'descheduler.yaml', 'nosuch.yaml'],
    ['--rounds', '3', '0', 'x'],
    ['--time-limit', '2', '0', '-1', 'x'],
    ['--at', '2026-03-01T12:00:00Z', 'yesterday'],
  ],
  explore: [
    ['--ask', 'drain,rollout', 'order', 'nosuch', ''],
    ['--reduce'],
    ['--no-symmetry'],
    ['--resume', 'a.yaml', 'nosuch', ''],
    ['--save', 'saved.bin'],
    ['--max-findings', '1', '0', 'x'],
    ['--jobs', '1', '2', '0', 'x'],
    ['--max-states', '50', '0', 'x'],
    ['--time-limit', '2', '0', '-1', 'x'],
    ['--shard', '0/2', '1/2', '2/2', '-1/2', 'x'],
    ['--merge'],
  ],
  test: [
    ['--filter', 'a', ''],
    ['--time-limit', '0', '1', 'x', ''],
  ],
  baseline: [['--output', 'out.json']],
  explain: [],
  policy: [],
  completion: [],
};

function argvFor(random: Random, files: readonly TextFile[]): readonly string[] {
  const verb = pick(random, [
    'check',
    'check',
    'check',
    'place',
    'place',
    'upgrade',
    'what-if',
    'explore',
    'test',
    'baseline',
    'explain',
    'policy',
    'completion',
    'x',
  ]);
  const options = OPTIONS[verb] ?? [];
  const chosen = options.filter(() => below(random, 5) === 0);
  const flags = chosen.flatMap(([name, ...values]) => (values.length === 0 ? [name] : [name, pick(random, values)]));
  if (verb === 'completion') return [verb, pick(random, ['bash', 'zsh', 'fish', 'pwsh', 'nosuch', ''])];
  const format = below(random, 2) === 0 && verb !== 'explain' ? ['--format', pick(random, FORMATS)] : [];
  const minor = below(random, 4) === 0 ? ['--kubernetes-version', pick(random, MINORS)] : [];
  // Placement and exploration end at a limit of time, which may follow once more among the flags.
  const limit = (OPTIONS[verb] ?? []).some(([name]) => name === '--time-limit') ? ['--time-limit', '1'] : [];
  const subVerb = verb === 'policy' ? ['test'] : [];
  return [verb, ...subVerb, ...pathsFor(random, files), ...limit, ...flags, ...format, ...minor];
}

function pathsFor(random: Random, files: readonly TextFile[]): readonly string[] {
  const [changed] = files;
  const folder = changed?.path.split('/').slice(0, -1).join('/') ?? '';
  const choices = [changed?.path ?? '.', folder === '' ? '.' : folder, '-', '.', 'nosuch', pick(random, files).path];
  return Array.from({ length: 1 + below(random, 2) }, () => pick(random, choices));
}
