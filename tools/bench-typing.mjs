// `npm run bench -- typing [KEYS]`: types a field letter by letter into the middle of one large file of the built server, each
// letter once the problems of the one before are told. Tells the latency of a letter, how long the server's main thread ran for
// it (which other programs hardly change), and what the server holds of memory; for a CustomResourceDefinition, also how long it
// takes to open, beside the time that `yaml` takes to read it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { greeted, lapOf, residentOf, toldOf, withServer } from './built-server.mjs';

/** What is typed above a field in the middle. */
const OF_CONTAINER = { word: 'imagePullPolicy: Always', field: 'image: ' };
const OF_SCHEMA = { word: 'title: An amount', field: 'minimum: ' };
/** Until then the runtime compiles, and the heap finds its size. */
const WARM = 0.1;
const MOST_GROWTH = 1.1;

/** What is typed into; milliseconds (p95) and MiB are goals. */
const CASES = [
  { name: '5,000 lines', lines: 5_000, keys: 10_000, goal: 16 },
  { name: '50,000 lines', lines: 50_000, keys: 2_000, goal: 60 },
  { name: 'a List of 50,000 lines', lines: 50_000, keys: 2_000, goal: 60, most: 600, isList: true },
  // As a person types: in the pauses the server goes on with all files.
  { name: '300 lines among 20,000 files', lines: 300, keys: 220, goal: 16, around: 20_000, gap: 100 },
  {
    name: '300 lines among 20,000 files with policies',
    lines: 300,
    keys: 220,
    goal: 16,
    around: 20_000,
    gap: 100,
    policies: true,
  },
];

/** One of the API server and one of Kyverno, about what is typed into. */
const POLICIES = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: team }
spec:
  matchConstraints: { resourceRules: [{ apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments] }] }
  validations: [{ expression: "object.spec.replicas < 100" }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: team }
spec: { policyName: team, validationActions: [Deny] }
---
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: named }
spec:
  rules:
    - name: named
      match: { any: [{ resources: { kinds: [Deployment, ConfigMap] } }] }
      validate: { failureAction: Enforce, message: needs a name, pattern: { metadata: { name: "?*" } } }
`;

/** A definition that is opened in a server which has read others; milliseconds (p50 of some servers). */
const DEFINITION = {
  name: 'a CustomResourceDefinition of 10,000 lines',
  lines: 10_000,
  keys: 2_000,
  goal: 16,
  opens: 100,
  servers: 5,
};

export async function typing({ deployments, definition }, tools, keys) {
  await typingDefinition(definition, deployments, tools, keys);
  await typingDeployments(deployments, tools, keys);
}

async function typingDefinition(definition, deployments, { line, ms, quantile, readTime }, keys) {
  const { name, lines, goal, opens, servers } = DEFINITION;
  const text = definition(lines, 'thing');
  const before = [deployments(1_000), definition(1_000, 'other')];
  const reference = readTime(text);
  const opened = [];
  for (let i = 0; i < servers; i++) opened.push((await typed({ text, keys: 0, before, ...OF_SCHEMA })).opened);
  const waits = opened.map(it => it.milliseconds);
  const p50 = quantile(waits, 0.5);
  const runs = opened.map(it => it.ran);
  line(
    `didOpen → problems, ${name}`,
    `p50 ${ms(p50)}, slowest ${ms(Math.max(...waits))}${ranText(runs, { ms, quantile })}`,
    {
      value: p50,
      goal: opens,
      reference,
    },
  );
  const { letters, resident } = await typed({
    text,
    keys: keys ?? DEFINITION.keys,
    before,
    ...OF_SCHEMA,
  });
  tellTimes({ name, goal, reference }, letters, { line, ms, quantile });
  console.log(memoryText(resident));
}

function tellTimes({ name, goal, reference }, letters, { line, ms, quantile }) {
  const warm = letters.slice(Math.floor(letters.length * WARM));
  const waits = warm.map(it => it.milliseconds);
  const p95 = quantile(waits, 0.95);
  const count = letters.length.toLocaleString('en');
  const ran = ranText(
    warm.map(it => it.ran),
    { ms, quantile },
  );
  line(`letter → problems, ${name}, ${count} letters`, `p50 ${ms(quantile(waits, 0.5))}, p95 ${ms(p95)}${ran}`, {
    value: p95,
    goal,
    reference,
  });
}

function ranText(runs, { ms, quantile }) {
  if (runs.includes(undefined)) return '';
  return ` (main thread p50 ${ms(quantile(runs, 0.5))}, p95 ${ms(quantile(runs, 0.95))})`;
}

async function typingDeployments(deployments, tools, keys) {
  for (const it of CASES) {
    const text = it.isList ? listOf(deployments(it.lines)) : deployments(it.lines);
    const { around, gap, policies } = it;
    const { letters, resident } = await typed({ text, keys: keys ?? it.keys, around, gap, policies, ...OF_CONTAINER });
    tellTimes(it, letters, tools);
    console.log(memoryText(resident, it.most));
  }
}

function memoryText({ early, late }, most) {
  if (late === undefined) return '  memory: not measured, as this system has no /proc';
  const growth = late / early;
  const flat = `goal ${MOST_GROWTH.toFixed(2)}: ${growth <= MOST_GROWTH ? 'reached' : 'MISSED'}`;
  const bound = most === undefined ? '' : `; goal ${most} MiB: ${late <= most ? 'reached' : 'MISSED'}`;
  return `  resident ${early} MiB after a tenth of them, ${late} MiB at the end, ${growth.toFixed(2)} ×; ${flat}${bound}`;
}

/** The same objects as items of one document. */
function listOf(documents) {
  const items = documents.split('---\n').map(it => {
    const [first, ...others] = it.trimEnd().split('\n');
    return [`- ${first}`, ...others.map(rest => `  ${rest}`)].join('\n');
  });
  return `apiVersion: v1\nkind: List\nitems:\n${items.join('\n')}\n`;
}

async function typed(input) {
  const folder = mkdtempSync(join(tmpdir(), 'berth-typing-'));
  try {
    return await withServer(child => session(child, folder, input));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function session(child, folder, { text, keys, before = [], around = 0, gap = 0, policies, word, field }) {
  writeFiles(folder, around);
  if (policies) writeFileSync(join(folder, 'policies.yaml'), POLICIES);
  const connection = await greeted(child, folder, { workspace: { configuration: true, workspaceFolders: true } });
  const waitFor = toldOf(connection);
  const open = async (name, own) => {
    const path = join(folder, name);
    writeFileSync(path, own);
    const uri = pathToFileURL(path).href;
    const lap = lapOf(child.pid);
    const answer = waitFor(uri, 1);
    await connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'yaml', version: 1, text: own },
    });
    await answer;
    return { uri, took: lap() };
  };
  // Answered once the folder is read.
  await connection.sendRequest('berth/cluster');
  for (const [i, own] of before.entries()) await open(`before-${i}.yaml`, own);
  const { uri, took: opened } = await open('all.yaml', text);
  if (policies) await atRest(child.pid);
  const { line, indent } = placeIn(text, field);
  let version = 1;
  const change = async (from, to, newText) => {
    version += 1;
    const answer = waitFor(uri, version);
    const range = { start: { line, character: from }, end: { line, character: to } };
    await connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: [{ range, text: newText }],
    });
    await answer;
  };
  await change(0, 0, `${' '.repeat(indent)}\n`);
  const letters = [];
  let early;
  while (letters.length < keys) {
    for (const [i, letter] of [...word].entries()) {
      const lap = lapOf(child.pid);
      await change(indent + i, indent + i, letter);
      letters.push(lap());
      if (gap > 0) await pause(gap);
      if (letters.length === Math.ceil(keys * WARM)) early = residentOf(child.pid);
    }
    await change(indent, indent + word.length, '');
  }
  const late = residentOf(child.pid);
  connection.dispose();
  return { opened, letters, resident: { early, late } };
}

/** Resolves once a process has done next to nothing for two seconds: its policies have been asked about all files. */
async function atRest(pid) {
  for (let quiet = 0; quiet < 8; ) {
    const lap = lapOf(pid);
    await pause(250);
    quiet = (lap().ran ?? 0) < 25 ? quiet + 1 : 0;
  }
}

/** So many files of one object, a hundred a folder. */
function writeFiles(folder, count) {
  for (let i = 0; i < count; i++) {
    const path = join(folder, `team${Math.floor(i / 100)}/settings${i}.yaml`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings${i} }\ndata: { mode: fast }\n`);
  }
}

/** The line of a field in the middle, and where it begins. */
function placeIn(text, field) {
  const at = text.indexOf(field, text.length / 2);
  const lineStart = text.lastIndexOf('\n', at) + 1;
  return { line: text.slice(0, lineStart).split('\n').length - 1, indent: at - lineStart };
}
