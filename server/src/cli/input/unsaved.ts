import { isObject } from '../../base/json';
import type { CliWorld, PathEntry } from '../world';
import { UsageError } from '../world';

/** The files of the disk, some with the texts that an editor has not saved yet, read from standard input. Throws UsageError. */
export async function withUnsaved(world: CliWorld): Promise<CliWorld> {
  const texts = await unsavedTexts(world);
  const bytesOf = (path: string): Uint8Array | undefined => texts.get(world.absolute(path));
  return {
    ...world,
    async entry(path, bounds): Promise<PathEntry> {
      const found = await world.entry(path, bounds);
      const bytes = bytesOf(path);
      return bytes !== undefined && found.kind === 'file' ? { kind: 'file', bytes: bytes.length } : found;
    },
    async read(path, bounds, most) {
      const value = bytesOf(path);
      if (value === undefined || (most !== undefined && value.length > most)) return world.read(path, bounds, most);
      const { kind } = await world.entry(path, bounds);
      return kind === 'file' ? { value } : world.read(path, bounds, most);
    },
  };
}

/** By absolute path. */
async function unsavedTexts(world: CliWorld): Promise<ReadonlyMap<string, Uint8Array>> {
  const input = await world.readInput();
  if ('failure' in input) throw new UsageError(`--unsaved: standard input: ${input.failure}`);
  const texts = parsed(new TextDecoder().decode(input.value));
  return new Map(
    Object.entries(texts).flatMap(([path, text]) =>
      typeof text === 'string' ? [[world.absolute(path), new TextEncoder().encode(text)] as const] : [],
    ),
  );
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // The sentence below says what is wanted.
  }
  throw new UsageError('--unsaved: standard input is no JSON object of paths and texts.');
}
