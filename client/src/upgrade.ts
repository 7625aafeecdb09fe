import * as vscode from 'vscode';
import { type ListedChange, upgradeMarkdown } from '../../server/src/analysis/upgradeReport';
import { speak } from '../../server/src/base/l10n';
import { runCli, speaking } from './runCli';
import { settingFlags, versionSet } from './settingFlags';
import { declaredVersions, pickVersion } from './status';
import { linksFrom } from './upgradeLinks';
import { createUpgradeMarks } from './upgradeMarks';
import { workspaceFolder } from './workspaceFiles';

const SCHEME = 'berth-upgrade';

/** What `berth upgrade --format json` prints, as far as it is read here. */
interface Answer {
  readonly versions: readonly string[];
  readonly changes: readonly ListedChange[];
  readonly notes?: readonly string[];
  readonly error?: string;
}

/** Says what an upgrade changes for the manifests of the workspace, in a report and as problems of their own. */
export interface UpgradeCheck extends vscode.Disposable {
  /** @param range the versions; absent: the user is asked */
  check(range?: UpgradeRange): Promise<void>;
  /** Removes the problems. */
  clear(): void;
}

export function createUpgradeCheck(context: vscode.ExtensionContext): UpgradeCheck {
  speak(vscode.l10n.bundle);
  const marks = createUpgradeMarks();
  const reports = new Map<string, string>();
  const changes = new vscode.EventEmitter<vscode.Uri>();
  const subscriptions = [
    marks,
    changes,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      onDidChange: changes.event,
      provideTextDocumentContent: uri => reports.get(uri.path) ?? '',
    }),
  ];
  return {
    async check(given) {
      const range = given ?? (await pickRange());
      const folder = folderToCheck();
      if (range === undefined || folder === undefined) return;
      const texts = openTexts();
      const answer = await answered(context, folder.fsPath, range, unsavedOf(texts));
      if (answer === undefined) return;
      if (answer.error !== undefined) void vscode.window.showWarningMessage(answer.error);
      if (answer.versions.length === 0) return;
      const uriOf = (path: string): vscode.Uri => vscode.Uri.joinPath(folder, path);
      marks.show(toMark(answer, texts, uriOf), answer.versions.at(-1) ?? '', uriOf);
      const linkTo = linksFrom(vscode.workspace.workspaceFolders?.[0]?.uri, folder);
      const report = vscode.Uri.from({ scheme: SCHEME, path: `/Kubernetes ${range.from} to ${range.to}.md` });
      reports.set(report.path, upgradeMarkdown(answer, linkTo));
      changes.fire(report);
      await vscode.commands.executeCommand('markdown.showPreview', report);
    },
    clear: () => marks.clear(),
    dispose() {
      for (const it of subscriptions) it.dispose();
    },
  };
}

export interface UpgradeRange {
  readonly from: string;
  readonly to: string;
}

async function pickRange(): Promise<UpgradeRange | undefined> {
  const settings = vscode.workspace.getConfiguration('berth');
  const now = versionSet(it => settings.get(it));
  const from = await pickVersion(vscode.l10n.t('Kubernetes version that runs now'), now, declaredVersions());
  if (from === undefined) return undefined;
  const minor = /^v?\d+\.\d+/.exec(from)?.[0].replace('v', '') ?? from;
  const all = [...declaredVersions()].sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
  const later = all.filter(it => it.localeCompare(minor, undefined, { numeric: true }) > 0).reverse();
  const to = await pickVersion(vscode.l10n.t('Kubernetes version to go to'), undefined, later);
  return to === undefined ? undefined : { from, to };
}

/** The folder of the workspace; without one that of the active file. */
function folderToCheck(): vscode.Uri | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return workspaceFolder() ?? (uri?.scheme === 'file' ? vscode.Uri.joinPath(uri, '..') : undefined);
}

/** undefined: cancelled, or there is no answer. */
async function answered(
  context: vscode.ExtensionContext,
  cwd: string,
  { from, to }: UpgradeRange,
  input: string,
): Promise<Answer | undefined> {
  const cancelling = new AbortController();
  const args = ['upgrade', '--from', from, '--to', to, '--format', 'json', '--fail-on', 'never', '--unsaved'];
  const settings = vscode.workspace.getConfiguration('berth');
  const flags = settingFlags(it => settings.get(it), vscode.workspace.isTrusted ? 'trusted' : 'untrusted');
  const title = vscode.l10n.t('Berth checks the upgrade from {0} to {1}', from, to);
  const { out } = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    (_, token) => {
      token.onCancellationRequested(() => cancelling.abort());
      const env = speaking(vscode.env.language);
      return runCli(context, [...args, ...flags], { cwd, input, signal: cancelling.signal, env });
    },
  );
  if (cancelling.signal.aborted) return undefined;
  try {
    return JSON.parse(out) as Answer;
  } catch {
    void vscode.window.showWarningMessage(vscode.l10n.t('Berth could not check the upgrade.'));
    return undefined;
  }
}

const IS_BETTER: ReadonlySet<ListedChange['change']> = new Set(['ended', 'mended', 'kept']);

/** The changes that are worse after the upgrade, in files whose text is still the one that was checked. */
function toMark({ changes }: Answer, texts: Texts, uriOf: (path: string) => vscode.Uri): readonly ListedChange[] {
  return changes.filter(({ change, path, code, fieldPath }) => {
    if (IS_BETTER.has(change) || path === 'settings') return false;
    // An object of a cluster is in no file.
    if (code === 'upgrade/applied-version' && fieldPath === undefined) return false;
    const uri = uriOf(path).toString();
    const document = vscode.workspace.textDocuments.find(it => it.uri.toString() === uri);
    return document === undefined || (texts.get(uri)?.version ?? document.version) === document.version;
  });
}

/** The open documents when the check began, by uri. */
type Texts = ReadonlyMap<string, { readonly version: number; readonly unsaved?: string }>;

function openTexts(): Texts {
  const open = vscode.workspace.textDocuments.filter(it => it.uri.scheme === 'file');
  return new Map(
    open.map(it => [it.uri.toString(), { version: it.version, ...(it.isDirty && { unsaved: it.getText() }) }]),
  );
}

/** What `--unsaved` reads. */
function unsavedOf(texts: Texts): string {
  const unsaved = [...texts].flatMap(([uri, it]) =>
    it.unsaved === undefined ? [] : [[vscode.Uri.parse(uri).fsPath, it.unsaved] as const],
  );
  return JSON.stringify(Object.fromEntries(unsaved));
}
