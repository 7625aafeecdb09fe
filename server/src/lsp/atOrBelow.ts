/** Whether a file is at one of some paths, or below one: a folder is reported without its files. */
export function atOrBelow(paths: Iterable<string>): (uri: string) => boolean {
  const all = new Set(paths);
  return uri => {
    for (let end = uri.length; end > 0; end = uri.lastIndexOf('/', end - 1)) {
      if (all.has(uri.slice(0, end))) return true;
    }
    return false;
  };
}

/** Whether a file is below one of some folders. */
export const isBelowOne = (uri: string, folders: readonly string[]): boolean =>
  folders.some(it => uri.startsWith(`${it}/`));
