import * as vscode from 'vscode';
import {
  changeInWords,
  type ListedChange,
  sinceInWords,
  upgradeMarkdown,
} from '../../server/src/analysis/upgradeReport';
import { runCli } from './runCli';
import { declaredVersions, pickVersion } from './status';

const SCHEME = 'berth-upgrade';

/** What `berth upgrade --format json` prints, as far as it is read here. */
interface Answer {
  readonly versions: readonly string[];
  readonly changes: readonly ListedChange[];
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
  const problems = vscode.languages.createDiagnosticCollection('berth upgrade');
  const reports = new Map<string, string>();
  const changes = new vscode.EventEmitter<vscode.Uri>();
  const subscriptions = [
    problems,
    changes,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      onDidChange: changes.event,
      provideTextDocumentContent: uri => reports.get(uri.path) ?? '',
    }),
    // The places are those of the text that was checked.
    vscode.workspace.onDidChangeTextDocument(({ document }) => problems.delete(document.uri)),
  ];
  return {
    async check(given) {
      const range = given ?? (await pickRange());
      const folder = folderToCheck();
      if (range === undefined || folder === undefined) return;
      const answer = await answered(context, folder.fsPath, range);
      if (answer === undefined) return;
      if (answer.error !== undefined) void vscode.window.showWarningMessage(answer.error);
      if (answer.versions.length === 0) return;
      const uriOf = ({ path }: ListedChange): vscode.Uri => vscode.Uri.joinPath(folder, path);
      problems.clear();
      for (const [uri, found] of problemsOf(answer, uriOf)) problems.set(vscode.Uri.parse(uri), found);
      const linkTo = (it: ListedChange): string =>
        uriOf(it)
          .with({ fragment: `L${it.range.start.line + 1}` })
          .toString();
      const report = vscode.Uri.from({ scheme: SCHEME, path: `/Kubernetes ${range.from} to ${range.to}.md` });
      reports.set(report.path, upgradeMarkdown(answer.versions, answer.changes, linkTo));
      changes.fire(report);
      await vscode.commands.executeCommand('markdown.showPreview', report);
    },
    clear: () => problems.clear(),
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
  const now = vscode.workspace.getConfiguration('berth').get<string>('kubernetesVersion');
  const from = await pickVersion(vscode.l10n.t('Kubernetes version that runs now'), now, declaredVersions());
  if (from === undefined) return undefined;
  const minor = /^v?\d+\.\d+/.exec(from)?.[0].replace('v', '') ?? from;
  const all = [...declaredVersions()].sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
  const later = all.filter(it => it.localeCompare(minor, undefined, { numeric: true }) > 0).reverse();
  const to = await pickVersion(vscode.l10n.t('Kubernetes version to go to'), undefined, later);
  return to === undefined ? undefined : { from, to };
}

/** The folder of the workspace that the active file is in, else the first one; without a workspace that of the file. */
function folderToCheck(): vscode.Uri | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  const own = uri && vscode.workspace.getWorkspaceFolder(uri);
  const folder = own ?? vscode.workspace.workspaceFolders?.[0];
  return folder?.uri ?? (uri?.scheme === 'file' ? vscode.Uri.joinPath(uri, '..') : undefined);
}

/** undefined: cancelled, or there is no answer. */
async function answered(
  context: vscode.ExtensionContext,
  cwd: string,
  { from, to }: UpgradeRange,
): Promise<Answer | undefined> {
  const cancelling = new AbortController();
  const args = ['upgrade', '--from', from, '--to', to, '--format', 'json', '--fail-on', 'never', ...settingFlags()];
  const title = vscode.l10n.t('Berth checks the upgrade from {0} to {1}', from, to);
  const { out } = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    (_, token) => {
      token.onCancellationRequested(() => cancelling.abort());
      return runCli(context, args, { cwd, signal: cancelling.signal });
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

/** What the editor is set to. A workspace that is not trusted chooses no cluster. */
function settingFlags(): readonly string[] {
  const settings = vscode.workspace.getConfiguration('berth');
  const gates = Object.entries(settings.get<Record<string, boolean>>('featureGates') ?? {});
  const cluster = vscode.workspace.isTrusted ? settings.get<string>('cluster') : 'workspace';
  return [
    ...(gates.length > 0 ? ['--feature-gates', gates.map(([name, on]) => `${name}=${on}`).join(',')] : []),
    ...(cluster === undefined || cluster === 'auto' ? [] : ['--cluster', cluster]),
  ];
}

const SEVERITIES = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  info: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
} as const;

const IS_BETTER: ReadonlySet<ListedChange['change']> = new Set(['ended', 'mended', 'kept']);

/** The changes that are worse after the upgrade, as problems by file. */
function problemsOf(
  { versions, changes }: Answer,
  uriOf: (change: ListedChange) => vscode.Uri,
): ReadonlyMap<string, readonly vscode.Diagnostic[]> {
  const found = new Map<string, readonly vscode.Diagnostic[]>();
  for (const it of changes) {
    if (IS_BETTER.has(it.change) || it.path === 'settings') continue;
    const { start, end } = it.range;
    const place = new vscode.Range(start.line, start.character, end.line, end.character);
    const words = vscode.l10n.t('After the upgrade to {0}: {1}', versions.at(-1) ?? '', changeInWords(it));
    const diagnostic = new vscode.Diagnostic(place, `${words} (${sinceInWords(it)})`, SEVERITIES[it.severity]);
    diagnostic.source = 'berth upgrade';
    diagnostic.code = it.code;
    const uri = uriOf(it).toString();
    found.set(uri, [...(found.get(uri) ?? []), diagnostic]);
  }
  return found;
}
