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
  const first = diagnosed(uri, it => it.length > 0);
  const editor = await vscode.window.showTextDocument(uri);
  const opened = (await first) - begin;

  const at = editor.document.positionAt(editor.document.getText().indexOf(field));
  const count = vscode.languages.getDiagnostics(uri).length;
  const keys = [];
  for (let i = 0; i < KEYS; i++) {
    // Misspells the field, then takes that back.
    const isTyped = i % 2 === 0;
    const start = performance.now();
    const told = diagnosed(uri, it => (isTyped ? it.length > count : it.length <= count));
    await editor.edit(it => (isTyped ? it.insert(at, 'x') : it.delete(new vscode.Range(at, at.translate(0, 1)))));
    keys.push((await told) - start);
  }
  writeFileSync(result, JSON.stringify({ opened, keys }));
};

/** When the editor has diagnostics of a file that are awaited. */
function diagnosed(uri, isAwaited) {
  return new Promise(done => {
    const listener = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      if (!uris.some(it => it.toString() === uri.toString())) return;
      if (!isAwaited(vscode.languages.getDiagnostics(uri))) return;
      listener.dispose();
      done(performance.now());
    });
  });
}
