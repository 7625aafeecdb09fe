import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { config } from '@vscode/l10n';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { analysisOf } from './analyse';

const file = join(import.meta.dirname, '../../l10n/bundle.l10n.ja.json');
const messages = Object.keys(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>);

const uri = 'file:///ws/a.yaml';
const node = `apiVersion: v1
kind: Node
metadata: { name: n }
spec: { taints: [{ key: gpu, effect: NoSchedule }] }
status: { allocatable: { cpu: "4", memory: 16Gi, pods: "110" } }
`;
const pod = (name: string, cpu: string): string => `apiVersion: v1
kind: Pod
metadata: { name: ${name} }
spec:
  preemptionPolicy: Never
  nodeSelector: {}
  tolerations: [{ key: gpu, operator: Exists }]
  containers: [{ name: c, image: i, resources: { requests: { cpu: "${cpu}" } } }]
`;
const deployment = (replicas: number): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: web-${replicas} }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      tolerations: [{ key: gpu, operator: Exists }]
      containers: [{ name: c, image: i, resources: { requests: { cpu: "1" } } }]
`;
const text = [node, pod('fits', '1'), pod('big', '9'), deployment(2), deployment(9)].join('---\n');

describe('lenses and hovers are in the language of the editor', () => {
  beforeAll(() => config({ contents: Object.fromEntries(messages.map(it => [it, `⟦${it}⟧`])) }));
  afterAll(() => config({ contents: {} }));

  test('each title of a lens', () => {
    const titles = analysisOf({ [uri]: text })
      .codeLenses(uri)
      .map(it => it.title);
    expect(titles.length).toBe(4);
    expect(titles.filter(it => !it.includes('⟦'))).toEqual([]);
  });

  test.each([
    ['where a Pod lands', 'kind: Pod'],
    ['what a toleration tolerates', 'key: gpu, operator'],
    ['what a policy of preemption means', 'preemptionPolicy: Never'],
    ['that a field cannot be changed', 'nodeSelector: {}'],
    ['since when a version is served', 'apiVersion: apps/v1'],
    ['that a field is required', 'containers: [{ name: c'],
  ])('a hover that says %s', (_, words) => {
    expect(analysisOf({ [uri]: text }).hover(uri, text.indexOf(words) + 1)?.markdown).toContain('⟦');
  });

  test('each label and tooltip of an inlay hint', () => {
    const hints = analysisOf({ [uri]: text }).inlayHints(uri, { start: 0, end: text.length });
    expect(hints.length).toBeGreaterThan(4);
    expect(hints.filter(it => !it.label.includes('⟦'))).toEqual([]);
  });
});
