/** A compiled program. It can be transferred to another thread. */
export type WasmProgram = { readonly program: unique symbol };
/** The host functions that a program imports, by module and name. */
export type Imports = { readonly imports: unique symbol };
export type Instance = { readonly instance: unique symbol };

interface Api {
  compile(source: ArrayBuffer): Promise<WasmProgram>;
  instantiate(program: WasmProgram, imports: Imports): Promise<Instance>;
}

/** The part of the API that is used. Node's own types leave WebAssembly to those of the browser. */
export const webAssembly = (globalThis as unknown as { readonly WebAssembly: Api }).WebAssembly;
