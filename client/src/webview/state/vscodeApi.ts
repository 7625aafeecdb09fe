import type { FromPreview, ToPreview } from '../../preview/messages';

interface VsCodeApi {
  postMessage(message: FromPreview): void;
  getState(): unknown;
  setState(state: SavedState): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** What outlives the webview while its tab is hidden: how far each named scroller was scrolled. */
export interface SavedState {
  readonly scroll: Readonly<Record<string, number>>;
}

/** The extension's side, as the webview sees it. */
export interface Host {
  post(message: FromPreview): void;
  kept(): SavedState;
  keep(kept: SavedState): void;
  /** Calls back with each message of the extension; returns how to stop that. */
  listen(receive: (message: ToPreview) => void): () => void;
}

/** Must be called once in the life of a page: VS Code hands its API out a single time. */
export function connect(): Host {
  const api = acquireVsCodeApi();
  return {
    post: message => api.postMessage(message),
    kept: () => (isKept(api.getState()) ? (api.getState() as SavedState) : { scroll: {} }),
    keep: kept => api.setState(kept),
    listen(receive) {
      const onMessage = ({ data }: MessageEvent<unknown>) => {
        if (isToPreview(data)) receive(data);
      };
      window.addEventListener('message', onMessage);
      return () => window.removeEventListener('message', onMessage);
    },
  };
}

const isToPreview = (data: unknown): data is ToPreview =>
  typeof data === 'object' && data !== null && 'type' in data && TYPES.includes(data.type);

const TYPES: readonly unknown[] = [
  'model',
  'change',
  'empty',
  'trying',
  'why',
  'comparison',
  'movers',
  'look',
] satisfies readonly ToPreview['type'][];

const isKept = (state: unknown): state is SavedState =>
  typeof state === 'object' && state !== null && 'scroll' in state && typeof state.scroll === 'object';
