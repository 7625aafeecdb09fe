// `npm run bench -- typing [KEYS]`: types a field letter by letter into the middle of one large file of the built server, each
// letter once the problems of the one before are told. Tells the latency of a letter and what the server holds of memory.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { root } from './run.mjs';

const WORD = 'imagePullPolicy: Always';
/** Until then the runtime compiles, and the heap finds its size. */
const WARM = 0.1;
const MOST_GROWTH = 1.1;

/** What is typed into; milliseconds (p95) and MiB are goals. */
const CASES = [
  { name: '5,000 lines', lines: 5_000, keys: 10_000, goal: 16 },
  { name: '50,000 lines', lines: 50_000, keys: 2_000, goal: 60 },
  { name: 'a List of 50,000 lines', lines: 50_000, keys: 2_000, goal: 60, most: 600, isList: true },
];

export async function typing(deployments, { line, ms, quantile }, keys) {
  const server = join(root, 'dist/server.js');
  if (!existsSync(server)) throw new Error('dist/server.js does not exist: `npm run build` makes it.');
  for (const it of CASES) {
    const text = it.isList ? listOf(deployments(it.lines)) : deployments(it.lines);
    const { times, resident } = await typed(server, text, keys ?? it.keys);
    const warm = times.slice(Math.floor(times.length * WARM));
    const p95 = quantile(warm, 0.95);
    const count = times.length.toLocaleString('en');
    line(`letter → problems, ${it.name}, ${count} letters`, `p50 ${ms(quantile(warm, 0.5))}, p95 ${ms(p95)}`, {
      value: p95,
      goal: it.goal,
    });
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

async function typed(server, text, keys) {
  const folder = mkdtempSync(join(tmpdir(), 'berth-typing-'));
  const child = spawn(process.execPath, [server, '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
  try {
    const path = join(folder, 'all.yaml');
    writeFileSync(path, text);
    const ended = new Promise((_, fail) => {
      child.once('error', fail);
      child.once('exit', (code, signal) =>
        fail(new Error(`The server ended while it was measured (${signal ?? code}).`)),
      );
    });
    return await Promise.race([session(child, { folder, path, text, keys }), ended]);
  } finally {
    child.removeAllListeners('exit');
    child.kill();
    rmSync(folder, { recursive: true });
  }
}

async function session(child, { folder, path, text, keys }) {
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const uri = pathToFileURL(path).href;
  const told = toldOf(connection, uri);
  connection.onRequest('workspace/configuration', ({ items }) => items.map(() => null));
  connection.onRequest('client/registerCapability', () => null);
  connection.listen();
  await connection.sendRequest('initialize', {
    processId: process.pid,
    rootUri: null,
    workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'bench' }],
    capabilities: { workspace: { configuration: true, workspaceFolders: true } },
  });
  await connection.sendNotification('initialized', {});
  const opened = told(1);
  await connection.sendNotification('textDocument/didOpen', {
    textDocument: { uri, languageId: 'yaml', version: 1, text },
  });
  await opened;
  const { line, indent } = placeIn(text);
  let version = 1;
  const change = async (from, to, newText) => {
    version += 1;
    const answer = told(version);
    const range = { start: { line, character: from }, end: { line, character: to } };
    await connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: [{ range, text: newText }],
    });
    await answer;
  };
  await change(0, 0, `${' '.repeat(indent)}\n`);
  const times = [];
  let early;
  while (times.length < keys) {
    for (const [i, letter] of [...WORD].entries()) {
      const start = performance.now();
      await change(indent + i, indent + i, letter);
      times.push(performance.now() - start);
      if (times.length === Math.ceil(keys * WARM)) early = residentOf(child.pid);
    }
    await change(indent, indent + WORD.length, '');
  }
  const late = residentOf(child.pid);
  connection.dispose();
  return { times, resident: { early, late } };
}

/** Gives a promise that some version's problems are told. */
function toldOf(connection, uri) {
  const waiting = new Map();
  connection.onNotification('textDocument/publishDiagnostics', it => {
    if (it.uri !== uri) return;
    waiting.get(it.version)?.();
    waiting.delete(it.version);
  });
  return version => new Promise(resolve => waiting.set(version, resolve));
}

/** The line of an image in the middle, and where its field begins. */
function placeIn(text) {
  const at = text.indexOf('image: ', text.length / 2);
  const lineStart = text.lastIndexOf('\n', at) + 1;
  return { line: text.slice(0, lineStart).split('\n').length - 1, indent: at - lineStart };
}

/** MiB; undefined on systems that do not tell. */
function residentOf(pid) {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return undefined;
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(file, 'utf8'))?.[1]) / 1024);
}
