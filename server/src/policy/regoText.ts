/** A problem of Rego in OPA's form: rows and columns from 1, offsets in UTF-8 bytes. */
export interface RegoError {
  readonly code: string;
  readonly message: string;
  readonly location?: { readonly file?: string; readonly row: number; readonly col: number; readonly offset: number };
  readonly details?: readonly string[];
}

/** The word to underline for an error in Rego, in UTF-16 units. */
export function spanOfRegoError(
  text: string,
  { location, message }: RegoError,
): { readonly start: number; readonly end: number } {
  if (location === undefined) return { start: 0, end: Math.max(1, text.indexOf('\n')) };
  const offset = Math.min(utf16Offset(text, location.offset), Math.max(0, text.length - 1));
  const start = offset + variableIn(text.slice(offset), message);
  const word = /^[\w.]+/.exec(text.slice(start))?.[0].length ?? 1;
  return { start, end: start + word };
}

/** For an unsafe variable OPA reports the position of the expression, not that of the variable. */
function variableIn(text: string, message: string): number {
  const name = /^var (\w+) is unsafe$/.exec(message)?.[1];
  const at = name === undefined ? -1 : text.search(new RegExp(`\\b${name}\\b`));
  return Math.max(0, at);
}

function utf16Offset(text: string, bytes: number): number {
  return new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, bytes)).length;
}

/** The error as one sentence, including OPA's detail lines. */
export function sentenceOf({ code, message, details = [] }: RegoError): string {
  const more = details.map(it => it.trim()).filter(it => !it.startsWith('^') && !message.includes(it));
  const sentence = code === 'error' ? message : `${code}: ${message}`;
  return [sentence, ...(code === 'rego_parse_error' ? [] : more)].join('; ');
}
