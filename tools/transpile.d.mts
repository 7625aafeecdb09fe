export function moduleOf(path: string): string | undefined;
export function transpile(tree: string): Promise<void>;
