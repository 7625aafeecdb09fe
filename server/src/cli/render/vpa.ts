import type { ModeOutcome, PodUpdate, UpdateRound, VpaOutcome } from '../../analysis/scenario';
import { jsonText } from '../../base/printed';
import { printable, printableStrings } from '../../text/printable';
import { counted, type Paint } from './style';

/** What VerticalPodAutoscalers do under each update mode, for people. */
export function renderVpas(scenario: string, outcomes: readonly VpaOutcome[], paint: Paint): string {
  const lines = [paint('bold', printable(scenario)), ...printableStrings(outcomes).flatMap(it => vpaLines(it, paint))];
  return `${lines.join('\n')}\n`;
}

function vpaLines(
  { vpa, pods, containers, modes, hasRecommendation, notes }: VpaOutcome,
  paint: Paint,
): readonly string[] {
  const hasEffect = hasRecommendation && pods.length > 0;
  return [
    `VerticalPodAutoscaler ${vpa}, ${counted(pods.length, 'running Pod')}`,
    ...(hasEffect ? containers : []).map(it => `  ${it.name}: ${jsonText(it.now)} would be ${jsonText(it.wanted)}`),
    ...notes.map(it => `  ${paint('yellow', 'note')} ${it}`),
    ...(hasEffect ? modes.flatMap(it => modeLines(it, paint)) : []),
  ];
}

const AT_REST: Readonly<Record<string, string>> = {
  Off: 'changes no Pod, neither running nor new',
  Initial: 'changes no running Pod; Pods that are made from now on get what is recommended',
};

function modeLines({ mode, isOwn, rounds }: ModeOutcome, paint: Paint): readonly string[] {
  const title = isOwn ? `${paint('bold', mode)} (as it is)` : paint('bold', mode);
  if (rounds.length === 0) return [`  ${title}: ${AT_REST[mode] ?? 'changes nothing'}`];
  const isDone = ({ action }: PodUpdate): boolean => action === 'resized' || action === 'evicted';
  const changed = new Set(rounds.flatMap(it => it.updates.filter(isDone).map(update => update.pod)));
  const end = rounds.at(-1)?.updates.filter(it => !isDone(it) && (it.action === 'waits' || !changed.has(it.pod))) ?? [];
  const made = new Set(rounds.flatMap(it => it.landings.map(landing => landing.pod)));
  return [
    `  ${title}:`,
    ...rounds.flatMap(({ updates, landings }, i) => [
      ...updates.filter(isDone).map(it => `    round ${i + 1}: ${updateLine(it, paint)}`),
      // What waits is tried again in each round, and told once.
      ...landings.filter(it => it.node !== undefined || updates.some(isDone)).map(it => landingLine(it, paint)),
    ]),
    ...end.filter(it => !made.has(it.pod)).map(it => `    ${updateLine(it, paint)}`),
  ];
}

function landingLine({ pod, node, message = '' }: UpdateRound['landings'][number], paint: Paint): string {
  return node === undefined
    ? `      then ${pod} ${paint('red', 'waits')}: ${message}`
    : `      then ${pod} is made, on ${paint('green', node)}`;
}

const WORDS: Readonly<Record<PodUpdate['action'], string>> = {
  resized: 'is resized in place on',
  evicted: 'is evicted from',
  waits: 'stays as it is on',
  kept: 'is left alone on',
};

function updateLine({ pod, node, action, because }: PodUpdate, paint: Paint): string {
  return `${pod} ${WORDS[action]} ${node}${paint('dim', `: ${because}`)}`;
}
