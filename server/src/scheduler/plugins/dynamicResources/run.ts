import type { DeviceSelectors } from '../../../kube/cel/deviceSelector';
import type { Cycle } from '../../framework/interface';
import type { NodeInfo } from '../../framework/nodeInfo';
import type { DeviceFeatures } from './features';
import { gatherPools, type Pool, type SliceIndex, sliceIndex } from './pools';
import { type SelectorBook, selectorBook } from './selectors';
import { type SharedAnswers, sharedAnswers } from './sharedAnswers';

/** What is common to all Pods of a run. */
export interface DeviceRun {
  readonly features: DeviceFeatures;
  readonly selectors: SelectorBook;
  readonly index: SliceIndex;
  readonly answers: SharedAnswers;
  readonly pools: (node: NodeInfo) => readonly Pool[] | { readonly error: string };
}

export interface RunInput {
  readonly features: DeviceFeatures;
  readonly compiler: DeviceSelectors;
  readonly taintRules: 'counted' | 'ignored';
}

export function deviceRun({ cluster, work }: Cycle, { features, compiler, taintRules }: RunInput): DeviceRun {
  const { slices, slicesWithRules } = cluster.devices;
  const index: SliceIndex = work.once('devices/slices', () =>
    sliceIndex(taintRules === 'counted' ? slicesWithRules : slices),
  );
  return {
    features,
    index,
    selectors: work.once('devices/selectors', () => selectorBook(compiler, features)),
    answers: work.once('devices/answers', sharedAnswers),
    pools: work.column('devices/pools', 'node', ({ node }) => gatherPools(index, node, features)),
  };
}
