import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Hover } from 'vscode-languageserver';
import { messagesIn, type TextBundle } from '../../server/src/disk/messages';
import {
  type PreviewAnswer,
  type PreviewWhyAnswer,
  previewRequest,
  previewWhyRequest,
} from '../../server/src/lsp/protocol';
import { startClient } from './client';

const folder = join(import.meta.dirname, '../../l10n');

const DB = 'file:///ws/db.yaml';
const text = `apiVersion: v1
kind: Node
metadata: {name: n1}
spec: {taints: [{key: dedicated, value: gpu, effect: NoSchedule}]}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}
---
apiVersion: v1
kind: Pod
metadata: {name: db, namespace: default}
spec: {containers: [{name: main, image: nginx, resources: {requests: {cpu: 1}}}]}
`;

const ELSEWHERE = `---
apiVersion: v1
kind: Pod
metadata: {name: old, namespace: default}
spec: {nodeName: gone, containers: [{name: main, image: nginx}]}
`;

async function told(locale: string | undefined) {
  const bundles: TextBundle[] = [];
  const client = await startClient({
    messagesIn(of, bundle) {
      bundles.push(bundle);
      return messagesIn(folder, of, bundle);
    },
    ...(locale && { locale }),
  });
  client.open(DB, text + ELSEWHERE);
  const problems = await client.diagnostics(DB, all => all.some(it => it.code.startsWith('placement/')));
  const at = { textDocument: { uri: DB }, pod: 'default/db' };
  const model = await client.connection.sendRequest<PreviewAnswer>(previewRequest, at);
  const why = await client.connection.sendRequest<PreviewWhyAnswer>(previewWhyRequest, at);
  const before = [...bundles];
  const position = problems.find(it => it.code === 'placement/unschedulable')!.range.start;
  const hover = await client.connection.sendRequest<Hover>('textDocument/hover', {
    textDocument: { uri: DB },
    position,
  });
  return { model: model!, why: why!.why, problems, hover: hover.contents, bundles, before };
}

describe('the language of the editor', () => {
  it('applies to explanations, suggestions and what a Pod waits for; messages of the scheduler stay in English', async () => {
    const { model, why, problems } = await told('ja');
    expect(why.summary).toBe('default/db にはノードがありません。');
    const steps = why.steps.map(it => `${it.plugin}: ${it.sentence}`);
    expect(steps).toContain(
      'TaintToleration: n1 は除外されます: Pod が許容しない taint があります: dedicated=gpu:NoSchedule (“node(s) had untolerated taint(s)”)。',
    );
    expect(why.suggestions[0]).toMatchObject({
      title: 'Taint dedicated=gpu:NoSchedule を許容する',
      effect: 'Pod は n1 に配置される',
    });
    expect(model.pods.find(it => it.id === 'default/db')?.queued?.waitsFor).toContain('Node の追加');
    expect(model.attempts['default/db']?.message).toMatch(/^0\/1 nodes are available: 1 node\(s\) had untolerated/);
    expect(model.cluster.label).toBe('ワークスペースの 1 ノード');
    expect(model.notes).toEqual(['ある Pod が、存在しないノード gone を指定しています。']);
    const stuck = problems.find(it => it.code === 'placement/unschedulable');
    expect(stuck?.message).toContain('を配置できるノードがありません');
    expect(stuck?.relatedInformation?.map(it => it.message).join()).toMatch(/^0\/1 nodes are available/);
  });

  it('applies to the page of a code, whose texts are read when it is first shown', async () => {
    const { hover, before, bundles } = await told('ja');
    expect(hover).toMatchObject({ value: expect.stringContaining('**理由:** クラスターで何かが変わるまで Pending') });
    expect([before, bundles]).toEqual([['bundle'], ['bundle', 'pages']]);
  });

  it.each([[undefined], ['en'], ['xx']])('is English for %s', async locale => {
    const { why, model } = await told(locale);
    expect(why.summary).toBe('default/db has no node.');
    expect([model.cluster.label, ...model.notes]).toEqual([
      '1 node of the workspace',
      'A Pod names the node gone, which is not there.',
    ]);
    expect(why.suggestions[0]?.title).toBe('Tolerate the taint dedicated=gpu:NoSchedule');
    expect(model.pods.find(it => it.id === 'default/db')?.queued?.waitsFor).toContain('a Node is added');
  });
});
