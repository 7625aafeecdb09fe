import { type LineIndex, lineIndex } from '../text/lineIndex';

/** Line indexes, cached per text. */
export interface LineIndexes {
  /** undefined: the file is unknown. */
  readonly of: (uri: string) => LineIndex | undefined;
  readonly forget: (uri: string) => void;
}

export function createLineIndexes(textOf: (uri: string) => string | undefined): LineIndexes {
  const indexes = new Map<string, { readonly text: string; readonly lines: LineIndex }>();
  return {
    of(uri) {
      const text = textOf(uri);
      if (text === undefined) return undefined;
      const cached = indexes.get(uri);
      if (cached?.text === text) return cached.lines;
      const lines = lineIndex(text);
      indexes.set(uri, { text, lines });
      return lines;
    },
    forget: uri => void indexes.delete(uri),
  };
}
