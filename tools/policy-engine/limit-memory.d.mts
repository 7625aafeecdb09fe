export function limitMemory(wasm: Uint8Array, bytes: { readonly initial: number; readonly maximum: number }): Buffer;
