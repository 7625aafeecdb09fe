import type { StateGraphModel } from '../../../server/src/analysis/stateGraph';
import { isObject, type UnknownObject } from '../../../server/src/base/json';
import type { GraphTextFormat } from '../../../server/src/lsp/protocol';

/** Messages of the extension to the page of the state graph. */
export type ToGraph =
  | { readonly type: 'graph'; readonly graph: StateGraphModel }
  | { readonly type: 'empty'; readonly reason: string };

/** Messages of the page to the extension. */
export type FromGraph =
  | { readonly type: 'ready' }
  /** Show another part; `finding` '': none, `within` absent: what can be read. */
  | { readonly type: 'ask'; readonly finding: string; readonly within?: number | 'all' }
  /** Show where the step is written that leads to this state of the way. */
  | { readonly type: 'reveal'; readonly at: number }
  | { readonly type: 'export'; readonly format: GraphTextFormat };

const FORMATS: readonly unknown[] = ['svg', 'dot', 'mermaid'] satisfies readonly GraphTextFormat[];

const isCount = (it: unknown): boolean => Number.isInteger(it) && (it as number) >= 0;

const CHECKS: Readonly<Record<FromGraph['type'], (message: UnknownObject) => boolean>> = {
  ready: () => true,
  ask: it => typeof it.finding === 'string' && (it.within === undefined || it.within === 'all' || isCount(it.within)),
  reveal: it => isCount(it.at),
  export: it => FORMATS.includes(it.format),
};

/** Whether a message of the page is one that it may send. */
export function isFromGraph(message: unknown): message is FromGraph {
  if (!isObject(message) || typeof message.type !== 'string' || !Object.hasOwn(CHECKS, message.type)) return false;
  return CHECKS[message.type as FromGraph['type']](message);
}
