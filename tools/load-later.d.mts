import type { Plugin } from 'esbuild';

export function loadLater(root: string, modules: readonly string[]): Plugin;
export const LATER: readonly string[];
