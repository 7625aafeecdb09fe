import type { FromPreview, ToPreview } from '../../preview/messages';

interface VsCodeApi {
  postMessage(message: FromPreview): void;
  getState(): unknown;
  setState(state: SavedState): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** What outlives the webview while its tab is hidden. */
export interface SavedState {
  /** How far each named scroller was scrolled. */
  readonly scroll: Readonly<Record<string, number>>;
  /** What the user chose of how things are shown, by name. */
  readonly choices: Readonly<Record<string, string>>;
}

/** The extension's side, as the webview sees it. */
export interface Host {
  post(message: FromPreview): void;
  kept(): SavedState;
  /** Keeps a part; the rest stays. */
  keep(part: Partial<SavedState>): void;
  /** Calls back with each message of the extension; returns how to stop that. */
  listen(receive: (message: ToPreview) => void): () => void;
}

/** Must be called once in the life of a page: VS Code hands its API out a single time. */
export function connect(): Host {
  const api = acquireVsCodeApi();
  const kept = (): SavedState => savedIn(api.getState());
  return {
    post: message => api.postMessage(message),
    kept,
    keep: part => api.setState({ ...kept(), ...part }),
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
  'fit',
  'comparison',
  'movers',
  'look',
] satisfies readonly ToPreview['type'][];

function savedIn(state: unknown): SavedState {
  const { scroll, choices } = (typeof state === 'object' && state !== null ? state : {}) as Partial<SavedState>;
  return { scroll: scroll ?? {}, choices: choices ?? {} };
}
