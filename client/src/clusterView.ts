import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { ClusterView, ViewedNode, ViewedPod, ViewedUse } from '../../server/src/analysis/analysis';
import { type ClusterAnswer, clusterRequest, refreshClusterRequest } from '../../server/src/lsp/protocol';
import { foldedNames } from '../../server/src/text/foldedNames';

/** The tree of clusters; it draws what the server answers. */
export interface ClusterTree extends vscode.Disposable {
  /** Asks the server again: something that clusters depend on has changed. */
  changed(): void;
  refresh(): Promise<void>;
}

/** One line of the tree with what is below it. */
export interface Branch {
  readonly label: string;
  readonly description?: string;
  readonly tooltip?: string;
  readonly icon?: string;
  /** What a screen reader says in place of label and description. */
  readonly spoken?: string;
  readonly state?: 'collapsed' | 'expanded';
  readonly branches?: readonly Branch[];
}

/** Joins changes that come within this time, in milliseconds. */
const CALM = 400;

export function createClusterTree(started: Promise<LanguageClient>): ClusterTree {
  const changes = new vscode.EventEmitter<undefined>();
  const state: { timer?: NodeJS.Timeout; client?: LanguageClient; isStale?: boolean } = {};
  const provider: vscode.TreeDataProvider<Branch> = {
    onDidChangeTreeData: changes.event,
    getTreeItem: itemOf,
    async getChildren(branch) {
      if (branch) return [...(branch.branches ?? [])];
      // Until the server runs, the view says when it will.
      return state.client ? branchesOf(await state.client.sendRequest<ClusterAnswer>(clusterRequest)) : [];
    },
  };
  const view = vscode.window.createTreeView('berth.cluster', { treeDataProvider: provider, showCollapseAll: true });
  const draw = (): void => {
    delete state.isStale;
    changes.fire(undefined);
  };
  view.onDidChangeVisibility(() => view.visible && state.isStale && draw());
  void started.then(client => {
    state.client = client;
    draw();
  });
  return {
    changed() {
      state.isStale = true;
      if (!view.visible || state.timer) return;
      state.timer = setTimeout(() => {
        delete state.timer;
        draw();
      }, CALM);
    },
    async refresh() {
      const client = await started;
      await client.sendRequest(refreshClusterRequest);
      draw();
    },
    dispose() {
      clearTimeout(state.timer);
      view.dispose();
      changes.dispose();
    },
  };
}

function itemOf({ label, description, tooltip, icon, spoken, state, branches }: Branch): vscode.TreeItem {
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const open = branches === undefined || branches.length === 0 ? None : state === 'expanded' ? Expanded : Collapsed;
  const item = new vscode.TreeItem(label, open);
  if (description !== undefined) item.description = description;
  if (tooltip !== undefined) item.tooltip = tooltip;
  if (icon !== undefined) item.iconPath = new vscode.ThemeIcon(icon);
  item.accessibilityInformation = { label: spoken ?? [label, description].filter(Boolean).join(', ') };
  return item;
}

/** The tree as data, for the editor and for tests. */
export function branchesOf(clusters: ClusterAnswer): Branch[] {
  return clusters.map(it => ({ ...clusterBranch(it), state: 'expanded' }));
}

function clusterBranch(cluster: ClusterView): Branch {
  const { state, reason, kubernetesVersion, environments, notes } = cluster;
  const sourceState = {
    loading: vscode.l10n.t('loading…'),
    unreachable: vscode.l10n.t('unreachable'),
    ready: kubernetesVersion === undefined ? '' : `Kubernetes ${kubernetesVersion}`,
  }[state];
  const description = [sourceState, environments.join(', ')].filter(it => it !== '').join(' · ');
  return {
    label: sourceInWords(cluster.source),
    description,
    icon: { loading: 'loading~spin', unreachable: 'debug-disconnect', ready: 'server-environment' }[state],
    tooltip: [cluster.source, ...(reason === undefined ? [] : [reason]), ...notes].join('\n'),
    branches: [
      ...(reason === undefined ? [] : [{ label: reason, icon: 'warning' }]),
      ...notes.map(label => ({ label, tooltip: label, icon: 'info' })),
      ...lackingBranches(cluster),
      listBranch(vscode.l10n.t('Nodes'), 'vm', nodeBranches(cluster.nodes), 'expanded'),
      listBranch(vscode.l10n.t('Storage classes'), 'database', cluster.storageClasses.map(storageClassBranch)),
      listBranch(vscode.l10n.t('Priority classes'), 'list-ordered', cluster.priorityClasses.map(priorityClassBranch)),
    ],
  };
}

function sourceInWords(source: string): string {
  if (source === 'default') return vscode.l10n.t('Example cluster');
  if (source === 'workspace') return vscode.l10n.t('Workspace');
  return source === 'auto' ? vscode.l10n.t('Automatic') : source;
}

function listBranch(
  label: string,
  icon: string,
  branches: readonly Branch[],
  state: Branch['state'] = 'collapsed',
): Branch {
  return { label, icon, description: String(branches.length), state, branches };
}

function lackingBranches({ lacking }: ClusterView): readonly Branch[] {
  if (lacking.length === 0) return [];
  const branches = lacking.map(({ kind, state, reason, namespaces }): Branch => {
    const why = {
      forbidden: vscode.l10n.t('forbidden'),
      failed: vscode.l10n.t('failed'),
      partial: vscode.l10n.t('not all of them'),
      loading: vscode.l10n.t('loading…'),
      listed: vscode.l10n.t('only in {0}', (namespaces ?? []).join(', ')),
      unserved: '',
    }[state];
    return { label: kind, description: why, ...(reason !== undefined && { tooltip: reason }), icon: 'circle-slash' };
  });
  return [listBranch(vscode.l10n.t('Not listed'), 'lock', branches)];
}

/** The names are folded, as the view is narrow; the tooltip and what is spoken have them in full. */
function nodeBranches(nodes: readonly ViewedNode[]): readonly Branch[] {
  const nodeName = foldedNames(nodes.map(it => it.name));
  return nodes.map(it => nodeBranch(it, nodeName(it.name)));
}

function nodeBranch(node: ViewedNode, label: string): Branch {
  const [cpu, memory, pods] = node.use;
  const flags = [
    ...(node.isReady ? [] : [vscode.l10n.t('not ready')]),
    ...(node.isCordoned ? [vscode.l10n.t('cordoned')] : []),
  ];
  const short = [cpu, memory].flatMap(it => (it ? [`${it.resource} ${percent(it)}`] : []));
  const description = [...flags, ...short, ...(pods ? [`${pods.requested}/${pods.allocatable} Pods`] : [])].join(' · ');
  const labels = Object.entries(node.labels).map(([key, value]): Branch => ({ label: key, description: value }));
  return {
    label,
    description,
    icon: node.isReady && !node.isCordoned ? 'vm' : 'vm-outline',
    spoken: vscode.l10n.t('node {0}, {1}', node.name, [...flags, ...node.use.map(useInWords)].join(', ')),
    tooltip: [node.name, ...node.use.map(useInWords)].join('\n'),
    branches: [
      ...node.use.map(it => ({
        label: it.resource,
        description: amountsInWords(it),
        icon: 'graph',
        spoken: useInWords(it),
      })),
      listBranch(
        vscode.l10n.t('Taints'),
        'circle-slash',
        node.taints.map(label => ({ label })),
      ),
      listBranch(vscode.l10n.t('Labels'), 'tag', labels),
      listBranch('Pods', 'package', node.pods.map(podBranch)),
    ],
  };
}

function podBranch({ namespace, name, cpuMilli, memoryBytes, priority }: ViewedPod): Branch {
  const requests = `${inUnits('cpu', cpuMilli)} · ${inUnits('memory', memoryBytes)}`;
  return { label: `${namespace}/${name}`, description: requests, tooltip: vscode.l10n.t('priority {0}', priority) };
}

function storageClassBranch(it: ClusterView['storageClasses'][number]): Branch {
  const flags = [it.provisioner, it.bindingMode, ...(it.isDefault ? [vscode.l10n.t('default')] : [])];
  const branches = it.capacities.map(
    ({ where, bytes }): Branch => ({
      label: where === '' ? vscode.l10n.t('everywhere') : where,
      description: inUnits('memory', bytes),
    }),
  );
  return { label: it.name, description: flags.join(' · '), branches };
}

function priorityClassBranch({ name, value, isDefault, preempts }: ClusterView['priorityClasses'][number]): Branch {
  const flags = [
    String(value),
    ...(isDefault ? [vscode.l10n.t('default')] : []),
    ...(preempts ? [] : [vscode.l10n.t('never preempts')]),
  ];
  return { label: name, description: flags.join(' · ') };
}

const percent = ({ requested, allocatable }: ViewedUse): string =>
  allocatable === 0 ? '–' : `${Math.round((100 * requested) / allocatable)} %`;

const amountsInWords = (use: ViewedUse): string =>
  `${inUnits(use.resource, use.requested)} / ${inUnits(use.resource, use.allocatable)}`;

function useInWords(use: ViewedUse): string {
  const { resource, requested, allocatable } = use;
  return vscode.l10n.t(
    '{0}: {1} of {2} requested',
    resource,
    inUnits(resource, requested),
    inUnits(resource, allocatable),
  );
}

const STEPS = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi'];

/** Millicores as cores, bytes in steps of 1024. */
function inUnits(resource: string, amount: number): string {
  if (resource === 'cpu') return String(Math.round(amount / 10) / 100);
  if (resource !== 'memory' && !resource.startsWith('hugepages-')) return String(amount);
  const step = amount === 0 ? 0 : Math.min(STEPS.length - 1, Math.floor(Math.log2(amount) / 10));
  return `${Math.round((10 * amount) / 1024 ** step) / 10}${STEPS[step]}`;
}
