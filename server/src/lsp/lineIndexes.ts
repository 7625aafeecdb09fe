import { type LineIndex, lineIndex } from '../text/lineIndex';

/** Where the lines of texts begin, worked out once for each text. */
export interface LineIndexes {
  /** undefined: there is no such file. */
  readonly of: (uri: string) => LineIndex | undefined;
  readonly forget: (uri: string) => void;
}

export function createLineIndexes(textOf: (uri: string) => string | undefined): LineIndexes {
  const indexes = new Map<string, { readonly text: string; readonly lines: LineIndex }>();
  return {
    of(uri) {
      const text = textOf(uri);
      if (text === undefined) return undefined;
      const known = indexes.get(uri);
      if (known?.text === text) return known.lines;
      const lines = lineIndex(text);
      indexes.set(uri, { text, lines });
      return lines;
    },
    forget: uri => void indexes.delete(uri),
  };
}
