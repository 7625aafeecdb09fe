import { Command, CommanderError } from 'commander';
import { printable, printableJson } from '../text/printable';
import { complain } from './complain';
import { EXIT, type ExitCode } from './exit';
import { CONTRACT } from './render/json';
import { type VerbExit, verbsFor } from './verbs';
import type { OuterWorld } from './world';

/**
 * Runs one command line (without node and script) in a world and resolves to its exit code. Bad arguments are exit code
 * 2, one sentence on standard error and, with `--format json`, a JSON document with `error` on standard output.
 */
export async function runCli(argv: readonly string[], world: OuterWorld): Promise<VerbExit> {
  const endings: VerbExit[] = [];
  try {
    await program(argv, world, it => endings.push(it)).parseAsync([...argv], { from: 'user' });
    return endings.length === 0 ? EXIT.clean : endings[0];
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.clean;
    // Without a verb the help is the answer.
    if (error instanceof CommanderError && error.code === 'commander.help') return EXIT.failed;
    return failed(error, argv, world);
  }
}

function failed(error: unknown, argv: readonly string[], world: OuterWorld): ExitCode {
  const message = error instanceof CommanderError ? sentence(error.message) : `Berth has a bug: ${String(error)}`;
  complain(world, message);
  if (error instanceof Error && !(error instanceof CommanderError)) world.err(framesOf(error));
  if (wantsJson(argv)) world.out(`${printableJson({ contract: CONTRACT, problems: [], error: message })}\n`);
  return EXIT.failed;
}

/** Where the bug is, for a report. The message above them may quote a manifest, so that it is not repeated raw. */
function framesOf({ stack = '' }: Error): string {
  const frames = stack.split('\n').filter(it => /^\s+at /.test(it));
  return frames.map(it => `    ${printable(it.trim())}\n`).join('');
}

/** Whether JSON was asked for, also where the arguments as a whole could not be understood. */
function wantsJson(argv: readonly string[]): boolean {
  return argv.some((it, index) => it === '--format=json' || (it === '--format' && argv[index + 1] === 'json'));
}

function sentence(message: string): string {
  const plain = message.replace(/^error: /, '').replaceAll('\n', ' ');
  const capital = plain.charAt(0).toUpperCase() + plain.slice(1);
  return /[.?)]$/.test(capital) ? capital : `${capital}.`;
}

function program(argv: readonly string[], world: OuterWorld, end: (ending: VerbExit) => void): Command {
  const berth = new Command('berth')
    .description('What the API server and kube-scheduler will say to your Kubernetes YAML.')
    .version(world.version, '--version')
    .exitOverride()
    // Errors are printed once, by `failed`.
    .configureOutput({
      writeOut: world.out,
      writeErr: world.out,
      outputError: () => undefined,
      getOutHelpWidth: () => world.columns ?? 80,
      getErrHelpWidth: () => world.columns ?? 80,
    });

  for (const add of verbsFor(argv)) add(berth, world, end);
  return berth;
}
