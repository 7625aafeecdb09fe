// `npm run fuzz`: random inputs and edits, until the time is over. What must not be is written to artifacts/fuzz, one file a
// finding, with its seed and the fewest steps that lead to it. Options:
// --target T[,T…]  session: language servers of dist/, each a process, under random edits, compared with fresh ones.
//                  memory: the same with servers in this process and files in memory, which is some ten times as fast.
//                  cli: random command lines over changed files.
//                  structure: every place of every manifest with another value. texts: random changes of texts.
//                  places: each of some values at every place of every manifest, in order: problems, fixes, placements.
//                  All when not given, each for its part of the time.
// --minutes M      for all targets together; 60 when not given. --edits N ends the sessions after so many edits.
// --every N        so many edits lie between two comparisons, which take most of the time; 250 when not given. --small takes
//                  the small workspace.
// --seed S         the same seed makes the same inputs; the time of day when not given.
// --replay FILE    does what a file of artifacts/fuzz says, once; of places, all of the file in which it was.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { imported } from './bundled.mjs';
import { readOptions } from './options.mjs';
import { root } from './run.mjs';

const { values } = readOptions(import.meta.filename, {
  options: {
    target: { type: 'string', default: 'session,memory,cli,structure,texts,places' },
    minutes: { type: 'number', isDecimal: true, default: 60 },
    edits: { type: 'number', from: 1, default: 1_000_000_000 },
    every: { type: 'number', from: 1, default: 250 },
    seed: { type: 'number', default: Date.now() % 1_000_000 },
    inputs: { type: 'number', from: 1, default: 1_000_000_000 },
    small: { type: 'boolean', default: false },
    replay: { type: 'string' },
  },
});

const TARGETS = { session: sessions, memory: sessions, cli: inputs, structure: inputs, texts: inputs, places };
const targets = values.target.split(',');
const unknown = targets.filter(it => !Object.hasOwn(TARGETS, it));
if (unknown.length > 0) {
  console.error(`There is no target ${unknown.join(', ')}; there are ${Object.keys(TARGETS).join(', ')}.`);
  process.exit(2);
}
if (values.replay !== undefined && !existsSync(values.replay)) {
  console.error(`There is no file ${values.replay}.`);
  process.exit(2);
}
if (!existsSync(join(root, 'dist/server.js'))) {
  console.error('There is no dist/server.js; `npm run build` makes it.');
  process.exit(2);
}

/** Modules are bundled into one file elsewhere, and still know where they were. */
const ownFolders = {
  name: 'own-folders',
  setup(build) {
    build.onLoad({ filter: /[\\/](test|tools)[\\/].*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll('import.meta.dirname', JSON.stringify(join(path, '..'))),
      loader: 'ts',
    }));
  },
};
const fuzz = await imported({ entryPoints: [join(root, 'test/fuzz/main.ts')], plugins: [ownFolders] });

// A server in this process that is closed at its work still tells what comes of it, to nobody.
for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, error => {
    if (/^(?:Connection is disposed\.|Pending response rejected since connection got disposed)$/.test(error?.message))
      return;
    console.error(error);
    process.exit(1);
  });

const start = Date.now();
const say = line => console.log(`${((Date.now() - start) / 60_000).toFixed(1).padStart(6)} min  ${line}`);
const findings = fuzz.createFindings(fuzz.savingTo(join(root, 'artifacts/fuzz')), say);
const { seed } = values;

const backends = {
  session: () => fuzz.processes(root),
  memory: () => fuzz.inMemory(fuzz.engineOf(join(root, 'dist'))),
};

/** What stands beside each file that is changed: a cluster, a workload, kinds of its own. */
const material = () => ({
  files: fuzz.corpus(root),
  beside: fuzz.smallWorkspace(root).filter(it => /^(cluster|crds|kustomize)\//.test(it.path)),
  engine: fuzz.engineOf(join(root, 'dist')),
});

const RUNS = { cli: fuzz.runCommands, structure: fuzz.runStructure, texts: fuzz.runTexts };

if (values.replay === undefined) {
  say(`seed ${seed}`);
  for (const target of targets) await TARGETS[target](target, (values.minutes * 60_000) / targets.length);
  say(`${findings.all().length} findings`);
} else await replay(values.replay);
process.exit(findings.all().length > 0 ? 1 : 0);

async function sessions(target, milliseconds) {
  const backend = backends[target]();
  const random = fuzz.randomFrom(seed);
  const tally = await fuzz.runSessions({
    target,
    files: values.small ? fuzz.smallWorkspace(root) : fuzz.largeWorkspace(root, random),
    backend,
    seed,
    until: performance.now() + milliseconds,
    edits: values.edits,
    compareEvery: values.every,
    findings,
    say,
  });
  backend.close();
  const { memory } = tally;
  say(`${target}: ${JSON.stringify({ ...tally, memory: [memory[Math.floor(memory.length / 4)], memory.at(-1)] })}`);
}

async function inputs(target, milliseconds) {
  const current = join(root, 'artifacts/fuzz', `${target}-now.json`);
  mkdirSync(join(root, 'artifacts/fuzz'), { recursive: true });
  const tally = await RUNS[target]({
    ...material(),
    seed,
    until: performance.now() + milliseconds,
    inputs: values.inputs,
    findings,
    say,
    trying: input => writeFileSync(current, JSON.stringify({ target, seed, what: 'the process ended', input })),
  });
  say(`${target}: ${JSON.stringify(tally)}`);
}

async function places(target, milliseconds) {
  const end = performance.now() + milliseconds;
  const { files, beside } = material();
  let count = 0;
  for await (const { what, of } of fuzz.thrownAtPlaces(files, beside)) {
    if (what !== undefined) findings.add({ target, seed, what, input: of });
    if (what === undefined && ++count % 20 === 0) say(`${count} files`);
    if (performance.now() > end) break;
  }
  say(`${target}: ${count} of ${files.length} files`);
}

async function replay(file) {
  const { target, input } = JSON.parse(readFileSync(file, 'utf8'));
  if (target === 'cli') {
    console.log((await fuzz.faultOf(input, material())) ?? 'Nothing was found.');
    return;
  }
  if (target === 'places') {
    console.log((await thrownAgain(input)) ?? 'Nothing was found.');
    return;
  }
  if (!(target in backends)) {
    console.log(await fuzz.replayInput(input, material()));
    return;
  }
  const backend = backends[target]();
  const { from, steps } = fuzz.readKept(input);
  console.log((await fuzz.differenceAfter(from, steps, backend)) ?? 'Nothing was found.');
  backend.close();
}

/** The first exception in the file that a finding of places names, or of placements where it names none. */
async function thrownAgain(finding) {
  const { files, beside } = material();
  const named = files.filter(it => finding.startsWith(`${it.path} `));
  for await (const { what, of } of fuzz.thrownAtPlaces(named, beside)) {
    if (what !== undefined) return `${of}: ${what}`;
    if (named.length > 0) return undefined;
  }
  return undefined;
}
