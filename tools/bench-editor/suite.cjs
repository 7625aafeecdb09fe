// Runs in VS Code's extension host and writes how long the editor waits for diagnostics, in milliseconds, into the file that
// BERTH_BENCH_RESULT names. BERTH_BENCH_FILE: a manifest of the workspace that holds BERTH_BENCH_FIELD.
const { writeFileSync } = require('node:fs');
const { performance } = require('node:perf_hooks');
const vscode = require('vscode');

const KEYS = 40;

exports.run = async () => {
  const { BERTH_BENCH_RESULT: result, BERTH_BENCH_FILE: file, BERTH_BENCH_FIELD: field } = process.env;
  const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, file);
  // Opening the file activates Berth, which starts its server.
  const begin = performance.now();
  const editor = await vscode.window.showTextDocument(uri);
  await diagnosed(uri, it => it.length > 0);
  const opened = performance.now() - begin;

  const at = editor.document.positionAt(editor.document.getText().indexOf(field));
  const count = vscode.languages.getDiagnostics(uri).length;
  const keys = [];
  const edits = [];
  for (let i = 0; i < KEYS; i++) {
    // Misspells the field, then takes that back.
    const isTyped = i % 2 === 0;
    const start = performance.now();
    await editor.edit(it => (isTyped ? it.insert(at, 'x') : it.delete(new vscode.Range(at, at.translate(0, 1)))));
    edits.push(performance.now() - start);
    await diagnosed(uri, it => (isTyped ? it.length > count : it.length <= count));
    keys.push(performance.now() - start);
  }
  writeFileSync(result, JSON.stringify({ opened, keys, edits }));
};

/**
 * Until the editor has diagnostics of a file that are awaited. The event of changed diagnostics is not used: VS Code holds it back
 * for 50 ms before it tells extensions, and the window has the squiggle by then.
 */
async function diagnosed(uri, isAwaited) {
  while (!isAwaited(vscode.languages.getDiagnostics(uri))) await new Promise(done => setTimeout(done, 1));
}
