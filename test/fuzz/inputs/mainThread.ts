import { existsSync, readFileSync } from 'node:fs';

const SCHEDSTAT = `/proc/self/task/${process.pid}/schedstat`;

/**
 * Milliseconds that the main thread was on a CPU: what a server would not answer for. The threads of V8 that compile and
 * collect, and those of the policy engine, count only where the system does not tell threads apart.
 */
export function mainThreadCpu(): number {
  if (existsSync(SCHEDSTAT)) return Number(readFileSync(SCHEDSTAT, 'utf8').split(' ')[0]) / 1e6;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
