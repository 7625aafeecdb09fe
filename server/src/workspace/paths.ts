import { lazy } from '../base/lazy';

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const HAS_SPECIAL = /[%?#\\]/g;

/**
 * The uri (or, for a command line's relative path, the path) of a relative path in a folder: `.` and `..` are resolved,
 * and characters that a uri may not contain are encoded as `pathToFileURL` does.
 */
export const resolveIn = (folder: string, path: string): string =>
  SCHEME.test(folder) ? resolved(folder, path) : joined(folder, path);

/** The same for many paths in one folder: a url is made for few of them. */
export function resolverIn(folder: string): (path: string) => string {
  if (!SCHEME.test(folder)) return path => joined(folder, path);
  const start = lazy(() => resolved(folder, 'a').slice(0, -1));
  return path => (PLAIN.test(path) ? `${start()}${path}` : resolved(folder, path));
}

/** A path that a uri leaves as it is. */
const PLAIN = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/;

function resolved(folder: string, path: string): string {
  const encoded = path.replace(HAS_SPECIAL, it => (it === '\\' ? '/' : encodeURIComponent(it)));
  const whole = encoded.startsWith('/') ? encoded : `${pathOf(folder)}/${encoded}`;
  // Two slashes introduce a host name, which may be invalid.
  const url = URL.canParse(whole, folder) ? new URL(whole, folder) : new URL(whole.replace(/^\/+/, '/'), folder);
  return url.href.replace(/\/$/, '');
}

/** The folder of a file, without a slash at its end; '.' for a plain name. */
export function folderOf(uri: string): string {
  const slash = uri.lastIndexOf('/');
  if (slash < 0) return '.';
  return slash === 0 ? '/' : uri.slice(0, slash);
}

/** The last step of a path. */
export function baseNameOf(uri: string): string {
  return uri.slice(uri.lastIndexOf('/') + 1);
}

/** Whether a file is in a folder or below it. */
export function isBelow(uri: string, folder: string): boolean {
  return folder === '.' ? !uri.startsWith('/') && !uri.startsWith('../') : uri.startsWith(`${folder}/`);
}

/** The path from a folder to a file below it, as a person would write it; the uri itself for a file elsewhere. */
export function pathWithin(folder: string, uri: string): string {
  if (!isBelow(uri, folder)) return uri;
  const rest = folder === '.' ? uri : uri.slice(folder.length + 1);
  return SCHEME.test(folder) ? decodeURIComponent(rest) : rest;
}

/** The path from a folder to a file or folder, with `..` where needed. */
export function relativePath(folder: string, uri: string): string {
  const [from, to] = [stepsOf(folder), stepsOf(uri)];
  let shared = 0;
  while (shared < from.length && from[shared] === to[shared]) shared++;
  const steps = [...from.slice(shared).map(() => '..'), ...to.slice(shared)].join('/');
  return SCHEME.test(uri) ? decodeURIComponent(steps) : steps;
}

const stepsOf = (path: string): readonly string[] => (path === '.' ? [] : path.split('/'));

function pathOf(uri: string): string {
  return new URL(uri).pathname.replace(/\/$/, '');
}

function joined(folder: string, path: string): string {
  const steps: string[] = [];
  const isAbsolute = path.startsWith('/') || folder.startsWith('/');
  for (const step of `${path.startsWith('/') ? '' : folder}/${path}`.split('/')) {
    if (step === '' || step === '.') continue;
    if (step === '..' && steps.length > 0 && steps.at(-1) !== '..') steps.pop();
    else if (step !== '..' || !isAbsolute) steps.push(step);
  }
  return `${isAbsolute ? '/' : ''}${steps.join('/')}` || '.';
}

/** What the uris of the files below a folder begin with. */
export const startIn = (folder: string): string => (folder === '.' ? '' : folder === '/' ? folder : `${folder}/`);

/** The folders that a file or a folder is in, the innermost first. */
export function foldersAbove(path: string): readonly string[] {
  const above: string[] = [];
  for (let it = folderOf(path); above.at(-1) !== it; it = folderOf(it)) above.push(it);
  return above;
}
