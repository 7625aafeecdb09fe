import { describe, expect, it } from 'vitest';
import {
  chooseClusterCommand,
  fileStatusRequest,
  nodeFoldersRequest,
  previewCommand,
} from '../../server/src/lsp/protocol';
import { startClient, type TestClient } from './client';

const node = (name: string): string => `apiVersion: v1
kind: Node
metadata: { name: ${name} }
status: { allocatable: { cpu: '4', memory: 8Gi, pods: '110' } }
`;
const APP = 'file:///ws/apps/web/pod.yaml';
const POD = `apiVersion: v1
kind: Pod
metadata: { name: web }
spec: { containers: [{ name: web, image: nginx }] }
`;
const eu = { 'file:///ws/infra/eu/nodes.yaml': `${node('a')}---\n${node('b')}` };
const us = { 'file:///ws/infra/us/nodes.yaml': node('c') };

/** Which folders are offered, and the lenses over the Pod of another folder. */
async function asked(files: Readonly<Record<string, string>>): Promise<[unknown, readonly string[]]> {
  const client = await startClient({
    files: { ...files, [APP]: POD },
    commands: [previewCommand, chooseClusterCommand],
  });
  client.open(APP, POD);
  await client.diagnostics(APP, () => true);
  const folders = await client.connection.sendRequest(nodeFoldersRequest, { folder: 'file:///ws' });
  return [folders, await titlesOf(client)];
}

/** The titles of lenses once none is pending. */
async function titlesOf(client: TestClient): Promise<readonly string[]> {
  for (;;) {
    const lenses = await client.connection.sendRequest<{ command?: { title: string } }[]>('textDocument/codeLens', {
      textDocument: { uri: APP },
    });
    const titles = lenses.flatMap(it => it.command?.title ?? []);
    if (!titles.some(it => it.endsWith('…'))) return titles;
  }
}

describe('Nodes in folders of their own', () => {
  it('of one folder serve all, and nothing is to be chosen', async () => {
    const [folders, lenses] = await asked(eu);
    expect(folders).toEqual([]);
    expect(lenses.join()).toMatch(/^lands on [ab]/);
    expect(lenses).toHaveLength(1);
  });

  it('of several are offered to the folders without any', async () => {
    const [folders, lenses] = await asked({ ...eu, ...us });
    expect(folders).toEqual([
      { path: 'infra/eu', nodes: 2, serves: ['apps'] },
      { path: 'infra/us', nodes: 1, serves: ['apps'] },
    ]);
    expect(lenses).toContain('Nodes of other folders are not used here: choose');
  });

  it('are named beside each file that they serve, and the example cluster beside the others', async () => {
    const client = await startClient({ files: { ...eu, ...us, [APP]: POD } });
    client.open(APP, POD);
    await client.diagnostics(APP, () => true);
    const statusOf = (uri: string) => client.connection.sendRequest(fileStatusRequest, { uri });
    const clusterOf = (cluster: string) => ({ kubernetesVersion: '1.37', cluster });
    expect(await statusOf(APP)).toEqual(clusterOf('example cluster'));
    expect(await statusOf('file:///ws/infra/eu/nodes.yaml')).toEqual(clusterOf('2 nodes of the workspace'));
    expect(await statusOf('file:///ws/infra/us/nodes.yaml')).toEqual(clusterOf('1 node of the workspace'));
  });

  it('of an environment come with its Kubernetes version', async () => {
    const berth = "environments:\n  eu:\n    paths: ['infra/eu', 'apps']\n    kubernetesVersion: '1.33'\n";
    const client = await startClient({ files: { ...eu, ...us, [APP]: POD, 'file:///ws/berth.yaml': berth } });
    client.open(APP, POD);
    await client.diagnostics(APP, () => true);
    const status = await client.connection.sendRequest(fileStatusRequest, { uri: APP });
    expect(status).toEqual({ kubernetesVersion: '1.33', cluster: '2 nodes of the workspace' });
  });

  it('serve a folder that berth.yaml puts into one environment with them', async () => {
    const berth = "environments:\n  eu:\n    paths: ['infra/eu', 'apps']\n";
    const [, lenses] = await asked({ ...eu, ...us, 'file:///ws/berth.yaml': berth });
    expect(lenses.join()).toMatch(/^lands on [ab]/);
  });
});
