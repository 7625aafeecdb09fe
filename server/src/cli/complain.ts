import { printable } from '../text/printable';
import type { CliWorld } from './world';

/** Writes one sentence to standard error; names and paths in it cannot steer the terminal or look like another line. */
export function complain(world: Pick<CliWorld, 'err'>, sentence: string): void {
  world.err(`berth: ${printable(sentence)}\n`);
}
