/** Some messages contain the whole value that they are about. */
const LONGEST_MESSAGE = 4_000;

/** A message without what follows its first 4,000 characters. */
export function shortened(message: string): string {
  if (message.length <= LONGEST_MESSAGE) return message;
  const left = message.length - LONGEST_MESSAGE;
  // Joined: a slice of it, or a text that begins with one, would hold the whole message.
  return [message.slice(0, LONGEST_MESSAGE), `… (${left.toLocaleString('en')} more characters)`].join('');
}
