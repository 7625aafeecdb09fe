/** The result of Go's strconv.Atoi: the number, or the text of the error. */
export type Atoi = { readonly number: number } | { readonly error: string };

const INT64_MAX = 9223372036854775807n;
const INT64_MIN = -9223372036854775808n;

/** Parses a decimal integer with or without a sign. Upstream: Go's strconv.Atoi. */
export function atoi(text: string): Atoi {
  const failure = (what: string) => ({ error: `strconv.Atoi: parsing ${JSON.stringify(text)}: ${what}` });
  if (!/^[+-]?[0-9]+$/.test(text)) return failure('invalid syntax');
  const number = BigInt(text.replace(/^\+/, ''));
  return number > INT64_MAX || number < INT64_MIN ? failure('value out of range') : { number: Number(number) };
}
