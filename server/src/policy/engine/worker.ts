import { readFileSync } from 'node:fs';
import { runInThisContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { type Imports, type Instance, type WasmProgram, webAssembly } from './webAssembly';

/** The worker's input. The program is already compiled, so a restart does not compile again. */
export interface WorkerData {
  readonly module: WasmProgram;
  /** Path of Go's JavaScript glue, from the Go release that built the program. */
  readonly wasmExec: string;
  readonly cancelFlag: SharedArrayBuffer;
  /** Bytes from which Go's garbage collector works harder. */
  readonly softMemoryLimit: number;
}

interface GoProgram {
  env: Readonly<Record<string, string>>;
  exit: (code: number) => void;
  readonly importObject: Imports;
  run(instance: Instance): Promise<void>;
}

type Call = (request: string) => string;

/** What Go's glue and the program read from the global object. */
const world = globalThis as unknown as Record<string, unknown>;
const { module, wasmExec, cancelFlag, softMemoryLimit } = workerData as WorkerData;
const port = parentPort;
if (port === null) throw new Error('The policy engine runs in a worker thread only.');

/** A crash of Go prints every goroutine; the first lines are enough. */
const MAX_LOG_LINES = 20;

/**
 * A file system that only logs. Go writes panics to file descriptors 1 and 2, and without this object its glue would
 * print them on standard output, which carries the language server's protocol.
 */
function logOnly(): Record<string, unknown> {
  const decoder = new TextDecoder();
  const log = { pending: '', lines: 0 };
  const writeSync = (_: number, bytes: Uint8Array): number => {
    const lines = (log.pending + decoder.decode(bytes)).split('\n');
    log.pending = lines.pop() ?? '';
    for (const line of lines) if (log.lines++ < MAX_LOG_LINES) port?.postMessage({ log: line });
    return bytes.length;
  };
  const refuse = (...args: readonly unknown[]): void => {
    const done = args.at(-1) as (error: Error) => void;
    done(Object.assign(new Error('no file system'), { code: 'ENOSYS' }));
  };
  const constants = { O_WRONLY: -1, O_RDWR: -1, O_CREAT: -1, O_TRUNC: -1, O_APPEND: -1, O_EXCL: -1, O_DIRECTORY: -1 };
  const calls =
    'chmod chown close fchmod fchown fstat fsync ftruncate lchown link lstat mkdir open read readdir readlink';
  const more = 'rename rmdir stat symlink truncate unlink utimes';
  return {
    ...Object.fromEntries(`${calls} ${more}`.split(' ').map(it => [it, refuse])),
    constants,
    writeSync,
    write: (fd: number, bytes: Uint8Array, at: number, length: number, _: unknown, done: (...it: unknown[]) => void) =>
      done(null, writeSync(fd, bytes.subarray(at, at + length))),
  };
}

async function main(): Promise<void> {
  const glue = readFileSync(wasmExec, 'utf8');
  world.fs = logOnly();
  // Go's net/http would use fetch. Without it no library can reach the network.
  world.fetch = undefined;
  world.require = undefined;
  runInThisContext(glue);
  world.berthPolicyCancel = new Int32Array(cancelFlag);
  const answering = new Promise<Call>(resolve => {
    world.berthPolicyEngine = resolve;
  });
  const go = new (world.Go as new () => GoProgram)();
  // A garbage collection takes several times as long as a call and delays the call in which it happens: with 200 one of
  // 13 edited objects waited for it, with 400 one of 25. The memory of a WebAssembly program never shrinks, so the soft
  // limit bounds the garbage.
  go.env = { GOGC: '400', GOMEMLIMIT: String(softMemoryLimit) };
  const ended = { isReported: false };
  go.exit = code => {
    ended.isReported = true;
    port?.postMessage({ exit: code });
  };
  void go.run(await webAssembly.instantiate(module, go.importObject));
  const call = await answering;
  port?.on('message', ({ id, request }: { readonly id: number; readonly request: string }) => {
    try {
      port?.postMessage({ id, answer: call(request) });
    } catch (error) {
      // The glue throws after the program has exited. Thrown on, the error could overtake the message with the reason.
      if (!ended.isReported) throw error;
    }
  });
  port?.postMessage({ ready: true });
}

void main();
