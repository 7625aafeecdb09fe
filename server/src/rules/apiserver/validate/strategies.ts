import { lazy } from '../../../base/lazy';
import { admissionStrategies } from './admission/index';
import { apiextensionsStrategies } from './apiextensions/index';
import { certificateStrategies } from './certificates/index';
import { controlStrategies } from './control/index';
import { coreStrategies } from './core/index';
import { draStrategies } from './dra/index';
import type { KindStrategy, Strategies } from './errors';
import { flowControlStrategies } from './flowcontrol/index';
import { metadataStrategies } from './kindMeta';
import { networkingStrategies } from './networking/index';
import { podStrategy } from './podSpec/podSpec';
import { storageStrategies } from './storage/index';
import { systemStrategies } from './system/index';
import { workloadStrategies } from './workloads/index';

type Table = () => Strategies;

const podStrategies: Table = () => ({ '/Pod': podStrategy });
const workloads = lazy(workloadStrategies);
const core = lazy(coreStrategies);
const storage = lazy(storageStrategies);
const networking = lazy(networkingStrategies);
const control = lazy(controlStrategies);
const dra = lazy(draStrategies);
const system = lazy(systemStrategies);

/** The tables that may hold a kind, by its API group, the most frequent kinds first: a table is made when it is asked. */
const TABLES: ReadonlyMap<string, readonly Table[]> = new Map([
  ['', [lazy(podStrategies), core, workloads, storage, networking, control]],
  ['admissionregistration.k8s.io', [lazy(admissionStrategies)]],
  ['apiextensions.k8s.io', [lazy(apiextensionsStrategies)]],
  ['apiregistration.k8s.io', [system]],
  ['apps', [workloads, control]],
  ['autoscaling', [core]],
  ['batch', [workloads]],
  ['certificates.k8s.io', [lazy(certificateStrategies)]],
  ['coordination.k8s.io', [control]],
  ['discovery.k8s.io', [networking]],
  ['events.k8s.io', [control]],
  ['flowcontrol.apiserver.k8s.io', [lazy(flowControlStrategies)]],
  ['internal.apiserver.k8s.io', [system]],
  ['lifecycle.k8s.io', [control]],
  ['networking.k8s.io', [networking]],
  ['node.k8s.io', [core]],
  ['policy', [core]],
  ['rbac.authorization.k8s.io', [control]],
  ['resource.k8s.io', [dra]],
  ['scheduling.k8s.io', [core, dra]],
  ['storage.k8s.io', [storage]],
  ['storagemigration.k8s.io', [system]],
]);

/**
 * The API server's strategy on create of a built-in kind; undefined for a kind that is only checked against its schema.
 */
export function builtInStrategy(group: string, kind: string): KindStrategy | undefined {
  const key = `${group}/${kind}`;
  for (const table of TABLES.get(group) ?? []) {
    const strategy = table()[key];
    if (strategy) return strategy;
  }
  return metadataStrategies[key];
}

/** The strategies of all built-in kinds. */
export function allStrategies(): Strategies {
  const tables = [...TABLES.values()].flat();
  return Object.assign({}, metadataStrategies, ...tables.map(it => it()));
}
