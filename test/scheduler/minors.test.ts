import { describe, expect, it } from 'vitest';
import { supportedMinors } from '../../server/src/kube/load';
import { runScenario } from '../../server/src/scheduler/scenario';
import { kubeFacts } from '../support/packs';
import { objectsIn } from './support';

/** The notes of a run about its minor. */
function notesOn(minor: string, yaml: string): readonly string[] {
  const { isGateOn } = kubeFacts(minor);
  const { notes } = runScenario(objectsIn(yaml), { kubernetesVersion: minor, isGateOn });
  return notes.map(it => it.message).filter(it => it.includes('is simulated as of'));
}

const TAINTED = `
apiVersion: v1
kind: Node
metadata: { name: n1 }
spec: { taints: [{ key: a, value: b, effect: NoSchedule }] }
status: { capacity: { cpu: '4', memory: 8Gi, pods: '10' } }
---
apiVersion: v1
kind: Pod
metadata: { name: p }
spec: { containers: [{ name: c, image: 'app:1', resources: { requests: { cpu: '1', memory: 1Gi } } }] }
`;

const TWO_NODES = `
apiVersion: v1
kind: Node
metadata: { name: n1 }
status: { capacity: { cpu: '4', memory: 8Gi, pods: '10' } }
---
apiVersion: v1
kind: Node
metadata: { name: n2 }
status: { capacity: { cpu: '4', memory: 8Gi, pods: '10' } }
---
apiVersion: v1
kind: Pod
metadata: { name: p }
spec:
  initContainers: [{ name: side, image: 'side:1', restartPolicy: Always, ports: [{ containerPort: 80, hostPort: 80 }] }]
  containers: [{ name: c, image: 'app:1', resources: { requests: { cpu: '1', memory: 1Gi } } }]
`;

const WITHOUT_BALANCE = `
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles: [{ plugins: { multiPoint: { disabled: [{ name: NodeResourcesBalancedAllocation }] } } }]
---
${TWO_NODES}`;

const plugins = (notes: readonly string[]): readonly string[] => notes.map(it => it.split(' ')[0]!);

describe('differences of older minors', () => {
  it('are reported for plugins that the run uses', () => {
    expect(notesOn('1.33', TAINTED)).toEqual([
      'TaintToleration is simulated as of 1.34; before, the reason names the taint: "node(s) had untolerated taint {KEY: VALUE}".',
    ]);
    expect(plugins(notesOn('1.35', TWO_NODES))).toEqual(['NodeResourcesBalancedAllocation']);
    expect(plugins(notesOn('1.32', TWO_NODES))).toEqual(['NodeResourcesBalancedAllocation', 'NodePorts']);
  });

  it('are not reported from the minor on that made the change', () => {
    expect(notesOn('1.34', TAINTED)).toEqual([]);
    expect(notesOn('1.36', TWO_NODES)).toEqual([]);
  });

  it('are not reported for a plugin that no profile has', () => {
    expect(plugins(notesOn('1.32', WITHOUT_BALANCE))).toEqual(['NodePorts']);
  });

  it('do not exist on the newest minor', () => {
    for (const yaml of [TAINTED, TWO_NODES]) expect(notesOn(supportedMinors.at(-1)!, yaml)).toEqual([]);
  });
});
