/** Some messages contain the whole value that they are about. */
const LONGEST_MESSAGE = 4_000;
/** No key or name that a server accepts is as long, and any number of problems may repeat it. */
const LONGEST_NAME = 1_000;

/** A message without what follows its first 4,000 characters. */
export const shortened = (message: string): string => beginning(message, LONGEST_MESSAGE);

/** A key or a name without what follows its first 1,000 characters. */
export const shortenedName = (name: string): string => beginning(name, LONGEST_NAME);

function beginning(text: string, most: number): string {
  if (text.length <= most) return text;
  const left = text.length - most;
  // Joined: a slice of it, or a text that begins with one, would hold the whole text.
  return [text.slice(0, most), `… (${left.toLocaleString('en')} more characters)`].join('');
}
