import { existsSync } from 'node:fs';
import { join } from 'node:path';

type Make = (real: object) => object;

const modules = join(import.meta.dirname, '../../out/modules');
/** By the path of a module: what is put in its place. */
const made = new Map<string, Make>();
const loaded = new Set<string>();

/** Asked by a module that some test replaces, as `transpile` writes it, when it is loaded. */
const answer = (path: string, real: object): object => {
  loaded.add(path);
  return { ...real, ...made.get(path)?.(real) };
};
Object.assign(globalThis, { [Symbol.for('berth.inPlaceOf')]: answer });

/**
 * Puts something in the place of some exports of a module of server/src, for all modules of this process. To be called in
 * `vi.hoisted`, before the module is loaded. Vitest's own `vi.mock` would do for what Vite loads, which Node does for
 * server/src.
 * @param path In server/src, without extension, as a literal: `transpile` looks for it.
 * @param make What is exported in the place of what the real module exports by these names.
 */
export function inPlaceOf<Module extends object>(path: string, make: (real: Module) => Partial<Module>): void {
  if (loaded.has(path)) throw new Error(`${path} is loaded already`);
  if (!existsSync(join(modules, `${path}.real.mjs`))) throw new Error(`nothing can be put in the place of ${path}`);
  made.set(path, make as Make);
}
