import { describe, expect, it } from 'vitest';
import { runToEnd } from '../../server/src/base/steps';
import { run } from '../cli/world';
import { analysisOf } from './analyse';

const NODE =
  'apiVersion: v1\nkind: Node\nmetadata: { name: a }\nstatus: { allocatable: { cpu: "4", memory: 8Gi, pods: "10" } }\n';
const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: "web:1", resources: { requests: { cpu: 100m } } }] }
`;
const autoscaler = (metadata: string): string => `apiVersion: autoscaling.k8s.io/v1
kind: VerticalPodAutoscaler
metadata: ${metadata}
spec: { targetRef: { apiVersion: apps/v1, kind: Deployment, name: web } }
`;

/** Values that JavaScript cannot make texts of. */
describe.each([
  ['name', autoscaler('{ name: { toString: null } }')],
  ['namespace', autoscaler('{ name: odd, namespace: { toString: null } }')],
])('a VPA whose %s is an object', (_, odd) => {
  const text = [NODE, DEPLOYMENT, odd, autoscaler('{ name: web }')].join('---\n');

  it('does not affect the lens over another one', () => {
    const uri = 'all.yaml';
    const analysis = analysisOf({ [uri]: text });
    const titles = analysis
      .reschedulerLocations(uri)
      .map(it => runToEnd(analysis.reschedulerTitle({ ...it, uri, now: 0 })));
    expect(titles.at(-1)).toEqual(expect.any(String));
  });

  it('does not affect what-if', async () => {
    const { code, err } = await run(['what-if', '.', '--vpa', '--format', 'json'], { 'all.yaml': text });
    expect([code, err]).toEqual([0, '']);
  });
});
