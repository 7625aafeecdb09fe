import { definePlugin, skip, success, unschedulable } from '../../framework/plugin';

/**
 * Upstream: pkg/scheduler/framework/plugins/dynamicresources. Only Pods without claims are covered: they may go anywhere
 * and every node scores 0. Pods with claims get a note (see `unsimulated`).
 */
export const dynamicResources = () =>
  definePlugin({
    name: 'DynamicResources',
    preFilter: () => ({ status: skip }),
    filter: () => success,
    // When PreFilter ended before its turn it finds no state of its own; upstream's error is passed on as it is.
    postFilter: (_pod, { preFiltered }) =>
      preFiltered.includes('DynamicResources')
        ? { status: unschedulable(), message: '' }
        : { status: { code: 'Error', reasons: ['not found'] }, message: 'not found' },
    score: () => 0,
  });
