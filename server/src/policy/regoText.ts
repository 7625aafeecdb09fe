/** A problem of Rego as OPA tells it: rows and columns from 1, offsets in bytes of UTF-8. */
export interface RegoError {
  readonly code: string;
  readonly message: string;
  readonly location?: { readonly file?: string; readonly row: number; readonly col: number; readonly offset: number };
  readonly details?: readonly string[];
}

/** What to underline for an error of a Rego text: the word at its place, in UTF-16 units. */
export function spanOfRegoError(
  text: string,
  { location, message }: RegoError,
): { readonly start: number; readonly end: number } {
  if (location === undefined) return { start: 0, end: Math.max(1, text.indexOf('\n')) };
  const told = Math.min(utf16Offset(text, location.offset), Math.max(0, text.length - 1));
  const start = told + variableIn(text.slice(told), message);
  const word = /^[\w.]+/.exec(text.slice(start))?.[0].length ?? 1;
  return { start, end: start + word };
}

/** OPA tells the expression in which a variable is unsafe, not the variable. */
function variableIn(text: string, message: string): number {
  const name = /^var (\w+) is unsafe$/.exec(message)?.[1];
  const at = name === undefined ? -1 : text.search(new RegExp(`\\b${name}\\b`));
  return Math.max(0, at);
}

function utf16Offset(text: string, bytes: number): number {
  return new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, bytes)).length;
}

/** The error in one sentence, with what OPA adds in lines of their own. */
export function sentenceOf({ code, message, details = [] }: RegoError): string {
  const more = details.map(it => it.trim()).filter(it => !it.startsWith('^') && !message.includes(it));
  const told = code === 'error' ? message : `${code}: ${message}`;
  return [told, ...(code === 'rego_parse_error' ? [] : more)].join('; ');
}
