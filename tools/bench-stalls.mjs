// `npm run bench -- stalls [NAME…]`: opens the files that are made to be slow in the built server, asks for whatever an editor
// asks for, and types a letter. Tells how long the main thread ran at most before it answered something else, and what the server
// held of memory. It needs a build, and Linux. NAME is a part of the name of an input.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { CancellationTokenSource } from 'vscode-languageserver/node';
import { greeted, lapOf, residentOf, startServer } from './built-server.mjs';
import { bundled } from './bundled.mjs';

const SIZE = 1_000_000;
/** Milliseconds of the main thread in one piece. */
const GOAL = 1_000;
/** Milliseconds between two questions that show whether the server answers. */
const PING = 20;
/** What is not answered then is given up. */
const LONGEST = 120_000;
/** The server is at rest when its main thread runs for less than half of so many milliseconds, three times in a row. */
const REST = 400;
/** Then requests are sent although there is no rest: policies may be evaluated for minutes, between other answers. */
const LONGEST_REST = 20_000;
/** Placement tests are cancelled then. */
const LONGEST_RUN = 10_000;

const { HOSTILE } = await bundled('test/bench/hostile');
const wanted = process.argv.slice(3);
const inputs = HOSTILE.filter(it => wanted.length === 0 || wanted.some(part => it.name.includes(part)));
let missed = 0;
for (const input of inputs) {
  const { stall, during, resident } = await longestStall(input);
  const isMissed = stall > GOAL;
  if (isMissed) missed += 1;
  const verdict = isMissed ? `  MISSED: ${during}` : '';
  console.log(`${input.name.padEnd(54)} ${stall.toFixed(0)} ms, ${resident ?? '-'} MiB${verdict}`);
}
console.log(`${inputs.length} inputs, of which ${missed} hold the server for over ${GOAL} ms`);

async function longestStall({ file, text }) {
  const folder = mkdtempSync(join(tmpdir(), 'berth-stalls-'));
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  const written = text(SIZE);
  writeFileSync(path, written);
  const child = startServer();
  child.stdin.on('error', () => undefined);
  const ended = new Promise(resolve => child.once('exit', resolve));
  const worst = { stall: 0, during: 'nothing', resident: undefined };
  const noAnswer = { stall: Number.POSITIVE_INFINITY, during: 'the server ended or did not answer' };
  try {
    const ends = ended.then(() => 'ended');
    const how = await Promise.race([session(child, { folder, path, text: written }, worst), ends, pause(LONGEST)]);
    return how === 'done' ? worst : { ...worst, ...noAnswer };
  } finally {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
}

async function session(child, { folder, path, text }, worst) {
  const connection = await greeted(child, folder, {
    workspace: { configuration: true, codeLens: { refreshSupport: true }, inlayHint: { refreshSupport: true } },
    textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true } },
  });
  const textDocument = { uri: pathToFileURL(path).href };
  const state = { during: 'opening', isDone: false };
  const ping = async () => {
    const lap = lapOf(child.pid);
    const { during } = state;
    const position = { line: 0, character: 0 };
    await connection.sendRequest('textDocument/selectionRange', { textDocument, positions: [position] });
    const { ran } = lap();
    if (ran > worst.stall) Object.assign(worst, { stall: ran, during });
    worst.resident = Math.max(worst.resident ?? 0, residentOf(child.pid));
  };
  const pinging = (async () => {
    for (; !state.isDone; await pause(PING)) await ping();
  })();
  const rest = async () => {
    const end = performance.now() + LONGEST_REST;
    for (let quiet = 0; quiet < 3 && performance.now() < end; ) {
      const lap = lapOf(child.pid);
      await pause(REST);
      quiet = lap().ran < REST / 2 ? quiet + 1 : 0;
    }
  };
  await connection.sendNotification('textDocument/didOpen', {
    textDocument: { ...textDocument, languageId: 'yaml', version: 1, text },
  });
  await rest();
  const { middle, all } = placesIn(text);
  for (const [method, params] of requests(textDocument, middle, all)) {
    state.during = method;
    await connection.sendRequest(`textDocument/${method}`, params);
  }
  if (path.endsWith('.placement-test.yaml')) await runTests(connection, textDocument, state);
  state.during = 'a letter';
  await connection.sendNotification('textDocument/didChange', {
    textDocument: { ...textDocument, version: 2 },
    contentChanges: [{ range: { start: middle, end: middle }, text: 'x' }],
  });
  await rest();
  state.isDone = true;
  await pinging;
  connection.dispose();
  return 'done';
}

/** Lists the placement tests and runs them, until they are cancelled. */
async function runTests(connection, textDocument, state) {
  state.during = 'berth/tests';
  await connection.sendRequest('berth/tests');
  state.during = 'berth/runTests';
  const cancelling = new CancellationTokenSource();
  const timer = setTimeout(() => cancelling.cancel(), LONGEST_RUN);
  await connection.sendRequest('berth/runTests', { textDocument }, cancelling.token);
  clearTimeout(timer);
}

/** A position in the line in the middle, behind its indentation, and the range of the whole text. */
function placesIn(text) {
  const lines = text.split('\n');
  const line = lines.length >> 1;
  const written = lines[line] ?? '';
  const character = Math.min(written.length, Math.max(0, written.search(/\S/)) + 1);
  const end = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
  return { middle: { line, character }, all: { start: { line: 0, character: 0 }, end } };
}

function requests(textDocument, position, all) {
  const line = { start: { line: position.line, character: 0 }, end: position };
  const screen = { ...line, end: { line: Math.min(all.end.line, position.line + 60), character: 0 } };
  const at = { textDocument, position };
  return [
    ['documentSymbol', { textDocument }],
    ['foldingRange', { textDocument }],
    ['semanticTokens/range', { textDocument, range: screen }],
    ['documentLink', { textDocument }],
    ['codeLens', { textDocument }],
    ['inlayHint', { textDocument, range: screen }],
    ['hover', at],
    ['completion', at],
    ['completion', { textDocument, position: all.end }],
    ['definition', at],
    ['references', { ...at, context: { includeDeclaration: true } }],
    ['codeAction', { textDocument, range: line, context: { diagnostics: [] } }],
    ['codeAction', { textDocument, range: all, context: { diagnostics: [] } }],
  ];
}
