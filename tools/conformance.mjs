// `npm run conformance -- validation|scheduling|policy [FILE.jsonl.gz] [--sample N] [--show N] [--cli PATH]`: how far the built
// CLI is from labelled cases, worst first. The cases are not part of this repository: without FILE they are looked for
// beside the checkout. What "equal" means is written at `judgeValidation` and `judgeScenario`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readOptions } from './options.mjs';
import { root, runNode } from './run.mjs';

const DOCUMENTS_PER_FILE = 100;
/** What is compared of an answer. */
const PARTS = ['decode', 'errors', 'warnings', 'dropped'];
const SCENARIOS_PER_RUN = 200;

const { values, positionals } = readOptions(import.meta.filename, {
  allowPositionals: true,
  options: {
    cli: { type: 'string', default: join(root, 'dist/cli.js') },
    sample: { type: 'number', default: 0 },
    show: { type: 'number', default: 10 },
    'kubernetes-version': { type: 'string', default: '1.37' },
  },
});
const [what, given] = positionals;
if (what === 'policy') {
  const argument = given === undefined ? [] : [given];
  const tools = ['tools/conformance-vap.mjs', 'tools/conformance-kyverno.mjs'];
  const asked = given === undefined ? tools : tools.filter(it => /kyverno/.test(given) === /kyverno/.test(it));
  const codes = [];
  for (const tool of asked) codes.push(await runNode([tool, ...argument, '--show', String(values.show)]));
  process.exit(Math.max(...codes));
}
const runs = { validation, scheduling };
if (!(what in runs)) stop(`Say which cases: ${Object.keys(runs).join(' or ')}.`);
const file = resolve(given ?? join(root, `../shared/conformance/${what}/development.jsonl.gz`));
if (!existsSync(file)) stop(`There are no labelled cases at ${file}; name the file as the second argument.`);
if (!existsSync(values.cli)) stop(`${values.cli} does not exist; build it with \`npm run build\`.`);

const folder = mkdtempSync(join(tmpdir(), 'berth-conformance-'));
try {
  runs[what](sampled(readCases(file), values.sample));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function stop(sentence) {
  console.error(sentence);
  process.exit(2);
}

function readCases(path) {
  const bytes = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  // An integer beyond 2^53 must reach the CLI as it is written, so that a manifest is cut out of the line, not printed again.
  return text
    .split('\n')
    .filter(it => it.trim() !== '')
    .map(line => ({ ...JSON.parse(line), line }));
}

function sampled(cases, size) {
  if (size <= 0 || size >= cases.length) return cases;
  const sorted = [...cases].sort((a, b) => (a.id < b.id ? -1 : 1));
  return Array.from({ length: size }, (_, i) => sorted[Math.floor((i * cases.length) / size)]);
}

function berth(args) {
  const run = spawnSync(process.execPath, [values.cli, ...args], { encoding: 'utf8', maxBuffer: 1 << 30 });
  if (run.error) stop(`The CLI cannot be run: ${run.error.message}`);
  return run;
}

/** The text of a member of a one-line JSON object, as written. */
function memberText(line, name) {
  const start = line.indexOf(`"${name}":`) + name.length + 3;
  let depth = 0;
  for (let at = start, inString = false; at < line.length; at++) {
    const char = line[at];
    if (inString) {
      if (char === '\\') at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') depth++;
    else if ((char === '}' || char === ']') && --depth === 0) return line.slice(start, at + 1);
  }
  return line.slice(start);
}

// ── validation ───────────────────────────────────────────────────────────────────────────────────────────────────────

function validation(cases) {
  const places = writtenCases(cases);
  const told = grouped(problemsTold(), placeOf);
  const kinds = new Map();
  const pairs = new Map();
  const wrong = [];
  for (const [place, it] of places) {
    const { bad, differences } = judgeValidation(it.expect, told.get(place) ?? []);
    const row = kinds.get(it.kind ?? '(raw)') ?? { cases: 0, all: 0, decode: 0, errors: 0, warnings: 0, dropped: 0 };
    kinds.set(it.kind ?? '(raw)', row);
    row.cases++;
    for (const part of PARTS) row[part] += bad[part] === undefined ? 1 : 0;
    if (Object.keys(bad).length === 0) row.all++;
    else wrong.push(`${it.id} ${it.kind ?? ''} ${JSON.stringify(bad)}`);
    for (const difference of differences) pairs.set(difference, (pairs.get(difference) ?? 0) + 1);
  }
  for (const line of wrong.slice(0, values.show)) console.log(line.slice(0, 400));
  printValidation(kinds, pairs);
}

/** Writes the cases into the folder; each by its file, and by its document there. */
function writtenCases(cases) {
  const places = new Map();
  const plain = cases.filter(it => it.manifest !== undefined);
  for (let start = 0; start < plain.length; start += DOCUMENTS_PER_FILE) {
    const part = plain.slice(start, start + DOCUMENTS_PER_FILE);
    const name = `cases-${start}.yaml`;
    writeFileSync(join(folder, name), `${part.map(it => memberText(it.line, 'manifest')).join('\n---\n')}\n`);
    part.forEach((it, index) => {
      places.set(`${name}#${index}`, it);
    });
  }
  cases
    .filter(it => it.raw !== undefined)
    .forEach((it, index) => {
      const name = `raw-${index}.yaml`;
      writeFileSync(join(folder, name), it.raw);
      places.set(name, it);
    });
  return places;
}

/** What the CLI says of the folder. */
function problemsTold() {
  const only = 'syntax,decode,apiserver,dropped,warning';
  const options = ['--format', 'json', '--kubernetes-version', values['kubernetes-version'], '--only', only];
  // A file holds many cases, which together may have more problems than are listed of one file.
  const all = ['--max-problems', '1000000'];
  const run = berth(['check', ...options, ...all, '--fail-on', 'never', folder]);
  if (run.status === 2 || run.stdout.trim() === '') stop(`The CLI gave no answer. ${run.stderr.slice(-2000)}`);
  return JSON.parse(run.stdout).problems;
}

/** A row for each kind, the worst first, and what differs most often. */
function printValidation(kinds, pairs) {
  const columns = [...PARTS, 'all'];
  const table = (name, row) =>
    console.log(
      name.padEnd(28) +
        String(row.cases).padStart(7) +
        columns.map(it => percent(row[it], row.cases).padStart(10)).join(''),
    );
  console.log('kind'.padEnd(28) + 'cases'.padStart(7) + columns.map(it => it.padStart(10)).join(''));
  for (const [kind, row] of [...kinds].sort(([, a], [, b]) => a.all / a.cases - b.all / b.cases)) table(kind, row);
  console.log('\nerrors that differ, by type and field pattern');
  for (const [pair, n] of [...pairs].sort(([, a], [, b]) => b - a).slice(0, 25))
    console.log(`${String(n).padStart(6)} ${pair}`);
  const sum = key => [...kinds.values()].reduce((total, row) => total + row[key], 0);
  const n = sum('cases');
  console.log(
    `\n${n} cases: ${PARTS.map(it => `${it} ${percent(sum(it), n)}`).join(', ')}, equal in all ${percent(sum('all'), n)}`,
  );
}

function placeOf(problem) {
  const name = basename(problem.path);
  return name.startsWith('raw-') ? name : `${name}#${problem.document ?? 0}`;
}

function grouped(list, keyOf) {
  const groups = new Map();
  for (const it of list) {
    const group = groups.get(keyOf(it));
    if (group) group.push(it);
    else groups.set(keyOf(it), [it]);
  }
  return groups;
}

/**
 * decode: the same set of unknown and duplicate fields (of a duplicate, its last name). Where the server stops at the
 * first error, some decode or syntax problem at such a place is enough, and nothing may be told after it.
 * errors: the same multiset of type and path. dropped: the same set of paths, `status` as one. warnings: the same
 * multiset of texts, but not for a refused object, of which the server does not warn.
 */
function judgeValidation(expect, problems) {
  const of = category => problems.filter(it => it.category === category);
  const isSoft = type => type === 'UnknownField' || type === 'DuplicateField';
  const hard = expect.decode.filter(it => !isSoft(it.type));
  const bad = {};
  if (expect.fatal || hard.length > 0) {
    const stops = [...of('syntax'), ...of('decode').filter(it => !isSoft(it.errorType))];
    const fields = hard.map(it => it.field).filter(Boolean);
    const isThere = (told, field) => endsAlike(withoutIndexes(told.fieldPath ?? ''), withoutIndexes(field));
    if (stops.length === 0) bad.decode = 'nothing told';
    else if (fields.length > 0 && !fields.some(field => stops.some(it => isThere(it, field)))) {
      bad.decode = `told at ${stops.map(it => it.fieldPath)}, not at ${fields}`;
    }
    if (of('apiserver').length > 0) bad.errors = 'told after the decoder stopped';
    return { bad, differences: [] };
  }

  const softOf = (type, path) =>
    `${type} ${
      type === 'DuplicateField'
        ? withoutIndexes(path ?? '')
            .split('.')
            .at(-1)
        : path
    }`;
  const soft = difference(
    new Set(expect.decode.map(it => softOf(it.type, it.field))),
    new Set(
      of('decode')
        .filter(it => isSoft(it.errorType))
        .map(it => softOf(it.errorType, it.fieldPath)),
    ),
  );
  if (soft) bad.decode = soft;
  const errors = difference(
    expect.errors.map(it => `${it.type} ${it.field}`),
    of('apiserver').map(it => `${it.errorType} ${it.fieldPath}`),
  );
  if (errors) bad.errors = errors;
  const warnings = difference(
    expect.warnings,
    of('warning').map(it => it.message),
  );
  // Of a refused object the server warns of nothing but its API version.
  const isRefused = expect.errors.length > 0;
  if (warnings && (!isRefused || warnings.missing.length > 0)) bad.warnings = warnings;
  const topOf = path => (path.split('.')[0] === 'status' ? 'status' : path);
  const dropped = difference(
    new Set(expect.dropped.map(topOf)),
    new Set(of('dropped').map(it => topOf(it.fieldPath ?? ''))),
  );
  if (dropped) bad.dropped = dropped;
  const patterns = side => (errors?.[side] ?? []).map(it => `${side.padEnd(8)} ${it.replace(/\[[^\]]*\]/g, '[*]')}`);
  return { bad, differences: [...patterns('missing'), ...patterns('extra')] };
}

function withoutIndexes(path) {
  return path.replace(/\[[^\]]*\]/g, '');
}

function endsAlike(told, wanted) {
  return told.endsWith(wanted) || (told !== '' && wanted.endsWith(told));
}

/** What one multiset has and the other has not; undefined when they are equal. */
function difference(wanted, told) {
  const left = new Map();
  for (const it of wanted) left.set(it, (left.get(it) ?? 0) + 1);
  const extra = [];
  for (const it of told) {
    const n = left.get(it) ?? 0;
    if (n === 0) extra.push(it);
    else left.set(it, n - 1);
  }
  const missing = [...left].flatMap(([it, n]) => Array(n).fill(it));
  return missing.length + extra.length === 0 ? undefined : { missing, extra };
}

// ── scheduling ───────────────────────────────────────────────────────────────────────────────────────────────────────

function scheduling(cases) {
  const files = cases.map((it, index) => {
    const isOptions = object => object.kind === 'ScheduleOptions';
    const { apiVersion: _, kind: __, ...options } = Object.assign({}, ...it.scenario.filter(isOptions));
    const ours = { apiVersion: 'berth.dev/v1alpha1', kind: 'ScenarioOptions', expandWorkloads: false, ...options };
    const path = join(folder, `${String(index).padStart(5, '0')}.yaml`);
    const objects = [...it.scenario.filter(object => !isOptions(object)), ours];
    writeFileSync(path, `${objects.map(object => JSON.stringify(object)).join('\n---\n')}\n`);
    return path;
  });
  const answers = [];
  for (let start = 0; start < files.length; start += SCENARIOS_PER_RUN) {
    const part = files.slice(start, start + SCENARIOS_PER_RUN);
    const run = berth(['place', '--format', 'json', '--fail-on', 'never', ...part]);
    const lines = run.stdout.split('\n').filter(it => it.trim() !== '');
    if (lines.length !== part.length) console.log(run.stderr.slice(-1000));
    part.forEach((_, i) => {
      answers.push(lines[i] === undefined ? {} : JSON.parse(lines[i]));
    });
  }

  const tallies = { part: new Map(), plugin: new Map() };
  const wrong = [];
  cases.forEach((it, index) => {
    const notes = judgeScenario(it.expect.attempts, answers[index].attempts ?? [], tallies);
    if (notes.length > 0) wrong.push([it.id, ...notes.slice(0, 4).map(note => `    ${note}`)].join('\n'));
  });
  for (const it of wrong.slice(0, values.show)) console.log(it);
  for (const table of [tallies.plugin, tallies.part]) {
    console.log('');
    for (const [name, { equal, all }] of [...table].sort(([, a], [, b]) => a.equal / a.all - b.equal / b.all)) {
      console.log(name.padEnd(46) + `${equal}/${all}`.padStart(15) + percent(equal, all).padStart(10));
    }
  }
  const figure = name => `${name} ${percent(tallies.part.get(name)?.equal ?? 0, tallies.part.get(name)?.all ?? 0)}`;
  const names = ['verdict', 'plugin, code, reasons', 'score', 'node', 'victims', 'message'];
  const whole = percent(cases.length - wrong.length, cases.length);
  console.log(`\n${cases.length} scenarios: wholly equal ${whole}, ${names.map(figure).join(', ')}`);
}

/**
 * The order of attempts; of each its status, node, ties (as a set), message, whole-Pod rejection (plugin and reasons as
 * a set), nominated node and victims (as a set); of each node the verdict, who rejected it and why, each score and the
 * total. Counts into the tallies and returns a line for whatever differs.
 */
function judgeScenario(wanted, told, tallies) {
  const notes = [];
  const idOf = it => `${it.pod}#${it.attempt ?? 1}`;
  const compare = (name, want, have, about, table = tallies.part) => {
    const isEqual = JSON.stringify(want) === JSON.stringify(have);
    const row = table.get(name) ?? { equal: 0, all: 0 };
    table.set(name, { equal: row.equal + (isEqual ? 1 : 0), all: row.all + 1 });
    if (!isEqual && table === tallies.part) notes.push(`${about} ${name}: want ${shown(want)} have ${shown(have)}`);
    return isEqual;
  };
  compare('order of attempts', wanted.map(idOf), told.map(idOf), '');
  const byId = new Map(told.map(it => [idOf(it), it]));
  for (const a of wanted) {
    const id = idOf(a);
    const b = byId.get(id) ?? {};
    compare('status', a.status, b.status, id);
    compare('node', a.node, b.node, id);
    compare('ties', setOf(a.tiedNodes), setOf(b.tiedNodes), id);
    compare('message', a.message ?? '', b.message ?? '', id);
    const whole = it => [it?.plugin, setOf(it?.reasons)];
    if (a.preFilterRejection ?? b.preFilterRejection) {
      compare('whole-Pod rejection', whole(a.preFilterRejection), whole(b.preFilterRejection), id);
    }
    if (a.preemption ?? b.preemption) {
      compare('nominated node', a.preemption?.nominatedNode, b.preemption?.nominatedNode, id);
      compare('victims', setOf(a.preemption?.victims), setOf(b.preemption?.victims), id);
    }
    const nodes = new Map((b.nodes ?? []).map(it => [it.node, it]));
    for (const n of a.nodes ?? []) compareNode(n, nodes.get(n.node) ?? {}, `${id} on ${n.node}`, compare, tallies);
  }
  return notes;
}

function compareNode(want, have, about, compare, tallies) {
  const isVerdict = compare('verdict', want.verdict, have.verdict, about);
  if (want.verdict === 'rejected') {
    const why = it => [it.plugin, it.code, setOf(it.reasons)];
    const isWhy = compare('plugin, code, reasons', why(want), why(have), about);
    compare(want.plugin ?? '(none)', true, isVerdict && isWhy, about, tallies.plugin);
    return;
  }
  const triple = it => (Array.isArray(it) || it === undefined ? it : [it.raw, it.normalized, it.weighted]);
  for (const [plugin, score] of Object.entries(want.scores ?? {})) {
    const own = triple(have.scores?.[plugin]);
    compare('score', triple(score), own, `${about} ${plugin}`);
    compare(`${plugin} score`, triple(score), own, about, tallies.plugin);
  }
  compare('total', want.total, have.total, about);
}

function setOf(list) {
  return [...(list ?? [])].sort();
}

function shown(value) {
  return String(JSON.stringify(value)).slice(0, 160);
}

function percent(part, all) {
  return `${((100 * part) / Math.max(1, all)).toFixed(2)}%`;
}
