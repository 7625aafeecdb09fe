import { elided } from '../../base/shortened';
import type { ModelStep } from '../../explore/core/model';
import { type GraphPicture, type GraphShape, MOST_CURVES } from '../../explore/graphviz/picture';
import type { BuiltSystem } from '../../explore/system/build';
import { drawSystem, type SystemDrawing } from '../../explore/system/drawing';
import type { ExploredSystem } from '../../explore/system/exploreSystem';
import { nameFieldOf } from '../../explore/system/names';
import { type SystemPropertyReport, type SystemState, stepsOf } from '../../explore/system/report';
import { dotOf, linesOf, mermaidOf } from '../../explore/system/stateGraphText';
import { printable } from '../../text/printable';
import type { Span } from '../../text/span';

/** What an exploration found, with the steps that lead there. */
export interface GraphFinding {
  /** Names it among the findings of its system. */
  readonly key: string;
  readonly kind: 'deadlock' | 'failure' | SystemPropertyReport['kind'];
  /** Of a property; of a failure the reason. */
  readonly name?: string;
  /** How many steps lead there, without those of a cycle. */
  readonly steps: number;
}

/** The initial state, or a state that a step of the way leads to. */
export interface GraphWayState {
  readonly state: SystemState;
  /** Its index among the drawn states; absent: it is not drawn. */
  readonly at?: number;
  /** Absent: it is the initial state. */
  readonly step?: { readonly process: string; readonly step: string; readonly span: Span };
  /** An expression of the step has no value: the state is still the one before it. */
  readonly fails?: true;
}

export interface GraphState {
  readonly state: SystemState;
  readonly kind: SystemDrawing['states'][number]['kind'];
  /** What its box says; empty: its number alone. */
  readonly lines: readonly string[];
}

/** All steps from one state to another. */
export interface GraphTransition {
  readonly from: number;
  readonly to: number;
  readonly labels: readonly string[];
}

/** The state graph of a system, or a part of it, as plain data. */
export interface StateGraphModel {
  readonly uri: string;
  readonly system: string;
  /** What the exploration visited; absent: it met an expression without a value. */
  readonly visited?: { readonly states: number; readonly transitions: number; readonly isComplete: boolean };
  readonly findings: readonly GraphFinding[];
  /** The key of the finding that the way leads to; absent: the way is the initial state alone. */
  readonly finding?: string;
  readonly way: readonly GraphWayState[];
  /** Where a cycle was found: the index in `way` of its first state, to which the last step leads back. */
  readonly cycleFrom?: number;
  readonly states: readonly GraphState[];
  readonly transitions: readonly GraphTransition[];
  /** Whether there are more states than are drawn. */
  readonly isPart: boolean;
  /** How many steps a drawn state is away from the way at most; absent: any number. */
  readonly within?: number;
  /** Absent: the picture takes too long. */
  readonly picture?: GraphPicture;
}

/** Which part of a state graph is wanted. */
export interface GraphQuestion {
  /** The key of a finding; absent: the first one; '': none. */
  readonly finding?: string;
  /** How many steps a state may be away from the way; absent: any number. */
  readonly within?: number;
  /** The number of states. */
  readonly most: number;
}

type Explored = Extract<ExploredSystem, { readonly kind: 'explored' | 'failed' }>;

interface Way extends GraphFinding {
  readonly way: readonly ModelStep[];
  readonly cycle: readonly ModelStep[];
}

/** The findings of an exploration to which a way leads, in the order of its report. */
export function graphFindings(explored: Explored): readonly GraphFinding[] {
  return waysOf(explored).map(({ way: _, cycle: __, ...it }) => it);
}

export const propertyKey = (index: number): string => `property ${index}`;

function waysOf(explored: Explored): readonly Way[] {
  if (explored.kind === 'failed') {
    const { message, steps } = explored.failure;
    return [{ key: 'failure', kind: 'failure', name: message, steps: steps.length, way: steps, cycle: [] }];
  }
  const { found, report } = explored;
  const { shortest } = found.deadlocks;
  const violated = found.properties.flatMap((it, i): readonly Way[] => {
    if (it.verdict !== 'violated') return [];
    const { name, kind } = report.properties[i]!;
    const { steps: way } = it.trace;
    return [{ key: propertyKey(i), kind, name, steps: way.length, way, cycle: it.cycle ?? [] }];
  });
  if (shortest === undefined) return violated;
  const { steps: way } = shortest;
  return [{ key: 'deadlock', kind: 'deadlock', steps: way.length, way, cycle: [] }, ...violated];
}

/** The part of a state graph that is wanted, without its picture. */
export function stateGraphOf(uri: string, explored: Explored, question: GraphQuestion): StateGraphModel {
  const { system } = explored;
  const chosen = chosenWay(explored, question);
  const steps = [...(chosen?.way ?? []), ...(chosen?.cycle ?? [])];
  const drawing = drawn(system, steps, question);
  const hasText = drawing.states.length <= MOST_WITH_TEXT;
  return {
    uri,
    system: printable(system.document.name),
    ...(explored.kind === 'explored' && { visited: visitedBy(explored) }),
    findings: graphFindings(explored),
    ...(chosen && { finding: chosen.key }),
    way: wayAlong(system, drawing, steps),
    ...(chosen && chosen.cycle.length > 0 && { cycleFrom: chosen.way.length }),
    states: drawing.states.map(({ state, kind }) => ({ state, kind, lines: hasText ? shortLines(state) : [] })),
    transitions: merged(drawing),
    isPart: drawing.isPart,
    ...(question.within !== undefined && { within: question.within }),
  };
}

/** The same part in the language of Graphviz or Mermaid. */
export function stateGraphText(explored: Explored, question: GraphQuestion, format: 'dot' | 'mermaid'): string {
  const { system } = explored;
  const chosen = chosenWay(explored, question);
  const drawing = drawn(system, [...(chosen?.way ?? []), ...(chosen?.cycle ?? [])], question);
  return format === 'dot' ? dotOf(system.document.name, drawing) : mermaidOf(drawing);
}

function wayAlong(
  system: BuiltSystem,
  { along }: SystemDrawing,
  steps: readonly ModelStep[],
): readonly GraphWayState[] {
  const way = along.map(({ at, state }, i) => ({
    state,
    ...(at !== undefined && { at }),
    ...(i > 0 && { step: placedStep(system, steps[i - 1]!) }),
  }));
  const failing = steps[along.length - 1];
  const last = along.at(-1);
  if (failing === undefined || last === undefined) return way;
  return [...way, { state: last.state, step: placedStep(system, failing), fails: true }];
}

function chosenWay(explored: Explored, { finding }: GraphQuestion): Way | undefined {
  const ways = waysOf(explored);
  return finding === '' ? undefined : (ways.find(it => it.key === finding) ?? ways[0]);
}

const drawn = (system: BuiltSystem, way: readonly ModelStep[], { most, within }: GraphQuestion): SystemDrawing =>
  drawSystem(system, { most, way, ...(within !== undefined && { within }) });

function visitedBy({
  report,
}: Extract<Explored, { readonly kind: 'explored' }>): NonNullable<StateGraphModel['visited']> {
  const { states, transitions, complete } = report;
  return { states, transitions, isComplete: complete };
}

function placedStep(system: BuiltSystem, step: ModelStep): NonNullable<GraphWayState['step']> {
  const [told] = stepsOf(system, [step]);
  const { node, source } = nameFieldOf(system.steps[step.source]!.step.field);
  return { ...told!, span: { start: node.start + source.offset, end: node.end + source.offset } };
}

function merged({ transitions }: SystemDrawing): readonly GraphTransition[] {
  const byEnds = new Map<string, { from: number; to: number; labels: string[] }>();
  for (const { from, to, label } of transitions) {
    const key = `${from} ${to}`;
    const known = byEnds.get(key) ?? { from, to, labels: [] };
    byEnds.set(key, known);
    if (!known.labels.includes(label)) known.labels.push(label);
  }
  return [...byEnds.values()];
}

/** With more states boxes hold numbers alone. */
const MOST_WITH_TEXT = 60;
const MOST_LINES = 10;
const MOST_CHARACTERS = 40;

function shortLines(state: SystemState): readonly string[] {
  const lines = linesOf(state).map(it => short(printable(it)));
  return lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES - 1), '…'] : lines;
}

const short = (text: string): string => elided(text, MOST_CHARACTERS);

/** Of a monospaced text of 12 points. */
const CHARACTER_WIDTH = 7.25;
const LINE_HEIGHT = 16;
const PADDING = { x: 22, y: 14 };
const LABEL_PADDING = 6;
/** Beside the number of a state. */
const ROOM_FOR_MARK = '  ';

/** The sizes of what is drawn, for Graphviz. */
export function shapeOf({ states, transitions }: StateGraphModel): GraphShape {
  const hasLabels = transitions.length <= MOST_CURVES;
  return {
    nodes: states.map(({ lines }, i) => {
      const { width, height } = sizeOf([`${ROOM_FOR_MARK}${i + 1}${ROOM_FOR_MARK}`, ...lines]);
      return { width: width + PADDING.x, height: height + PADDING.y };
    }),
    edges: transitions.map(({ from, to, labels }) => {
      const { width, height } = sizeOf(labels.map(short));
      return { from, to, ...(hasLabels && { label: { width: width + LABEL_PADDING, height } }) };
    }),
  };
}

const sizeOf = (lines: readonly string[]): { readonly width: number; readonly height: number } => ({
  width: Math.max(...lines.map(widthOf)) * CHARACTER_WIDTH,
  height: lines.length * LINE_HEIGHT,
});

/** Characters of East Asia are twice as wide. */
const widthOf = (text: string): number =>
  [...text].reduce((sum, it) => sum + ((it.codePointAt(0) ?? 0) > 0x2e7f ? 2 : 1), 0);
