import type { FromGraph, ToGraph } from '../../stateGraph/messages';

/** The extension's side, as the page of the state graph sees it. */
export interface GraphHost {
  post(message: FromGraph): void;
  /** Calls back with each message of the extension; returns how to stop that. */
  listen(receive: (message: ToGraph) => void): () => void;
}

declare function acquireVsCodeApi(): { postMessage(message: FromGraph): void };

const TYPES: readonly unknown[] = ['graph', 'empty'] satisfies readonly ToGraph['type'][];

const isToGraph = (data: unknown): data is ToGraph =>
  typeof data === 'object' && data !== null && 'type' in data && TYPES.includes(data.type);

/** Must be called once in the life of a page. */
export function connectGraph(): GraphHost {
  const api = acquireVsCodeApi();
  return {
    post: message => api.postMessage(message),
    listen(receive) {
      const onMessage = ({ data }: MessageEvent<unknown>) => {
        if (isToGraph(data)) receive(data);
      };
      window.addEventListener('message', onMessage);
      return () => window.removeEventListener('message', onMessage);
    },
  };
}
