import type { Vite } from 'vitest/node';

export function transpiledSources(): Vite.Plugin;
export const TRANSPILED: RegExp;
export function moduleOf(path: string): string | undefined;
export function transpile(tree: string): Promise<void>;
