import { runAtEnd } from '../../base/runAtEnd';

/** Converts an offset in code points, as CEL counts them, to UTF-16 units. */
export function codePointOffset(text: string, codePoints: number): number {
  let offset = 0;
  for (let i = 0; i < codePoints && offset < text.length; i++)
    offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  return offset;
}

/**
 * The range to underline for a CEL position: a name or a number with the dot before it, or an operator. CEL reports
 * calls at their parenthesis, so for a parenthesis it is the name of the function.
 */
export function wordAt(text: string, offset: number): { readonly start: number; readonly end: number } {
  const called = text[offset] === '(' ? runAtEnd(text.slice(0, offset), /\w/).length : 0;
  const length = /^(?:\.?\??\w+|[=!<>]=|&&|\|\|)/.exec(text.slice(offset))?.[0].length ?? 1;
  return called > 0 ? { start: offset - called, end: offset } : { start: offset, end: offset + length };
}

/**
 * The range to underline for a compile error, whose text begins with `compilation failed: ERROR: <input>:LINE:COLUMN:`;
 * undefined without a position, and where something is missing at the end.
 */
export function placeOfCompileError(
  expression: string,
  message: string,
): { readonly start: number; readonly end: number } | undefined {
  const [, line = '', column = ''] = /^compilation failed: ERROR: <input>:(\d+):(\d+):/.exec(message) ?? [];
  if (line === '') return undefined;
  const before = expression.split('\n').slice(0, Number(line) - 1);
  const start = before.reduce((sum, it) => sum + it.length + 1, 0);
  const at = start + codePointOffset(expression.slice(start), Number(column) - 1);
  return at < expression.length ? wordAt(expression, at) : undefined;
}
