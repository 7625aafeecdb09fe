import { posix } from 'node:path';
import { baselineAt } from '../../analysis/problems';
import { defaultSettings } from '../../analysis/settings';
import { printable } from '../../text/printable';
import { unlessBadInput } from '../badInput';
import { EXIT, type ExitCode } from '../exit';
import { OUTSIDE } from '../input/borders';
import { aboveOf } from '../input/options';
import type { SettingFlags } from '../input/settingFlags';
import { openWorkspace } from '../input/workspace';
import { counted } from '../render/style';
import { type CliWorld, UsageError } from '../world';

/** The options of `berth baseline` as commander hands them over. */
export interface BaselineFlags extends SettingFlags {
  readonly config?: string;
  readonly environment?: string;
  readonly render?: boolean;
  readonly output: string;
}

/**
 * Writes down every problem that the paths have now, so that \`berth check --baseline\` reports new ones only. Never
 * throws for bad input: that is exit code 2 and a sentence.
 */
export async function baseline(paths: readonly string[], flags: BaselineFlags, world: CliWorld): Promise<ExitCode> {
  return unlessBadInput(world, () => writeBaseline(paths, flags, world));
}

async function writeBaseline(paths: readonly string[], flags: BaselineFlags, world: CliWorld): Promise<ExitCode> {
  // What an older baseline knows belongs into the new one, too.
  const above = aboveOf({ ...flags, baseline: flags.output });
  const settings = { ...defaultSettings, suppressed: 'report' as const };
  const { asked, analysis, failure } = await openWorkspace(paths, { ...flags, settings, above }, world);
  if (failure !== undefined) throw new UsageError(failure);
  for (const it of asked) if ('failure' in it) throw new UsageError(`${it.path}: ${it.failure}`);
  const problems = new Map(asked.map(it => [it.path, analysis.diagnostics(it.path)]));
  const text = baselineAt(flags.output, problems);
  const at = await world.entry(flags.output, await world.borders.of(posix.dirname(flags.output)));
  if (at.kind === 'outside') throw new UsageError(`${flags.output} is not written: ${OUTSIDE}.`);
  const written = await world.write(flags.output, text);
  if ('failure' in written) throw new UsageError(`${flags.output} cannot be written: ${written.failure}.`);
  const known = text.split('\n').filter(it => it.includes('"code":')).length;
  world.out(`${printable(flags.output)} knows ${counted(known, 'problem')} of ${counted(asked.length, 'file')} now.\n`);
  return EXIT.clean;
}
