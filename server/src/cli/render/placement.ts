import { QUEUES, queueInWords, type ScenarioPlacement } from '../../analysis/scenario';
import { largest } from '../../base/manyItems';
import { shortened, shortenedName } from '../../base/shortened';
import type { Attempt, GroupAttempt, NodeVerdict, QueuedPod } from '../../scheduler/result';
import { foldedNames } from '../../text/foldedNames';
import { printable } from '../../text/printable';
import { copied, withoutVerdicts } from '../answerSize';
import { noteLine } from './notes';
import { counted, type Paint } from './style';
import { columnsOf, wrapped } from './width';

/**
 * One scenario's placements as a table: Pod, node, why; `verbose` adds what every node said, `below` what stands under a
 * Pod's last line. Verdicts of nodes are computed when they are read: not once `isSpent`.
 */
export function renderPlacement(
  scenario: string,
  placement: ScenarioPlacement,
  detail: 'brief' | 'verbose',
  { paint, columns }: TableStyle,
  below: (pod: string) => readonly string[] = () => [],
  isSpent: () => boolean = () => false,
): string {
  const { attempts, evicted, groups = [], queue = [] } = placement;
  const names = detail === 'brief' && columns !== undefined ? shortNames(placement) : undefined;
  const rows = attempts.map(it => rowOf(it, { detail, isSpent, nodeName: names ?? (name => name) }));
  const cut = rows.filter(it => it.isCut).length;
  const notes = [...notesOf(placement, detail), ...(cut === 0 ? [] : [{ message: cutText(cut) }])];
  const widths = [0, 1].map(column => Math.max(4, largest(rows.map(({ cells }) => cells[column]!.length))));
  const line = (cells: Cells): string => tableLine(cells, widths, columns);
  const last = new Map(attempts.map((it, i) => [it.pod, i]));
  const body = rows.flatMap(({ attempt, cells, verdicts }, i) => [
    toned(line([printable(cells[0]), printable(cells[1]), printable(cells[2])]), attempt, paint),
    ...verdicts.map(it => `      ${printable(it)}\n`),
    ...(last.get(attempt.pod) === i ? below(attempt.pod) : []),
  ]);
  return [
    `${paint('bold', printable(scenario))}: ${headline(placement)}\n`,
    names === undefined ? '' : '  Names of nodes are shortened; --verbose and --format json have them whole.\n',
    rows.length === 0 ? '  There is no Pod to place.\n' : paint('dim', line(['POD', 'NODE', 'WHY'])),
    ...body,
    ...groups.map(it => `  ${printable(groupLine(it))}\n`),
    evicted.length === 0 ? '' : `  Evicted: ${printable(evicted.join(', '))}\n`,
    queue.length === 0 ? '' : `  ${queueCounts(queue)}\n`,
    ...queueLines(queue).map(it => `  ${printable(it)}\n`),
    ...notes.map(it => `  ${noteLine(it, paint)}`),
    '\n',
  ].join('');
}

/** Of what the API server refuses one sentence is told; `berth check` has the reasons, and so has `verbose`. */
function notesOf(
  { notes, refused }: Pick<ScenarioPlacement, 'notes' | 'refused'>,
  detail: 'brief' | 'verbose',
): ScenarioPlacement['notes'] {
  if (refused === undefined || refused.pods === 0) return notes;
  const are = `${counted(refused.pods, 'Pod')} ${refused.pods === 1 ? 'is' : 'are'}`;
  const told = `${are} refused by the API server and counted here all the same: see \`berth check\`.`;
  const others = detail === 'verbose' ? notes : notes.filter(it => !refused.notes.has(it.message));
  return [{ message: told }, ...others];
}

interface Row {
  readonly attempt: Attempt;
  readonly cells: Cells;
  /** What every node said. */
  readonly verdicts: readonly string[];
  /** Whether there was no time for verdicts that would be told. */
  readonly isCut: boolean;
}

/** Names of nodes that are longer leave a terminal no room for reasons. */
const LONG_NAME = 24;

/** Short names for the nodes of a table; undefined: they are short enough. */
function shortNames({ attempts, placements }: ScenarioPlacement): ((name: string) => string) | undefined {
  const named = attempts.flatMap(({ node, tiedNodes = [] }) => (node === undefined ? tiedNodes : [node, ...tiedNodes]));
  const names = [...new Set([...named, ...Object.values(placements)])];
  return names.length > 1 && names.some(it => it.length > LONG_NAME) ? foldedNames(names) : undefined;
}

interface RowStyle {
  readonly detail: 'brief' | 'verbose';
  readonly isSpent: () => boolean;
  readonly nodeName: (name: string) => string;
}

function rowOf(attempt: Attempt, { detail, isSpent, nodeName }: RowStyle): Row {
  const isAsked = 'nodes' in attempt && (detail === 'verbose' || attempt.status === 'scheduled');
  const isCut = isAsked && isSpent();
  const told = isCut ? withoutVerdicts(attempt) : copied(attempt);
  const verdicts = detail === 'verbose' ? (told.nodes ?? []).map(node => shortened(verdictText(node))) : [];
  return { attempt, cells: cellsOf(told, nodeName), verdicts, isCut };
}

const cutText = (count: number): string =>
  `What the nodes said is left out for ${counted(count, 'attempt')}: the time limit was over (--time-limit).`;

/** How a table is drawn: its colours, and the columns of the terminal if there is one. */
interface TableStyle {
  readonly paint: Paint;
  readonly columns?: number | undefined;
}

type Cells = readonly [pod: string, node: string, why: string];

/** Fewer columns than this for the last cell are too few to read: it stands below the others then. */
const LEAST_FOR_WHY = 30;

/** The last cell is folded to what is left of the terminal's width. */
function tableLine([pod, node, why]: Cells, [first = 0, second = 0]: readonly number[], columns?: number): string {
  const before = `  ${pod.padEnd(first)}  ${node.padEnd(second)}`;
  const whole = `${before}  ${why}`.trimEnd();
  if (columns === undefined || columnsOf(whole) <= columns) return `${whole}\n`;
  const room = columns - before.length - 2;
  if (room >= LEAST_FOR_WHY) return `${before}  ${wrapped(why, room).join(`\n${' '.repeat(before.length + 2)}`)}\n`;
  const lines = wrapped(why, Math.max(columns - BELOW.length, LEAST_FOR_WHY));
  return [before.trimEnd(), ...lines.map(it => BELOW + it), ''].join('\n');
}

const BELOW = '      ';

function groupLine({ group, status, victims = [], message }: GroupAttempt): string {
  const evicts = victims.length === 0 ? '' : `, evicts ${victims.join(', ')}`;
  return `Group ${group}: ${status}${evicts}${message === undefined ? '' : `: ${message}`}`;
}

/** How many Pods each queue of the scheduler holds in the end. */
function queueCounts(queue: readonly QueuedPod[]): string {
  const counts = QUEUES.map(name => `${queue.filter(it => it.queue === name).length} ${name}`);
  return `Queues: ${counts.join(', ')}`;
}

/** How many names of Nodes that tie a line holds; all of them are in the JSON. */
const MAX_TIED = 3;

/** How many names of Pods that wait for the same a line holds. */
const MAX_NAMES = 5;

/** A line for each thing that Pods wait for. */
function queueLines(queue: readonly QueuedPod[]): readonly string[] {
  const groups = new Map<string, string[]>();
  for (const it of queue) {
    const words = queueInWords(it);
    const names = groups.get(words);
    if (names) names.push(it.pod);
    else groups.set(words, [it.pod]);
  }
  return [...groups].map(([words, pods]) => {
    const rest = pods.length - MAX_NAMES;
    const names = pods.slice(0, MAX_NAMES).join(', ');
    const more = rest > 0 ? ` and ${counted(rest, 'more Pod')}` : '';
    return `${names}${more} ${pods.length === 1 ? 'stays' : 'stay'} ${words}`;
  });
}

function headline({ cluster, nodeCount, attempts, placements }: ScenarioPlacement): string {
  const pods = new Set(attempts.map(it => it.pod)).size;
  const nodes = {
    scenario: counted(nodeCount, 'node'),
    given: `${counted(nodeCount, 'node')} of the given cluster`,
    default: `no Node is given, so that an example cluster of ${counted(nodeCount, 'node')} stands in`,
  }[cluster];
  return `${Object.keys(placements).length} of ${counted(pods, 'Pod')} placed; ${nodes}`;
}

function cellsOf(attempt: Attempt, nodeName: RowStyle['nodeName']): Cells {
  const again = attempt.attempt > 1 ? ' (again)' : '';
  const node = attempt.node === undefined ? '-' : nodeName(attempt.node);
  return [`${shortenedName(attempt.pod)}${again}`, shortenedName(node), shortened(whyOf(attempt, nodeName))];
}

function whyOf(attempt: Attempt, nodeName: RowStyle['nodeName']): string {
  const { status, preemption, preFilterRejection, message } = attempt;
  if (status === 'scheduled') return whyHere(attempt, nodeName);
  if (status === 'superseded') return 'superseded: an earlier look in the cycle of its group; a later one counts';
  const said = message ?? preFilterRejection?.reasons.join(', ') ?? status;
  const victims = preemption?.victims ?? [];
  if (preemption?.nominatedNode === undefined) return `${status}: ${said}`;
  return `${status}, preempts ${victims.join(', ')} on ${preemption.nominatedNode}: ${said}`;
}

function whyHere({ node, nodes = [], tiedNodes = [] }: Attempt, nodeName: RowStyle['nodeName']): string {
  const feasible = nodes.filter(it => it.verdict === 'feasible');
  if (feasible.length === 1) return 'the only node that fits';
  const total = feasible.find(it => it.node === node)?.total;
  const others = tiedNodes.filter(it => it !== node).map(nodeName);
  return [
    ...(total === undefined ? [] : [`highest score, ${total}, of ${counted(feasible.length, 'fitting node')}`]),
    ...(others.length === 0 ? [] : [`tied with ${fewNames(others)}`]),
  ].join('; ');
}

/** "a, b, c and 5 others". */
function fewNames(names: readonly string[]): string {
  const rest = names.length - MAX_TIED;
  return rest <= 1 ? names.join(', ') : `${names.slice(0, MAX_TIED).join(', ')} and ${rest} others`;
}

function verdictText(verdict: NodeVerdict): string {
  if (verdict.verdict === 'excluded') return `${verdict.node}: left out before filtering`;
  if (verdict.verdict === 'rejected') return `${verdict.node}: ${verdict.plugin}: ${verdict.reasons.join(', ')}`;
  const parts = Object.entries(verdict.scores ?? {}).map(([plugin, { weighted }]) => `${plugin} ${weighted}`);
  return `${verdict.node}: fits${verdict.total === undefined ? '' : `, ${verdict.total} = ${parts.join(' + ')}`}`;
}

function toned(line: string, { status }: Attempt, paint: Paint): string {
  if (status === 'scheduled') return line;
  return paint(status === 'superseded' ? 'dim' : 'red', line.replace(/\n$/, '')).concat('\n');
}
