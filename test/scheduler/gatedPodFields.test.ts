import { describe, expect, it } from 'vitest';
import { simulate } from '../../server/src/scheduler/scenario';

const node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'node-1' },
  status: { allocatable: { cpu: '4', memory: '16Gi', pods: '110' } },
};
const template = {
  metadata: { labels: { app: 'web' } },
  spec: { resources: { requests: { cpu: '8' } }, containers: [{ name: 'web', image: 'nginx' }] },
};
const objects = [
  node,
  { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec: template.spec },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'api' },
    spec: { selector: { matchLabels: { app: 'web' } }, template },
  },
];

describe('resources of a whole Pod', () => {
  const statuses = (isOn: boolean): readonly string[] =>
    simulate(objects, {
      kubernetesVersion: '1.33',
      isGateOn: gate => gate === 'PodLevelResources' && isOn,
      expandWorkloads: true,
    }).result.attempts.map(it => it.status);

  it('do not count where the server drops them', () => {
    expect(statuses(false)).toEqual(['scheduled', 'scheduled']);
  });

  it('count where the gate is on', () => {
    expect(statuses(true)).toEqual(['unschedulable', 'unschedulable']);
  });
});
