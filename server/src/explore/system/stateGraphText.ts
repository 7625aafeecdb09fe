import { printable } from '../../text/printable';
import { MOST_CURVES, QUICK } from '../graphviz/picture';
import type { SystemDrawing } from './drawing';
import type { SystemState } from './report';

type Kind = SystemDrawing['states'][number]['kind'];

const COLOURS: Readonly<Record<Kind, string>> = {
  deadlock: '#f8c8c8',
  violation: '#f8c8c8',
  end: '#c8e8c8',
  other: '#ffffff',
};

/** What a shape says beside the colour: deadlocks and violations have eight corners, ends a double line. */
const SHAPES: Readonly<Record<Kind, string>> = {
  deadlock: ', shape=octagon',
  violation: ', shape=octagon',
  end: ', peripheries=2',
  other: '',
};

/** The state graph in Graphviz's language; an arrow from a dot leads to the initial state. */
export function dotOf(name: string, drawing: SystemDrawing): string {
  const { states, transitions, isPart } = drawing;
  const isOnWay = wayOf(drawing);
  const isLarge = transitions.length > MOST_CURVES;
  // A label within the layout is a node of its own.
  const labelled = isLarge ? 'xlabel' : 'label';
  const nodes = states.map(
    ({ state, kind }, i) =>
      `  s${i} [label=${quotedDot(linesOf(state).join('\n'))}, fillcolor="${COLOURS[kind]}"${SHAPES[kind]}];`,
  );
  const edges = transitions.map(
    ({ from, to, label }) =>
      `  s${from} -> s${to} [${labelled}=${quotedDot(label)}${isOnWay(from, to) ? ', penwidth=2.5' : ''}];`,
  );
  const part = isPart ? [`  label=${quotedDot(`the first ${states.length} states`)};`] : [];
  const head = [
    `digraph ${quotedDot(name)} {`,
    ...(isLarge ? [`  graph [${QUICK}];`] : []),
    '  node [shape=box, style="rounded,filled"];',
    '  start [shape=point, xlabel="start"];',
    ...part,
  ];
  return `${[...head, ...nodes, '  start -> s0 [penwidth=1.5];', ...edges, '}'].join('\n')}\n`;
}

/** Whether a step of the way leads from one state to another. */
function wayOf({ along }: SystemDrawing): (from: number, to: number) => boolean {
  const steps = new Set(along.slice(1).map(({ at }, i) => `${along[i]!.at} ${at}`));
  return (from, to) => steps.has(`${from} ${to}`);
}

/** The same as a Mermaid flow chart; the initial state is round, deadlocks and violations have six corners. */
export function mermaidOf({ states, transitions, isPart }: SystemDrawing): string {
  const nodes = states.map(({ state, kind }, i) => {
    const label = `"${linesOf(state).map(plainMermaid).join('<br>')}"`;
    return `  s${i}${kind === 'deadlock' || kind === 'violation' ? `{{${label}}}` : i === 0 ? `([${label}])` : `[${label}]`}:::${kind}`;
  });
  const edges = transitions.map(({ from, to, label }) => `  s${from} -->|"${plainMermaid(label)}"| s${to}`);
  const classes = Object.entries(COLOURS).map(([kind, fill]) => `  classDef ${kind} fill:${fill},color:#000000`);
  const part = isPart ? [`  %% the first ${states.length} states`] : [];
  return `${['flowchart TD', ...part, ...nodes, ...edges, ...classes].join('\n')}\n`;
}

/** A line for each process and for each variable. */
export function linesOf({ variables, processes }: SystemState): readonly string[] {
  return [
    ...Object.entries(processes).map(([name, it]) => `${name}: ${[it.location, ...valuesOf(it.variables)].join(', ')}`),
    ...valuesOf(variables),
  ];
}

const valuesOf = (variables: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.entries(variables).map(([name, it]) => `${name} = ${JSON.stringify(it)}`);

/** A text in double quotes; line breaks that were put in become the language's own. */
const quotedDot = (text: string): string =>
  `"${text
    .split('\n')
    .map(it => printable(it).replaceAll('\\', '\\\\').replaceAll('"', '\\"'))
    .join('\\n')}"`;

/** Mermaid reads entities in labels, so that no text ends one. */
const plainMermaid = (text: string): string =>
  printable(text).replace(/[^\p{L}\p{N} .,:=_-]/gu, it => `#${it.codePointAt(0)};`);
