/** Resolves once no work on the disk goes on. `reading`: that which goes on now; undefined: there is none. */
export async function untilRead(reading: () => Promise<void> | undefined): Promise<void> {
  for (let read = reading(); read !== undefined; read = reading()) await read.catch(() => undefined);
}
