import { printableJson } from '../text/printable';
import { complain } from './complain';
import { EXIT, type ExitCode } from './exit';
import { CONTRACT } from './render/json';
import { type CliWorld, UsageError } from './world';

/**
 * Does what a command is asked for; bad input is exit code 2 and a sentence.
 * @param inJson what a line of JSON holds beside that sentence; absent: there is no such line
 */
export async function unlessBadInput(
  world: CliWorld,
  command: () => Promise<ExitCode>,
  inJson?: object,
): Promise<ExitCode> {
  try {
    return await command();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    complain(world, error.message);
    if (inJson) world.out(`${printableJson({ contract: CONTRACT, ...inJson, error: error.message })}\n`);
    return EXIT.failed;
  }
}
