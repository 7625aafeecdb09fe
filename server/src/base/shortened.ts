/** Some messages contain the whole value that they are about. */
const LONGEST_MESSAGE = 4_000;
/** No key or name that a server accepts is as long, and any number of problems may repeat it. */
const LONGEST_NAME = 1_000;

/** A message without what follows its first 4,000 characters. */
export const shortened = (message: string): string => beginning(message, LONGEST_MESSAGE);

/** A key or a name without what follows its first 1,000 characters. */
export const shortenedName = (name: string): string => beginning(name, LONGEST_NAME);

/** A text of at most `most` characters: a longer one ends with an ellipsis. */
export const elided = (text: string, most: number): string =>
  text.length <= most ? text : [firstCharacters(text, most - 1), '…'].join('');

function beginning(text: string, most: number): string {
  if (text.length <= most) return text;
  const first = firstCharacters(text, most);
  const left = text.length - first.length;
  // Joined: a slice of it, or a text that begins with one, would hold the whole text.
  return [first, `… (${left.toLocaleString('en')} more characters)`].join('');
}

/** Half of a surrogate pair is no character and cannot be written as UTF-8. */
function firstCharacters(text: string, most: number): string {
  const isPair = (text.codePointAt(most - 1) ?? 0) > 0xffff;
  return text.slice(0, isPair ? most - 1 : most);
}
