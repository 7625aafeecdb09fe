import type { EngineThread } from './engine';
import type { FromProcess, ToProcess } from './process';
import { engineThreads } from './thread';

/** Entry of the engine's process: runs threads at the parent's request and exits with the parent. */
function main(): void {
  const send = (message: FromProcess): void => void process.send?.(message, () => undefined);
  const start = engineThreads(__dirname, line => send({ log: line }));
  const threads = new Map<number, EngineThread>();

  process.on('message', (message: ToProcess) => {
    const { run } = message;
    if ('start' in message)
      threads.set(
        run,
        start(message => send({ run, message })),
      );
    else if ('request' in message) threads.get(run)?.post(message.id, message.request);
    else if ('cancel' in message) threads.get(run)?.cancel();
    else if ('workTimeOf' in message) threads.get(run)?.requestWorkTime(message.workTimeOf);
    else {
      threads.get(run)?.end();
      threads.delete(run);
    }
  });
  process.on('disconnect', () => process.exit());
}

main();
