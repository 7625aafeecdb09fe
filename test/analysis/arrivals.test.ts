import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { arrivalsOver, modelAt, stepsAfter } from '../../client/src/webview/state/timeline';
import type { PreviewModel } from '../../server/src/analysis/previewModel';
import { runToEnd } from '../../server/src/base/steps';
import { analysisOf } from './analyse';

const uri = 'file:///ws/a.yaml';
const example = readFileSync(
  join(import.meta.dirname, '../../examples/arrival-orders/big-and-small/big-and-small.yaml'),
  'utf8',
);
const ordered = (text: string, order: readonly string[]): PreviewModel =>
  analysisOf({ [uri]: text }).preview({ uri, offset: 0, whatIf: { changes: [], order } });

const node = (name: string, cpu: string): string =>
  `apiVersion: v1\nkind: Node\nmetadata: { name: ${name}, labels: { kubernetes.io/hostname: ${name} } }\nstatus: { allocatable: { cpu: "${cpu}", memory: 8Gi, pods: "110" } }\n`;
const pod = (name: string, cpu: string, more = ''): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\nspec: { ${more}containers: [{ name: main, image: a, resources: { requests: { cpu: "${cpu}" } } }] }\n`;
const file = (...documents: readonly string[]): string => documents.join('---\n');

/** What each step says. */
const told = ({ steps }: PreviewModel): readonly string[] =>
  steps.map(
    ({ pod: id, node: on = 'waits', victims, again }) =>
      `${again ? 'then ' : ''}${id.slice(8)} ${on}${victims.map(it => `, evicts ${it.slice(8)}`).join('')}`,
  );

describe('an order of arrival in the preview', () => {
  it('is replayed as the lens tells it: the big Pod comes last and waits', () => {
    const model = ordered(example, ['default/small-1', 'default/small-2', 'default/big']);
    expect(told(model)).toEqual(['small-1 left', 'small-2 right', 'big waits']);
    expect(model.arrivals).toEqual(['default/small-1', 'default/small-2', 'default/big']);
    expect(model.pods.map(it => [it.name, it.state])).toEqual([
      ['big', 'pending'],
      ['small-1', 'placed'],
      ['small-2', 'placed'],
    ]);
    expect(model.attempts['default/small-2']?.nodes?.map(it => it.verdict)).toEqual(['feasible', 'feasible']);
    expect(model.attempts['default/big']?.nodes?.map(it => it.verdict)).toEqual(['rejected', 'rejected']);
    expect(model.attempts['default/big']?.message).toMatch(/^0\/2 nodes are available: 2 Insufficient cpu/);
    expect(model.tried?.difference.pending).toEqual(['default/big']);
  });

  it('places all Pods in another order', () => {
    const model = ordered(example, ['default/small-1', 'default/big']);
    expect(model.arrivals).toEqual(['default/small-1', 'default/big', 'default/small-2']);
    expect(told(model)).toEqual(['small-1 left', 'big right', 'small-2 left']);
  });

  it('shows the nodes after each arrival', () => {
    const model = ordered(example, ['default/small-1', 'default/small-2', 'default/big']);
    const after = (arrivals: number): readonly string[] =>
      modelAt(model, stepsAfter(model.steps, arrivals)).nodes.map(it => it.pods.join());
    expect([0, 1, 2, 3].map(after)).toEqual([
      ['', ''],
      ['default/small-1', ''],
      ['default/small-1', 'default/small-2'],
      ['default/small-1', 'default/small-2'],
    ]);
  });

  it('tries Pods that wait again after each arrival', () => {
    // The victim makes room for the Pod that waits, too.
    const high = 'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: high }\nvalue: 9\n';
    const text = file(
      high,
      node('n1', '4'),
      pod('low', '3'),
      pod('waits', '2'),
      pod('urgent', '2', 'priorityClassName: high, '),
    );
    const model = ordered(text, ['default/low', 'default/waits', 'default/urgent']);
    expect(told(model)).toEqual(['low n1', 'waits waits', 'urgent n1, evicts low', 'then waits n1']);
    expect(model.arrivals).toHaveLength(3);
    expect([0, 1, 2, 3, 4].map(it => arrivalsOver(model.steps, it))).toEqual([0, 1, 2, 3, 3]);
    expect([1, 2, 3].map(it => stepsAfter(model.steps, it))).toEqual([1, 2, 4]);
    expect(model.pods.find(it => it.name === 'low')).toMatchObject({ state: 'victim', evictedBy: 'default/urgent' });
  });

  it('takes the choice at a tie that leaves a Pod without a node, and says so', () => {
    const fast = node('fast', '4').replace('labels: {', 'labels: { disk: ssd,');
    const text = file(node('slow', '4'), fast, pod('small', '1'), pod('big', '4', 'nodeSelector: { disk: ssd }, '));
    const model = ordered(text, ['default/small', 'default/big']);
    expect(told(model)).toEqual(['small fast', 'big waits']);
    expect(model.notes.join()).toContain('one is shown that leaves a Pod without a node');
  });

  it('is not replayed for very many Pods, and says so', () => {
    const many = file(node('n1', '4'), ...Array.from({ length: 301 }, (_, i) => pod(`p${i}`, '1m')));
    const model = ordered(many, []);
    expect(model.tried?.difference.problems).toEqual(['an order of more than 300 Pods is not replayed']);
  });

  it('has no explanation of its own, as that is about the order of the queue', () => {
    const at = { uri, offset: 0, pod: 'default/big', whatIf: { changes: [], order: [] } };
    expect(analysisOf({ [uri]: example }).previewWhy(at)).toBeUndefined();
  });

  it('is what the lens leads to', () => {
    const analysis = analysisOf({ [uri]: example });
    const titles = [...runToEnd(analysis.orderTitles({ uri, timeUsed: () => 0 })).values()];
    const [order] = titles.flatMap(it => (it?.order ? [it.order] : []));
    expect(order).toHaveLength(3);
    expect(ordered(example, order!).pods.some(it => it.state === 'pending')).toBe(true);
  });
});
