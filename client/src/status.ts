import * as vscode from 'vscode';
import type { ContextsAnswer, FileStatusAnswer, NodeFoldersAnswer, StatusParams } from '../../server/src/lsp/protocol';
import { useNodes } from './useNodes';
import { isManifest, workspaceFolder } from './workspaceFiles';

/** The status item and its quick picks, whose answers are written into the workspace's settings. */
export interface StatusItem extends vscode.Disposable {
  show(params: StatusParams): void;
  /** Asks again for what cluster Berth speaks in the file of the active editor. */
  refresh(): void;
  failed(reason: string): void;
  configure(): Promise<void>;
  selectKubernetesVersion(): Promise<void>;
  selectClusterSource(choices: ClusterChoices): Promise<void>;
}

interface Choice<T> extends vscode.QuickPickItem {
  readonly value: T;
}

/** For what cluster Berth speaks in a file; undefined where the server cannot be asked. */
export type FileStatus = (uri: vscode.Uri) => Promise<FileStatusAnswer | undefined>;

export function createStatus(fileStatus: FileStatus): StatusItem {
  const item = vscode.window.createStatusBarItem('berth.status', vscode.StatusBarAlignment.Right, 100);
  item.name = 'Berth';
  item.command = 'berth.configure';
  let ofWorkspace: StatusParams | undefined;
  let asked = 0;

  function draw({ kubernetesVersion, cluster, problems, notes }: StatusParams): void {
    // The name stands first, so that the item is found among others.
    item.command = 'berth.configure';
    item.text = `Berth: ${kubernetesVersion} · ${cluster}`;
    item.tooltip = [
      vscode.l10n.t('Kubernetes {0}, placements on {1}. Click to change.', kubernetesVersion, cluster),
      ...problems,
      ...notes,
    ].join('\n');
    item.backgroundColor = problems.length > 0 ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    item.show();
  }

  async function refresh(): Promise<void> {
    const number = ++asked;
    const document = vscode.window.activeTextEditor?.document;
    const ofFile = document && isManifest(document) ? await fileStatus(document.uri) : undefined;
    // A later question, or a server that stopped meanwhile, makes this answer an old one.
    if (number === asked && ofWorkspace) draw({ ...ofWorkspace, ...ofFile });
  }

  return {
    show(params) {
      ofWorkspace = params;
      void refresh();
    },
    refresh: () => void refresh(),
    failed(reason) {
      asked++;
      ofWorkspace = undefined;
      item.text = `Berth: ${vscode.l10n.t('not running')}`;
      item.tooltip = reason;
      item.command = 'berth.restart';
      item.backgroundColor = new vscode.ThemeColor('statusBarItem.errorBackground');
      item.show();
    },
    configure,
    selectKubernetesVersion,
    selectClusterSource,
    dispose: () => item.dispose(),
  };
}

async function configure(): Promise<void> {
  const command = await pick<string>(vscode.l10n.t('What would you like to do?'), undefined, [
    { label: vscode.l10n.t('Select Kubernetes version'), value: 'berth.selectKubernetesVersion' },
    { label: vscode.l10n.t('Select cluster source'), value: 'berth.selectClusterSource' },
    { label: vscode.l10n.t('Preview placement'), value: 'berth.preview' },
    { label: vscode.l10n.t('Restart language server'), value: 'berth.restart' },
  ]);
  if (command) await vscode.commands.executeCommand(command);
}

async function selectKubernetesVersion(): Promise<void> {
  const now = settings().get<string>('kubernetesVersion');
  const ofCluster = { label: vscode.l10n.t('That of the cluster, where it tells one'), value: 'auto' };
  const placeHolder = vscode.l10n.t('Kubernetes version of your cluster');
  const version = await pickVersion(placeHolder, now, declaredVersions(), [ofCluster]);
  if (version) await write('kubernetesVersion', version);
}

/** Asks for one of some minors, or for a patch release. */
export async function pickVersion(
  placeHolder: string,
  now: string | undefined,
  minors: readonly string[],
  others: readonly Choice<string>[] = [],
): Promise<string | undefined> {
  const choices = [
    ...others,
    ...minors.map(value => ({ label: `Kubernetes ${value}`, value })),
    { label: vscode.l10n.t('Patch release…'), value: '' },
  ];
  const picked = await pick(placeHolder, now, choices);
  return picked === ''
    ? vscode.window.showInputBox({ prompt: placeHolder, value: now === 'auto' ? '' : (now ?? '') })
    : picked;
}

/** What the server knows of clusters that can be chosen. */
export interface ClusterChoices {
  readonly contexts: () => Promise<ContextsAnswer>;
  readonly nodeFolders: (folder: vscode.Uri) => Promise<NodeFoldersAnswer>;
}

/** Folders with Nodes that serve themselves alone; choosing one writes to berth.yaml. */
const nodeChoices = (folders: NodeFoldersAnswer): readonly Choice<string>[] =>
  folders.map(({ path, nodes, serves }) => ({
    label: vscode.l10n.t('The {0} Nodes in {1}', nodes, path),
    detail: vscode.l10n.t('Has them serve {0} as well; written to berth.yaml', serves.join(', ')),
    value: `${NODES}${path}`,
  }));

const NODES = 'nodes:';

async function selectClusterSource({ contexts, nodeFolders }: ClusterChoices): Promise<void> {
  const now = settings().get<string>('cluster');
  const folder = workspaceFolder();
  const folders = folder === undefined ? [] : await nodeFolders(folder);
  const source = await pick(vscode.l10n.t('Cluster on which placements are computed'), now, [
    ...nodeChoices(folders),
    {
      label: vscode.l10n.t('Automatic'),
      detail: vscode.l10n.t('The Nodes written in the workspace when there are any, else the example cluster'),
      value: 'auto',
    },
    {
      label: vscode.l10n.t('Example cluster'),
      detail: vscode.l10n.t('The example cluster that comes with Berth'),
      value: 'default',
    },
    {
      label: vscode.l10n.t('Workspace'),
      detail: vscode.l10n.t('Only the Nodes written in the workspace'),
      value: 'workspace',
    },
    {
      label: vscode.l10n.t('kind configuration…'),
      detail: vscode.l10n.t('The cluster that kind would create from a file'),
      value: 'kind:',
    },
    {
      label: vscode.l10n.t('Snapshot…'),
      detail: vscode.l10n.t('A file that kubectl get -o yaml or berth snapshot wrote'),
      value: 'snapshot:',
    },
    {
      label: vscode.l10n.t('Live cluster…'),
      detail: vscode.l10n.t('A context of your kubeconfig; the cluster is only read'),
      value: 'live:',
    },
  ]);
  const chosen = folders.find(it => source === `${NODES}${it.path}`);
  if (chosen !== undefined && folder !== undefined) return useNodes(folder, chosen.path, chosen.serves);
  const whole = source?.endsWith(':') ? await completed(source, contexts) : source;
  if (whole) await write('cluster', whole);
}

/** Asks for the file or the context that a source needs. */
async function completed(source: string, contexts: () => Promise<ContextsAnswer>): Promise<string | undefined> {
  if (source !== 'live:') {
    const [file] = (await vscode.window.showOpenDialog({ filters: { YAML: ['yaml', 'yml', 'json'] } })) ?? [];
    return file && `${source}${vscode.workspace.asRelativePath(file, false)}`;
  }
  const context = await pickContext(contexts);
  return context && `${source}${context}`;
}

/** Asks for a context of the user's kubeconfig. */
export async function pickContext(ask: () => Promise<ContextsAnswer>): Promise<string | undefined> {
  const { contexts: names, current, failure } = await ask();
  if (names.length === 0) {
    const why = failure ?? vscode.l10n.t('it has no context');
    void vscode.window.showWarningMessage(vscode.l10n.t('There is no cluster to choose in your kubeconfig: {0}.', why));
    return undefined;
  }
  return pick(
    vscode.l10n.t('Context of your kubeconfig'),
    current,
    names.map(it => ({ label: it, value: it })),
  );
}

/** The setting's own declaration in package.json is the one list of versions. */
export function declaredVersions(): readonly string[] {
  const manifest = vscode.extensions.getExtension('berth.berth')?.packageJSON as {
    contributes: { configuration: { properties: Record<string, { examples?: string[] }> } };
  };
  return manifest.contributes.configuration.properties['berth.kubernetesVersion']?.examples ?? [];
}

async function pick<T>(placeHolder: string, now: T | undefined, choices: Choice<T>[]): Promise<T | undefined> {
  const items = choices.map(it => (it.value === now ? { ...it, description: vscode.l10n.t('current') } : it));
  return (await vscode.window.showQuickPick(items, { placeHolder, matchOnDetail: true }))?.value;
}

const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('berth');

/** Without a workspace there is nowhere to write but the user's own settings. */
async function write(key: string, value: string): Promise<void> {
  const inWorkspace = vscode.workspace.workspaceFolders !== undefined;
  const target = inWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  await settings().update(key, value, target);
}
