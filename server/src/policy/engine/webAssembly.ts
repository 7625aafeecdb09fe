/** A compiled program; it can be handed to another thread. */
export type WasmProgram = { readonly program: unique symbol };
/** The functions that a program wants of its host, by module and name. */
export type Imports = { readonly imports: unique symbol };
export type Instance = { readonly instance: unique symbol };

interface Api {
  compileStreaming(source: Response): Promise<WasmProgram>;
  instantiate(program: WasmProgram, imports: Imports): Promise<Instance>;
}

/** What is used of it, as Node's own types leave it to those of the browser. */
export const webAssembly = (globalThis as unknown as { readonly WebAssembly: Api }).WebAssembly;
