export function moduleOf(path: string): string | undefined;
export function transpile(): Promise<void>;
