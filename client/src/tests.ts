import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import {
  type RunTestsAnswer,
  type RunTestsParams,
  runTestsRequest,
  type TestsAnswer,
  testsRequest,
} from '../../server/src/lsp/protocol';

/** The placement tests of the workspace in the test explorer. */
export interface TestExplorer extends vscode.Disposable {
  /** Lists the tests again: something that they depend on has changed. */
  changed(): void;
  readonly controller: vscode.TestController;
}

/** Joins changes that come within this time, in milliseconds. */
const CALM = 300;

export function createTestExplorer(started: Promise<LanguageClient>): TestExplorer {
  const controller = vscode.tests.createTestController('berth', vscode.l10n.t('Berth placement tests'));
  const state: { timer?: NodeJS.Timeout } = {};
  const list = async (): Promise<void> => {
    const files = await (await started).sendRequest<TestsAnswer>(testsRequest);
    controller.items.replace(files.map(it => itemOf(it, controller)));
  };
  controller.refreshHandler = list;
  controller.createRunProfile(
    vscode.l10n.t('Run'),
    vscode.TestRunProfileKind.Run,
    async (request, token) => run(request, token, controller, await started),
    true,
  );
  void started.then(list);
  return {
    controller,
    changed() {
      state.timer ??= setTimeout(() => {
        delete state.timer;
        void list();
      }, CALM);
    },
    dispose() {
      clearTimeout(state.timer);
      controller.dispose();
    },
  };
}

function itemOf({ uri, tests }: TestsAnswer[number], controller: vscode.TestController): vscode.TestItem {
  const place = vscode.Uri.parse(uri);
  const file = controller.createTestItem(uri, vscode.workspace.asRelativePath(place), place);
  file.children.replace(
    tests.map(({ name, range }) => {
      const item = controller.createTestItem(`${uri}#${name}`, name, place);
      item.range = rangeOf(range);
      return item;
    }),
  );
  return file;
}

async function run(
  request: vscode.TestRunRequest,
  token: vscode.CancellationToken,
  controller: vscode.TestController,
  client: LanguageClient,
): Promise<void> {
  const tests = controller.createTestRun(request);
  const chosen = request.include ?? [...controller.items].map(([, it]) => it);
  const files = new Map<vscode.TestItem, vscode.TestItem[] | undefined>();
  for (const item of chosen) {
    if (!item.parent) files.set(item, undefined);
    else if (!files.has(item.parent) || files.get(item.parent))
      files.set(item.parent, [...(files.get(item.parent) ?? []), item]);
  }
  for (const [file, only] of files) {
    if (token.isCancellationRequested) break;
    const items = (only ?? [...file.children].map(([, it]) => it)).filter(it => !request.exclude?.includes(it));
    for (const it of items) tests.started(it);
    const params: RunTestsParams = { textDocument: { uri: file.id }, only: items.map(it => it.label) };
    const begin = Date.now();
    const answer = await client.sendRequest<RunTestsAnswer>(runTestsRequest, params, token);
    report(tests, file, items, answer, (Date.now() - begin) / Math.max(1, items.length));
  }
  tests.end();
}

function report(
  tests: vscode.TestRun,
  file: vscode.TestItem,
  items: readonly vscode.TestItem[],
  { results, problem, toAccept }: RunTestsAnswer,
  milliseconds: number,
): void {
  if (problem !== undefined) {
    const message = new vscode.TestMessage(problem);
    for (const it of items) tests.errored(it, message);
    return;
  }
  const byName = new Map(results.map(it => [it.name, it]));
  for (const item of items) {
    const result = byName.get(item.label);
    // It was removed from the file since the tests were listed.
    if (result === undefined) {
      tests.skipped(item);
      continue;
    }
    const { failures, notes } = result;
    for (const note of notes) tests.appendOutput(`${note}\r\n`, undefined, item);
    if (failures.length === 0) tests.passed(item, milliseconds);
    else {
      const messages = failures.map(({ expectation, message, range }) => {
        const failure = new vscode.TestMessage(`${expectation}: ${message}`);
        if (file.uri) failure.location = new vscode.Location(file.uri, rangeOf(range));
        return failure;
      });
      tests.failed(item, messages, milliseconds);
    }
  }
  if (toAccept && results.some(it => it.failures.some(({ expectation }) => expectation === 'unmoved')))
    void offer(toAccept);
}

/** Compares the new placement with the accepted one, and accepts it when the user says so. */
async function offer({ uri, text }: NonNullable<RunTestsAnswer['toAccept']>): Promise<void> {
  const [accept, compare] = [vscode.l10n.t('Accept'), vscode.l10n.t('Compare')];
  const question = vscode.l10n.t('Some Pods moved since their placement was last accepted.');
  const answer = await vscode.window.showInformationMessage(question, accept, compare);
  const place = vscode.Uri.parse(uri);
  if (answer === accept) await vscode.workspace.fs.writeFile(place, new TextEncoder().encode(text));
  if (answer !== compare) return;
  const now = await vscode.workspace.openTextDocument({ language: 'json', content: text });
  const before = await there(place);
  const was = before ?? (await vscode.workspace.openTextDocument({ language: 'json', content: '{}\n' })).uri;
  await vscode.commands.executeCommand('vscode.diff', was, now.uri, vscode.l10n.t('Accepted placement ↔ now'));
  await offer({ uri, text });
}

async function there(place: vscode.Uri): Promise<vscode.Uri | undefined> {
  try {
    await vscode.workspace.fs.stat(place);
    return place;
  } catch {
    return undefined;
  }
}

function rangeOf({ start, end }: TestsAnswer[number]['tests'][number]['range']): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}
