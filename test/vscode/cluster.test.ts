import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { type Branch, branchesOf } from '../../client/src/clusterView';
import type { BerthApi } from '../../client/src/extension';
import { type ClusterAnswer, clusterRequest } from '../../server/src/lsp/protocol';
import { until } from './until';

const SNAPSHOT = `apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Node
  metadata: { name: from-snapshot, labels: { topology.kubernetes.io/zone: east } }
  spec: { taints: [{ key: dedicated, value: db, effect: NoSchedule }] }
  status: { allocatable: { cpu: "8", memory: 16Gi, pods: "110" } }
- apiVersion: v1
  kind: Pod
  metadata: { name: db, namespace: shop }
  spec: { nodeName: from-snapshot, containers: [{ name: db, image: db, resources: { requests: { cpu: "2", memory: 4Gi } } }] }
- apiVersion: scheduling.k8s.io/v1
  kind: PriorityClass
  metadata: { name: urgent }
  value: 5000
`;

describe('the tree of clusters', () => {
  const folder = vscode.workspace.workspaceFolders![0]!.uri;
  const file = vscode.Uri.joinPath(folder, 'prod-cluster.yaml');
  const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('berth');
  let client: LanguageClient;

  before(async () => {
    const extension = vscode.extensions.getExtension<BerthApi>('berth.berth')!;
    const api = await extension.activate();
    await vscode.window.showTextDocument(vscode.Uri.joinPath(folder, 'web.yaml'));
    client = await api.client;
  });

  after(async () => {
    await settings().update('cluster', undefined, vscode.ConfigurationTarget.Workspace);
    rmSync(file.fsPath, { force: true });
  });

  const clusters = async (): Promise<Branch[]> => branchesOf(await client.sendRequest<ClusterAnswer>(clusterRequest));
  const below = (branch: Branch | undefined, label: string): Branch | undefined =>
    branch?.branches?.find(it => it.label === label);

  it('shows the nodes of the workspace', async () => {
    await vscode.commands.executeCommand('berth.cluster.focus');
    // Until its files are read the workspace has no nodes, and the tree shows those of the default cluster.
    await until('the nodes of the workspace', async () =>
      below((await clusters())[0], 'Nodes')?.branches?.some(it => /^east-/.test(it.label)),
    );
  });

  it('shows the cluster of a snapshot that the settings name, with the use of its nodes', async () => {
    writeFileSync(file.fsPath, SNAPSHOT);
    await settings().update('cluster', 'snapshot:prod-cluster.yaml', vscode.ConfigurationTarget.Workspace);
    const cluster = await until('the snapshot', async () => {
      const [found] = await clusters();
      return found?.label === 'snapshot:prod-cluster.yaml' && below(found, 'Nodes')?.branches?.length
        ? found
        : undefined;
    });
    const [node] = below(cluster, 'Nodes')!.branches!;
    assert.equal(node!.label, 'from-snapshot');
    assert.equal(node!.description, 'cpu 25 % · memory 25 % · 1/110 Pods');
    assert.match(node!.spoken!, /^node from-snapshot, cpu: 2 of 8 requested, memory: 4Gi of 16Gi requested/);
    assert.deepEqual(
      below(node, 'Taints')!.branches!.map(it => it.label),
      ['dedicated=db:NoSchedule'],
    );
    assert.deepEqual(
      below(node, 'Pods')!.branches!.map(it => it.label),
      ['shop/db'],
    );
    assert.ok(below(below(cluster, 'Priority classes'), 'urgent'));
  });

  it('says why a cluster cannot be used', async () => {
    await settings().update('cluster', 'snapshot:nowhere.yaml', vscode.ConfigurationTarget.Workspace);
    const cluster = await until('the reason', async () => {
      const [found] = await clusters();
      return found?.description === 'unreachable' ? found : undefined;
    });
    assert.ok(
      cluster.branches!.some(it => /there is no file .*nowhere\.yaml/.test(it.label)),
      JSON.stringify(cluster),
    );
  });
});
