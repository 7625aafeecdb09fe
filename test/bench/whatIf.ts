import { runToEnd } from '../../server/src/base/steps';
import { loadKube } from '../../server/src/kube/load';
import { studySteps } from '../../server/src/scheduler/whatIf/counterfactuals';
import { busyCluster } from './scheduling';

type JsonObject = Readonly<Record<string, unknown>>;

export interface CounterfactualTimes {
  /** Milliseconds of CPU for one Pod, the run without changes not counted, which an editor has made before. */
  readonly times: readonly number[];
  /** Of the last round. */
  readonly suggestions: number;
}

/**
 * Asks what would give one Pod a node on a busy cluster: `one`, a request that is too large for where it may go; `three`,
 * a Pod that needs three changes, so that single ones and pairs are all tried in vain.
 */
export function counterfactualTimes(
  nodes: number,
  rounds: number,
  needs: 'one' | 'three',
  readPack: (name: string) => Uint8Array,
): CounterfactualTimes {
  const kube = loadKube('1.37', {}, readPack);
  const [requests, disk] =
    needs === 'one' ? [{ cpu: '4', memory: '2Gi' }, 'ssd'] : [{ cpu: '6', memory: '40Gi' }, 'nvme'];
  const spec = { containers: [{ name: 'main', image: 'image0:1', resources: { requests } }], nodeSelector: { disk } };
  const pod: JsonObject = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'stuck', namespace: 'default' }, spec };
  const objects = [...busyCluster(nodes, 10, 0), pod];
  const asked = Array.from({ length: rounds }, () => {
    const study = runToEnd(studySteps(objects, { kubernetesVersion: '1.37', isGateOn: kube.isGateOn }));
    const start = process.cpuUsage();
    const { suggestions } = study.counterfactuals('default/stuck');
    const { user, system } = process.cpuUsage(start);
    return { time: (user + system) / 1000, suggestions: suggestions.length };
  });
  return { times: asked.map(it => it.time), suggestions: asked.at(-1)?.suggestions ?? 0 };
}
