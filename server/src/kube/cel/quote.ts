const ESCAPES: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

/** A text in quotes; characters without an escape of their own are copied. Upstream: ext.quote. */
export const quote = (text: string): string => `"${text.replace(/[\x07\b\f\n\r\t\v\\"]/g, it => ESCAPES[it] ?? it)}"`;
