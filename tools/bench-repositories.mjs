// `npm run bench -- repositories [REPOSITORIES]`: a folder with ten repositories, some 10,000 files, in the built server. A file is
// opened at once; while the others are read and rendered, hovers are asked for every tenth of a second, in another server letters
// typed. Tells how long the main thread ran before the answer, as other programs hardly change that, and when all was read. What
// renders is a script that prints the base. It needs a build, and Linux.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { greeted, lapOf, residentOf, toldOf, withServer } from './built-server.mjs';
import { bundled } from './bundled.mjs';

/** Of one repository. */
const SIZE = { apps: 12, definitions: 10, manifests: 800, policies: 10 };
const GAP_MILLISECONDS = 100;
/** Rendering and policies begin once all is read. */
const MILLISECONDS_AFTER_READING = 20_000;
const OPENED = 'repo0/apps/app0/base/deployment.yaml';
/** Milliseconds. */
const GOAL = { p95: 500, longest: 1_000 };

/** @param {number} count of repositories */
export async function repositoriesTimes({ line, ms, quantile, readTime }, count = 10) {
  const { repositories } = await bundled('test/bench/repositories');
  const files = repositories(count, SIZE);
  const reference = readTime(Object.values(files).join('---\n'));
  const name = `${count} repositories, ${Object.keys(files).length.toLocaleString('en')} files`;
  for (const [what, asked] of Object.entries({ hover: hovers, letter: letters })) {
    const { times, read, resident } = await served(files, asked);
    line(`${name} → read, ${what}s beside`, ms(read), { value: read, reference });
    const { p95, longest } = GOAL;
    const [most, usual] = [Math.max(...times), quantile(times, 0.95)];
    const text = `p50 ${ms(quantile(times, 0.5))}, p95 ${ms(usual)} of the main thread (goal ${p95} ms: ${usual <= p95 ? 'reached' : 'MISSED'})`;
    line(`${what}, of ${times.length}, beside reading and rendering`, `${text}, longest ${ms(most)}`, {
      value: most,
      goal: longest,
    });
    console.log(`  resident ${resident} MiB`);
  }
}

async function served(files, asked) {
  const folder = mkdtempSync(join(tmpdir(), 'berth-repositories-'));
  const [tools, workspace] = ['bin', 'ws'].map(it => join(folder, it));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  }
  mkdirSync(tools);
  writeFileSync(
    join(tools, 'kustomize'),
    '#!/bin/sh\ncat ../../base/deployment.yaml\necho ---\ncat ../../base/service.yaml\n',
  );
  chmodSync(join(tools, 'kustomize'), 0o755);
  try {
    const variables = { PATH: `${tools}:${process.env.PATH}` };
    return await withServer(child => session(child, workspace, files[OPENED], asked), variables);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function session(child, workspace, text, asked) {
  const start = performance.now();
  const connection = await greeted(child, workspace, {
    window: { workDoneProgress: true },
    workspace: { configuration: true, workspaceFolders: true },
    textDocument: { publishDiagnostics: { versionSupport: true } },
  });
  const state = { read: undefined };
  connection.onNotification('$/progress', ({ value }) => {
    if (value.kind === 'end') state.read ??= performance.now() - start;
  });
  const uri = pathToFileURL(join(workspace, OPENED)).href;
  const answered = asked(connection, uri);
  await connection.sendNotification('textDocument/didOpen', {
    textDocument: { uri, languageId: 'yaml', version: 1, text },
  });
  const times = [];
  const isOver = () => state.read !== undefined && performance.now() - start > state.read + MILLISECONDS_AFTER_READING;
  while (!isOver()) {
    await pause(GAP_MILLISECONDS);
    const lap = lapOf(child.pid);
    await answered(times.length);
    times.push(lap().ran);
  }
  const resident = residentOf(child.pid);
  connection.dispose();
  return { times, read: state.read, resident };
}

const hovers = (connection, uri) => () =>
  connection.sendRequest('textDocument/hover', { textDocument: { uri }, position: { line: 0, character: 1 } });

/** Types a comment, and takes it back. */
function letters(connection, uri) {
  const waitFor = toldOf(connection);
  return async i => {
    const version = i + 2;
    const answer = waitFor(uri, version);
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: i % 2 } };
    await connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: [{ range, text: i % 2 === 0 ? '#' : '' }],
    });
    await answer;
  };
}
