import { type OpenScenario, openScenario, type SettleResult } from '../../analysis/scenario';
import { printableJson } from '../../text/printable';
import { withShortTexts } from '../answerSize';
import { unlessBadInput } from '../badInput';
import { complain } from '../complain';
import { EXIT, type ExitCode } from '../exit';
import { skippedIn } from '../input/borders';
import { collectManifests } from '../input/collect';
import { oneOf, PLACE_FORMATS, WHAT_IF_LIMITS } from '../input/options';
import { policyAsker } from '../input/policyAsker';
import { startTimeLimit, type TimeLimit } from '../input/timeLimit';
import { endingInWords, renderDescheduling } from '../render/descheduling';
import { CONTRACT } from '../render/json';
import { firstNotes } from '../render/notes';
import { colourful, counted, plain } from '../render/style';
import { renderVpas } from '../render/vpa';
import { fitted } from '../render/width';
import { type CliWorld, UsageError } from '../world';
import { mustRead, type PlaceFlags, placeOptions, scenarioOf, sentence, wrongWith } from './place';

/** The options of `berth what-if` as commander hands them over. */
export interface WhatIfFlags extends Omit<PlaceFlags, 'verbose' | 'askExtenders' | 'suggest' | 'explain'> {
  readonly descheduler?: string;
  readonly vpa?: string | true;
  readonly rounds: string;
  readonly at?: string;
}

/** The answer in both formats. */
interface Report {
  readonly text: string;
  readonly json: object;
  readonly isHarm: boolean;
  readonly errors: readonly string[];
}

/** Says what the descheduler or the VPA would do. Never throws for bad input: that is exit code 2 and a sentence. */
export async function whatIf(paths: readonly string[], flags: WhatIfFlags, world: CliWorld): Promise<ExitCode> {
  return unlessBadInput(world, () => tell(paths, flags, world), flags.format === 'json' ? {} : undefined);
}

async function tell(paths: readonly string[], flags: WhatIfFlags, world: CliWorld): Promise<ExitCode> {
  const format = oneOf('--format', flags.format, PLACE_FORMATS);
  const limit = oneOf('--fail-on', flags.failOn, WHAT_IF_LIMITS);
  const report = await reportOf(paths, flags, world);
  const error = report.errors.length > 0 ? sentence(report.errors) : undefined;
  if (error !== undefined) complain(world, error);
  const line = { contract: CONTRACT, ...report.json, ...skippedIn(world), ...(error !== undefined && { error }) };
  world.out(format === 'json' ? `${printableJson(line)}\n` : fitted(report.text, world.columns));
  if (error !== undefined) return EXIT.failed;
  return report.isHarm && limit !== 'never' ? EXIT.found : EXIT.clean;
}

async function reportOf(paths: readonly string[], flags: WhatIfFlags, world: CliWorld): Promise<Report> {
  const { descheduler, vpa } = flags;
  if ((descheduler === undefined) === (vpa === undefined)) {
    throw new UsageError('berth what-if needs one of --descheduler FILE and --vpa [NAME].');
  }
  const asked = await scenarioOf(paths, flags, world);
  const time = startTimeLimit(flags.timeLimit, world);
  const options = { ...(await placeOptions(asked.found, flags, world)), isCancelled: time.isOver };
  const files = await collectManifests(asked.paths, world, asked.isWanted);
  const texts = files.flatMap(it => ('text' in it ? [{ uri: it.path, text: it.text }] : []));
  const problems = files.flatMap(wrongWith);
  if (texts.length === 0) throw new UsageError(problems[0] ?? `${asked.scenario} holds no YAML or JSON file.`);
  const scenario = await time.within('the scenario was read', async () => {
    const opened = openScenario(texts, { ...options, policies: policyAsker(world) });
    await opened.admit();
    return opened;
  });
  if (scenario === undefined) throw new UsageError(time.sentence() ?? '');
  const given: Given = { name: asked.scenario, scenario, now: timeOf(flags.at), problems, time };
  // Told in any case: "evicts nobody" is otherwise taken to be about all Pods that are written.
  const notes = await time.within('it was told what does not count', () => withShortTexts(scenario.notes()));
  const report =
    descheduler === undefined
      ? await reportOfVpas(vpa === true ? undefined : vpa, given, world)
      : await reportOfDescheduler(descheduler, given, flags, world);
  const paint = world.colours ? colourful : plain;
  return {
    ...report,
    text: [report.text, ...firstNotes(notes ?? [], paint)].join(''),
    json: { ...report.json, ...(notes && { notes }) },
    errors: [...report.errors, time.sentence() ?? []].flat(),
  };
}

interface Given {
  readonly name: string;
  readonly scenario: OpenScenario;
  readonly now: number;
  readonly problems: readonly string[];
  readonly time: TimeLimit;
}

async function reportOfDescheduler(
  path: string,
  { name, scenario, now, problems, time }: Given,
  flags: WhatIfFlags,
  world: CliWorld,
): Promise<Report> {
  const [policy] = await mustRead(path, world);
  if (policy === undefined) throw new UsageError(`${path} holds no YAML or JSON file.`);
  const maxRounds = Number(flags.rounds);
  if (!Number.isInteger(maxRounds) || maxRounds < 1) {
    throw new UsageError(`--rounds "${flags.rounds}" must be a whole number from 1 on.`);
  }
  const found = await scenario.descheduling({ policy, maxRounds, now });
  if ('errors' in found) throw new UsageError(sentence(found.errors));
  const { unread } = found;
  const settling = withShortTexts(found.settling);
  const { ending } = settling;
  if (ending.kind === 'unknown' && ending.stopped) time.leave('it was known whether the descheduler comes to rest');
  return {
    text: renderDescheduling(name, settling, world.colours ? colourful : plain),
    json: { scenario: name, descheduler: { ...settling, summary: endingInWords(settling.ending) } },
    isHarm: isHarmful(settling),
    errors: [...problems, ...unread],
  };
}

async function reportOfVpas(vpa: string | undefined, given: Given, world: CliWorld): Promise<Report> {
  const { name, scenario, now, problems, time } = given;
  const found = await scenario.autoscaling({ now, ...(vpa !== undefined && { name: vpa }) });
  const { left, unread } = found;
  const outcomes = withShortTexts(found.outcomes);
  const stopped = outcomes.filter(it => it.modes.some(mode => mode.stopped)).length;
  if (left + stopped > 0) time.leave(`${counted(left + stopped, 'VerticalPodAutoscaler')} had all rounds`);
  if (outcomes.length + left === 0) {
    const named = vpa === undefined ? '.' : ` ${vpa} (the name follows --vpa, the paths come before it).`;
    throw new UsageError(`${name} holds no VerticalPodAutoscaler${named}`);
  }
  const landings = outcomes.flatMap(it =>
    it.modes.filter(mode => mode.isOwn).flatMap(mode => mode.rounds.at(-2)?.landings ?? []),
  );
  return {
    text: renderVpas(name, outcomes, world.colours ? colourful : plain),
    json: { scenario: name, vpas: outcomes },
    isHarm: landings.some(it => it.node === undefined),
    errors: [...problems, ...unread],
  };
}

/** It never ends, or in the end some Pod that ran does not. */
function isHarmful({ rounds, ending }: SettleResult): boolean {
  const waits = rounds.at(-1)?.landings.some(it => it.node === undefined) ?? false;
  return ending.kind !== 'settles' || waits || rounds.some(it => it.lost.length > 0);
}

function timeOf(text: string | undefined): number {
  if (text === undefined) return Date.now();
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new UsageError(`--at "${text}" is not a time such as 2026-03-01T12:00:00Z.`);
  return time;
}
