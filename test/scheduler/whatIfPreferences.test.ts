import { describe, expect, it } from 'vitest';
import type { UnknownObject } from '../../server/src/base/json';
import { runToEnd } from '../../server/src/base/steps';
import { runScenario } from '../../server/src/scheduler/scenario';
import { type Counterfactuals, studySteps } from '../../server/src/scheduler/whatIf/counterfactuals';
import { documentsOf, withEdits } from '../../server/src/scheduler/whatIf/edits';
import { isGateOn, objectsIn } from './support';

const options = { kubernetesVersion: '1.37', isGateOn };

const node = (name: string, zone: string, cpu = 4, taint = ''): string => `apiVersion: v1
kind: Node
metadata: { name: ${name}, labels: { kubernetes.io/hostname: ${name}, topology.kubernetes.io/zone: ${zone} } }
spec: { taints: [${taint}] }
status: { allocatable: { cpu: "${cpu}", memory: 8Gi, pods: "20" } }
---
`;

const pod = (spec: string, name = 'web'): string => `apiVersion: v1
kind: Pod
metadata: { name: ${name}, labels: { app: ${name} } }
spec:
  containers: [{ name: main, image: web, resources: { requests: { cpu: "2" } } }]
${spec.replace(/^/gm, '  ')}
---
`;

const preferZone = (zone: string): string => `affinity:
  nodeAffinity:
    preferredDuringSchedulingIgnoredDuringExecution:
      - weight: 50
        preference: { matchExpressions: [{ key: topology.kubernetes.io/zone, operator: In, values: [${zone}] }] }`;

/** The suggestions, the resulting node, and whether a run from scratch confirms it. */
function suggestionLines(text: string): readonly string[] {
  const objects = objectsIn(text);
  const { suggestions } = preferencesIn(objects);
  return suggestions.map(({ title, edits, outcome }) => {
    const { placements } = runScenario(withEdits(documentsOf(objects), edits), options);
    return `${title}: ${outcome.node}${placements['default/web'] === outcome.node ? '' : ' (broken)'}`;
  });
}

const preferencesIn = (objects: readonly UnknownObject[]): Counterfactuals =>
  runToEnd(studySteps(objects, options)).preferences('default/web');

describe('a Pod with an unmet preference', () => {
  it('gets a suggestion that removes the obstacle', () => {
    const tainted = `${node('a-1', 'a')}${node('b-1', 'b', 4, '{ key: team, value: x, effect: NoSchedule }')}`;
    expect(suggestionLines(`${tainted}${pod(preferZone('b'))}`)).toEqual(['Tolerate the taint team=x:NoSchedule: b-1']);
    const small = `${node('a-1', 'a')}${node('b-1', 'b', 1)}`;
    expect(suggestionLines(`${small}${pod(preferZone('b'))}`)).toEqual([
      'Request 1 cpu instead of 2 (container main): b-1',
    ]);
  });

  it('gets a suggestion to require the preference where only other scores outweigh it', () => {
    const full = `${node('a-1', 'a', 40)}${node('b-1', 'b', 4)}${pod('nodeName: b-1', 'other')}`;
    const weak = preferZone('b').replace('weight: 50', 'weight: 1');
    expect(suggestionLines(`${full}${pod(weak)}`)).toEqual([]);
    const both = weak.replace(
      /$/,
      '\n      - { weight: 100, preference: { matchExpressions: [{ key: kubernetes.io/hostname, operator: In, values: [a-1] }] } }',
    );
    expect(suggestionLines(`${full}${pod(both)}`)).toEqual([
      'Require nodes with topology.kubernetes.io/zone In b instead of preferring them: b-1',
    ]);
  });

  it('keeps its other requirements, which may be the obstacle', () => {
    const nodes = `${node('a-1', 'a')}${node('b-1', 'b')}`;
    const demanding = pod(`nodeSelector: { kubernetes.io/hostname: a-1 }\n${preferZone('b')}`);
    expect(suggestionLines(`${nodes}${demanding}`)).toEqual([
      'Select nodes with kubernetes.io/hostname=b-1 instead of a-1: b-1',
      'Drop kubernetes.io/hostname=a-1 from the nodeSelector: b-1',
    ]);
  });

  it('is spread evenly, or placed near others, where it prefers that', () => {
    const nodes = `${node('a-1', 'a')}${node('b-1', 'b', 1)}`;
    const running = pod('nodeName: a-1', 'web').replace('name: web', 'name: first');
    const spread = `topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: topology.kubernetes.io/zone
    whenUnsatisfiable: ScheduleAnyway
    labelSelector: { matchLabels: { app: web } }`;
    expect(suggestionLines(`${nodes}${running}${pod(spread)}`)).toEqual([
      'Request 1 cpu instead of 2 (container main): b-1',
    ]);
    const near = `affinity:
  podAffinity:
    preferredDuringSchedulingIgnoredDuringExecution:
      - weight: 10
        podAffinityTerm: { topologyKey: kubernetes.io/hostname, labelSelector: { matchLabels: { app: db } } }`;
    const crowded = `${node('a-1', 'a', 2)}${node('b-1', 'b')}${pod('nodeName: a-1', 'db')}`;
    const priced = pod(near).replace('cpu: "2"', 'memory: 1Gi, cpu: "2"');
    expect(suggestionLines(`${crowded}${priced}`)).toEqual([]);
    expect(suggestionLines(`${crowded.replace('cpu: "2", memory', 'cpu: "3", memory')}${priced}`)).toEqual([
      'Request 1 cpu instead of 2 (container main): a-1',
    ]);
  });

  it('gets no suggestion where all its preferences are met, or it has none', () => {
    const nodes = `${node('a-1', 'a')}${node('b-1', 'b')}`;
    expect(suggestionLines(`${nodes}${pod(preferZone('b'))}`)).toEqual([]);
    expect(suggestionLines(`${nodes}${pod('priority: 0')}`)).toEqual([]);
  });
});
