/**
 * The text of a berth.yaml with an environment of its own for a folder of Nodes and what they serve; undefined where it
 * declares environments, which only its author can extend.
 * @param path the folder, and `serves` folders and files, as paths with forward slashes
 */
export function environmentText(text: string, path: string, serves: readonly string[]): string | undefined {
  if (/^environments\s*:/m.test(text)) return undefined;
  const name =
    path
      .split('/')
      .at(-1)
      ?.replace(/[^\w.-]/g, '-') || 'cluster';
  const paths = [path, ...serves].map(it => `      - ${JSON.stringify(it)}`);
  const before = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  return `${before}environments:\n  ${JSON.stringify(name)}:\n    paths:\n${paths.join('\n')}\n`;
}
