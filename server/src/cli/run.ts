import { Command, CommanderError } from 'commander';
import { EXIT, type ExitCode } from './exit';
import { CONTRACT } from './render/json';
import { type Ending, VERBS } from './verbs';
import type { CliWorld } from './world';

/**
 * Runs one command line (without node and script) in a world and resolves to its exit code. Bad arguments are exit code
 * 2, one sentence on standard error and, with `--format json`, a JSON document with `error` on standard output.
 */
export async function runCli(argv: readonly string[], world: CliWorld): Promise<Ending> {
  const endings: Ending[] = [];
  try {
    await program(world, it => endings.push(it)).parseAsync([...argv], { from: 'user' });
    return endings.length === 0 ? EXIT.clean : endings[0];
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.clean;
    return failed(error, argv, world);
  }
}

function failed(error: unknown, argv: readonly string[], world: CliWorld): ExitCode {
  const message = error instanceof CommanderError ? sentence(error.message) : `Berth has a bug: ${String(error)}`;
  world.err(`berth: ${message}\n`);
  const stack = error instanceof Error && !(error instanceof CommanderError) ? error.stack : undefined;
  if (stack !== undefined) world.err(`${stack}\n`);
  if (wantsJson(argv)) world.out(`${JSON.stringify({ contract: CONTRACT, problems: [], error: message })}\n`);
  return EXIT.failed;
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

function program(world: CliWorld, end: (ending: Ending) => void): Command {
  const berth = new Command('berth')
    .description('What the API server and kube-scheduler will say to your Kubernetes YAML.')
    .version(world.version, '--version')
    .exitOverride()
    // Errors are printed once, by `failed`.
    .configureOutput({ writeOut: world.out, writeErr: world.out, outputError: () => undefined });

  for (const add of VERBS) add(berth, world, end);
  return berth;
}
