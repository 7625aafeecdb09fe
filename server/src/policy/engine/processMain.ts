import type { EngineThread } from './engine';
import type { FromProcess, ToProcess } from './process';
import { engineThreads } from './thread';

/** The engine's own process: threads of it, as the parent asks for them. It ends with its parent. */
function main(): void {
  const tell = (message: FromProcess): void => void process.send?.(message, () => undefined);
  const start = engineThreads(__dirname, line => tell({ log: line }));
  const threads = new Map<number, EngineThread>();

  process.on('message', (message: ToProcess) => {
    const { run } = message;
    if ('start' in message)
      threads.set(
        run,
        start(said => tell({ run, said })),
      );
    else if ('request' in message) threads.get(run)?.post(message.id, message.request);
    else if ('cancel' in message) threads.get(run)?.cancel();
    else if ('askWork' in message) threads.get(run)?.requestWorkTime(message.askWork);
    else {
      threads.get(run)?.end();
      threads.delete(run);
    }
  });
  process.on('disconnect', () => process.exit());
}

main();
