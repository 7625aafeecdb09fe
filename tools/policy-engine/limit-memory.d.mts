export function limitMemory(wasm: Uint8Array, maximumBytes: number): Buffer;
