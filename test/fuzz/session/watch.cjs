// Loaded into the server before its bundle (`node --expose-gc --require`). It tells on descriptor 3, a line of JSON each:
// how much CPU time one task of the main thread took when that is long, and the memory after a collection on SIGUSR2.
// CPU time is counted, as a loaded machine makes every task long by the clock.
const { readFileSync, writeSync } = require('node:fs');

const INTERVAL = 50;
const LONG_MILLISECONDS = 300;

/** Nanoseconds that the main thread was on a CPU. */
const cpuOfMain = () => Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]);
const tell = message => {
  try {
    writeSync(3, `${JSON.stringify(message)}\n`);
  } catch {
    // Nobody listens any more.
  }
};

let last = cpuOfMain();
setInterval(() => {
  const now = cpuOfMain();
  const milliseconds = (now - last) / 1e6;
  last = now;
  if (milliseconds > LONG_MILLISECONDS) tell({ task: Math.round(milliseconds) });
}, INTERVAL).unref();

process.on('SIGUSR2', () => {
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, rss, external } = process.memoryUsage();
  tell({ heapUsed, rss, external });
});
