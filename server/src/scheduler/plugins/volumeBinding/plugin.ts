import { definePlugin, skip, success } from '../../framework/plugin';
import type { PluginFactory } from '../../framework/profile';

/**
 * Upstream: pkg/scheduler/framework/plugins/volumebinding. Only Pods without claims are covered: they may go anywhere and
 * every node scores 0. Pods with claims get a note (see `unsimulated`).
 */
export const volumeBinding: PluginFactory = ({ gates }) =>
  definePlugin({
    name: 'VolumeBinding',
    preFilter: () => ({ status: skip }),
    filter: () => success,
    preScore: () => ({ status: gates.storageCapacityScoring ? success : skip }),
    score: () => 0,
  });
