import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { speak } from '../../server/src/base/l10n';
import { type Files, run } from './world';

const bundle = join(import.meta.dirname, '../../l10n/bundle.l10n.ja.json');
const messages = Object.keys(JSON.parse(readFileSync(bundle, 'utf8')) as Record<string, string>);

const KUBELET = `apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
featureGates: { NodeSwap: false }
`;
const FLOWS = `apiVersion: flowcontrol.apiserver.k8s.io/v1beta3
kind: FlowSchema
metadata: { name: batch }
spec: { priorityLevelConfiguration: { name: batch } }
`;
const SET = `apiVersion: apps/v1
kind: StatefulSet
metadata: { name: web }
spec:
  serviceName: web
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { hostUsers: false, containers: [{ name: web, image: "web:1" }] }
---
apiVersion: v1
kind: Endpoints
metadata: { name: web }
`;
const files: Files = { 'kubelet.yaml': KUBELET, 'flows.yaml': FLOWS, 'set.yaml': SET };

describe('the report of an upgrade is in the language of the editor', () => {
  beforeAll(() => speak(Object.fromEntries(messages.map(it => [it, `⟦${it}⟧`]))));
  afterAll(() => speak(undefined));

  it('in each line', async () => {
    const flags = ['--from', '1.31', '--to', '1.37', '--fail-on', 'never', '--format', 'markdown', '.'];
    const { out } = await run(['upgrade', ...flags], files);
    const lines = out.split('\n').filter(it => it !== '');
    expect(lines.filter(it => it.startsWith('## ')).length).toBe(4);
    expect(lines.filter(it => !it.includes('⟦'))).toEqual([]);
    for (const code of ['upgrade/gate', 'upgrade/default', 'decode/unknown-kind', 'dropped/field'])
      expect(lines.filter(it => it.includes(code) && /⟦[^⟧]* ⟦|: .*⟦/.test(it))).not.toEqual([]);
  });

  it('with what takes the place of an API version', async () => {
    const { out } = await run(
      ['upgrade', '--from', '1.31', '--to', '1.32', '--format', 'markdown', 'flows.yaml'],
      files,
    );
    expect(out).toContain('⟦; use flowcontrol.apiserver.k8s.io/v1 FlowSchema⟧');
  });

  it('of a version that is not known', async () => {
    const { err } = await run(['check', '--kubernetes-version', '1.36.99', '.'], files);
    expect(err).toContain(
      '⟦Kubernetes 1.36.99 is newer than the patch releases that Berth knows; it counts as 1.36.4.⟧',
    );
  });
});
