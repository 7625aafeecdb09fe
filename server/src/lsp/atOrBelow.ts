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
