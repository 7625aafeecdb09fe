import type { SystemDrawing } from '../../analysis/explore';
import { printable } from '../../text/printable';

type Kind = SystemDrawing['states'][number]['kind'];

const COLOURS: Readonly<Record<Kind, string>> = {
  deadlock: '#f8c8c8',
  violation: '#f8c8c8',
  end: '#c8e8c8',
  other: '#ffffff',
};

/** The state graph in Graphviz's language: deadlocks and violations red, ends with a double line. */
export function dotOf(name: string, { states, transitions, isPart }: SystemDrawing): string {
  const nodes = states.map(
    ({ state, kind }, i) =>
      `  s${i} [label=${quotedDot(linesOf(state).join('\n'))}, fillcolor="${COLOURS[kind]}"${kind === 'end' ? ', peripheries=2' : ''}${i === 0 ? ', penwidth=2' : ''}];`,
  );
  const edges = transitions.map(({ from, to, label }) => `  s${from} -> s${to} [label=${quotedDot(label)}];`);
  const part = isPart ? [`  label=${quotedDot(`the first ${states.length} states`)};`] : [];
  const head = [`digraph ${quotedDot(name)} {`, '  node [shape=box, style="rounded,filled"];', ...part];
  return `${[...head, ...nodes, ...edges, '}'].join('\n')}\n`;
}

/** The same as a Mermaid flow chart. */
export function mermaidOf({ states, transitions, isPart }: SystemDrawing): string {
  const nodes = states.map(
    ({ state, kind }, i) => `  s${i}["${linesOf(state).map(plainMermaid).join('<br>')}"]:::${kind}`,
  );
  const edges = transitions.map(({ from, to, label }) => `  s${from} -->|"${plainMermaid(label)}"| s${to}`);
  const classes = Object.entries(COLOURS).map(([kind, fill]) => `  classDef ${kind} fill:${fill},color:#000000`);
  const part = isPart ? [`  %% the first ${states.length} states`] : [];
  return `${['flowchart TD', ...part, ...nodes, ...edges, ...classes].join('\n')}\n`;
}

function linesOf({ variables, processes }: SystemDrawing['states'][number]['state']): readonly string[] {
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
