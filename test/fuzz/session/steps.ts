import { FileChangeType } from 'vscode-languageserver/node';
import { below, pick, type Random, weighted } from '../random';
import { edited, type Step, type World } from './world';

/** Requests at a position of a file, and a few without one; their parameters are made in `asking.ts`. */
export const METHODS = [
  'textDocument/hover',
  'textDocument/completion',
  'textDocument/codeLens',
  'textDocument/inlayHint',
  'textDocument/documentSymbol',
  'textDocument/foldingRange',
  'textDocument/selectionRange',
  'textDocument/codeAction',
  'textDocument/definition',
  'textDocument/references',
  'textDocument/prepareRename',
  'textDocument/rename',
  'textDocument/documentLink',
  'textDocument/semanticTokens/full',
  'textDocument/semanticTokens/range',
  'workspace/symbol',
  'berth/preview',
  'berth/previewWhy',
  'berth/previewMovers',
  'berth/previewComparison',
  'berth/stateGraph',
  'berth/stateGraphText',
  'berth/cluster',
  'berth/refreshCluster',
  'berth/contexts',
  'berth/tests',
  'berth/runTests',
  'berth/policyPlaces',
  'berth/rendered',
] as const;

const SNIPPETS = [
  '\n',
  '  ',
  '- ',
  ': ',
  ' ',
  '"',
  "'",
  '{',
  '}',
  '[',
  ']',
  '#',
  '# berth-ignore apiserver/refused: because',
  '---\n',
  '...\n',
  '&a ',
  '*a',
  '<<: *a\n',
  '!!binary ',
  '? ',
  '|-\n',
  '>\n',
  '\t',
  '\r\n',
  '\u00fc',
  '\u{1f433}',
  '\ufeff',
  '\u2028',
  '\0',
  '~',
  'null',
  'replicas: 3\n',
  'spec:\n',
  'metadata: { name: x }\n',
  'kind: Pod\n',
  'namespace: shop\n',
  '{{ .Values.x }}',
  '{{ request.object }}',
  '-9223372036854775809',
  '1e400',
  '0x1F',
  '100m',
];

const WORDS = [
  'app-1',
  'app-2',
  'app-3',
  'shop',
  'team-dev',
  'web',
  'main',
  'high',
  'node-1',
  'fast',
  'batch',
  'latest',
  'Pod',
  'Deployment',
  'StatefulSet',
  'Service',
  'true',
  '0',
  '-1',
  '3',
  '99',
  '10Gi',
  'x',
  '""',
  '[]',
  '{}',
  'null',
  '"*"',
];

const SETTINGS: readonly Readonly<Record<string, unknown>>[] = [
  {},
  { kubernetesVersion: '1.33' },
  { kubernetesVersion: '1.36', cluster: 'default' },
  { cluster: 'workspace', inlayHints: false },
  { presets: ['best-practice'], completeSources: true },
  { severity: { 'references/config-map-missing': 'hint', 'kyverno/labels': 'off' } },
  { podSecurity: { defaults: { enforce: 'restricted' } }, featureGates: { GenericWorkload: true } },
  { render: 'off' },
  { severity: 3, presets: {}, featureGates: null, cluster: [], podSecurity: 'x' },
];

/** The next few steps of a session. `originals` are the texts at its start: most edits are undone. */
export function nextSteps(random: Random, world: World, originals: ReadonlyMap<string, string>): readonly Step[] {
  const act = weighted<Act>(random, [
    [60, editing],
    [10, opening],
    [5, closing],
    [4, saving],
    [8, mending],
    [6, ofDisk],
    [1.5, configuring],
    [0.5, trusting],
    [16, requestsAt],
  ]);
  const steps = act(random, world, originals);
  const pause: Step = { do: 'pause', milliseconds: pick(random, [0, 5, 30, 60, 120, 300]) };
  return random() < 0.3 ? [...steps, pause] : steps;
}

type Act = (random: Random, world: World, originals: ReadonlyMap<string, string>) => readonly Step[];

/** Policies, kustomizations and berth.yaml are chosen more often than one of 200 files would be. */
function chosen(random: Random, paths: readonly string[]): string | undefined {
  const special = paths.filter(it => /polic|berth|kustomiz|cluster\//.test(it));
  if (paths.length === 0) return undefined;
  return special.length > 0 && random() < 0.5 ? pick(random, special) : pick(random, paths);
}

const opening: Act = (random, world) => {
  const path = chosen(
    random,
    [...world.disk.keys()].filter(it => !world.open.has(it)),
  );
  return path === undefined || world.open.size > 14 ? [] : [{ do: 'open', path }];
};

const closing: Act = (random, world) => {
  const path = chosen(random, [...world.open.keys()]);
  return path === undefined || world.open.size < 4 ? [] : [{ do: 'close', path }];
};

const saving: Act = (random, world) => {
  const path = chosen(random, [...world.open.keys()]);
  return path === undefined ? [] : [{ do: 'save', path }];
};

const editing: Act = (random, world) => {
  const path = chosen(random, [...world.open.keys()]);
  const text = path === undefined ? undefined : world.open.get(path);
  if (path === undefined || text === undefined) return opening(random, world, new Map());
  const made = weighted<TextEdits>(random, [
    [30, typing],
    [14, deleting],
    [25, replacingWord],
    [10, replacingValue],
    [8, pasting],
    [6, movingLines],
    [6, commenting],
    [1, erasing],
  ])(random, text, world);
  const steps = inOrder(path, text, made);
  // Undone at once, as after a trial.
  if (random() < 0.25) return [...steps, ...undoing(path, stepsEnd(text, steps), text)];
  return steps;
};

/** Edits of one text, each relative to the text after the previous one. */
type TextEdits = (random: Random, text: string, world: World) => readonly Piece[];

interface Piece {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

function inOrder(path: string, text: string, pieces: readonly Piece[]): readonly Step[] {
  return pieces.map(it => ({ do: 'edit', path, ...it, at: Math.min(it.at, Math.max(text.length, it.at)) }));
}

function stepsEnd(text: string, steps: readonly Step[]): string {
  return steps.reduce((now, it) => (it.do === 'edit' ? edited(now, it).after : now), text);
}

/** One edit from a text to another: what differs between their common prefix and suffix. */
export function undoing(path: string, from: string, to: string): readonly Step[] {
  if (from === to) return [];
  let start = 0;
  while (start < from.length && from[start] === to[start]) start++;
  let end = 0;
  while (end < from.length - start && end < to.length - start && from.at(-1 - end) === to.at(-1 - end)) end++;
  // A position inside a line break is moved before it, so replacing the whole text is safe there.
  const isPlain = !from.includes('\r') && !to.includes('\r');
  if (!isPlain) return [{ do: 'edit', path, at: 0, remove: from.length, insert: to }];
  return [{ do: 'edit', path, at: start, remove: from.length - end - start, insert: to.slice(start, to.length - end) }];
}

const typing: TextEdits = (random, text) => {
  const at = below(random, text.length + 1);
  const typed = random() < 0.6 ? pick(random, SNIPPETS) : `${pick(random, WORDS)}`;
  return [...typed].map((insert, i) => ({ at: at + [...typed].slice(0, i).join('').length, remove: 0, insert }));
};

const deleting: TextEdits = (random, text) => {
  const at = below(random, text.length + 1);
  const count = pick(random, [1, 1, 1, 2, 5, 40]);
  if (random() < 0.5) return [{ at, remove: count, insert: '' }];
  // Backspace, key by key.
  const first = Math.max(0, at - Math.min(count, 6));
  return Array.from({ length: at - first }, (_, i) => ({ at: at - 1 - i, remove: 1, insert: '' }));
};

const replacingWord: TextEdits = (random, text) => {
  const words = [...text.matchAll(/[A-Za-z0-9_./*-]+/g)];
  if (words.length === 0) return typing(random, text, NO_WORLD);
  const word = pick(random, words);
  const own = pick(random, words)[0];
  return [{ at: word.index, remove: word[0].length, insert: random() < 0.3 ? own : pick(random, WORDS) }];
};

const replacingValue: TextEdits = (random, text) => {
  const values = [...text.matchAll(/(?<=: +)[^\n#]+/g)];
  if (values.length === 0) return typing(random, text, NO_WORLD);
  const value = pick(random, values);
  return [{ at: value.index, remove: value[0].length, insert: pick(random, WORDS) }];
};

const pasting: TextEdits = (random, text, world) => {
  const from = pick(random, [...world.disk.values()]);
  const lines = (random() < 0.5 ? from : text).split('\n');
  const start = below(random, lines.length);
  const block = lines.slice(start, start + 1 + below(random, 8)).join('\n');
  return [{ at: lineStart(random, text), remove: 0, insert: `${block}\n` }];
};

const movingLines: TextEdits = (random, text) => {
  const at = lineStart(random, text);
  const end = text.indexOf('\n', at);
  const line = text.slice(at, end < 0 ? text.length : end + 1);
  const rest = text.length - line.length;
  return [
    { at, remove: line.length, insert: '' },
    {
      at: Math.min(rest, lineStart(random, text.slice(0, at) + text.slice(at + line.length))),
      remove: 0,
      insert: line,
    },
  ];
};

const commenting: TextEdits = (random, text) => [
  { at: lineStart(random, text), remove: 0, insert: pick(random, ['# ', '  ', ' ', '- ']) },
];

const erasing: TextEdits = (random, text) => {
  const at = random() < 0.5 ? 0 : lineStart(random, text);
  return [{ at, remove: text.length, insert: '' }];
};

function lineStart(random: Random, text: string): number {
  return text.lastIndexOf('\n', below(random, text.length + 1) - 1) + 1;
}

/** Undoes to an earlier text of the file or to the original, so that a long session keeps valid files. */
const mending: Act = (random, world, originals) => {
  const isOriginal = (path: string): boolean => world.open.get(path) === originals.get(path);
  const path = chosen(
    random,
    [...world.open.keys()].filter(it => !isOriginal(it)),
  );
  if (path === undefined) return [];
  const text = world.open.get(path) ?? '';
  const past = world.past.get(path) ?? [];
  const original = originals.get(path);
  const to = random() < 0.4 && past.length > 0 ? pick(random, past) : (original ?? past[0] ?? '');
  return undoing(path, text, to);
};

const ofDisk: Act = (random, world, originals) => {
  const paths = [...world.disk.keys()];
  const path = chosen(random, paths) ?? 'new.yaml';
  const missing = [...originals.keys()].filter(it => !world.disk.has(it));
  const changed = [...originals].filter(([it, text]) => world.disk.has(it) && world.disk.get(it) !== text);
  const choices: (readonly [number, () => readonly Step[]])[] = [
    [2, () => [{ do: 'delete', path }]],
    [2, () => [{ do: 'rename', path, to: renamed(random, path) }]],
    [2, () => [{ do: 'write', path: copied(random, path), text: world.disk.get(path) ?? '' }]],
    [2, () => [{ do: 'write', path, text: changedOnDisk(random, world, path) }]],
  ];
  const folder = path.replace(/\/?[^/]*$/, '');
  choices.push([2, () => [{ do: 'tell', path: pick(random, [path, folder, `${path}/x`]), type: pick(random, TYPES) }]]);
  if (folder !== '') choices.push([2, () => [{ do: 'move', path: folder, to: movedFolder(random, folder) }]]);
  if (missing.length > 0) choices.push([4, () => restored(originals, pick(random, missing))]);
  if (changed.length > 0) choices.push([4, () => restored(originals, pick(random, changed)[0])]);
  return weighted(random, choices)();
};

const restored = (originals: ReadonlyMap<string, string>, path: string): readonly Step[] => [
  { do: 'write', path, text: originals.get(path) ?? '' },
];

const TYPES = [FileChangeType.Created, FileChangeType.Changed, FileChangeType.Deleted] as const;

const movedFolder = (random: Random, folder: string): string =>
  /\.v\d$/.test(folder) ? folder.replace(/\.v\d$/, '') : `${folder}.v${below(random, 9)}`;

const renamed = (random: Random, path: string): string =>
  random() < 0.5 ? path.replace(/[^/]+$/, it => `r${below(random, 9)}-${it}`) : `moved/${path.replace(/^.*\//, '')}`;

const copied = (random: Random, path: string): string =>
  path.replace(/[^/]+$/, it => `copy${below(random, 3)}-${it.replace(/^copy\d-/, '')}`);

function changedOnDisk(random: Random, world: World, path: string): string {
  const text = world.disk.get(path) ?? '';
  return stepsEnd(text, inOrder(path, text, replacingWord(random, text, world)));
}

const configuring: Act = random => [{ do: 'settings', settings: pick(random, SETTINGS) }];

const trusting: Act = (_random, world) => [{ do: 'trust', isTrusted: !world.isTrusted }];

const requestsAt: Act = (random, world) => {
  const path = random() < 0.95 ? chosen(random, [...world.open.keys()]) : 'nothing/here.yaml';
  if (path === undefined) return [];
  const text = world.open.get(path) ?? '';
  const method = pick(random, METHODS);
  const at = pick(random, [0, below(random, text.length + 1), below(random, text.length + 1), text.length]);
  return [{ do: 'ask', method, path, at, seed: below(random, 1_000_000) }];
};

const NO_WORLD: World = { disk: new Map(), open: new Map(), past: new Map(), settings: {}, isTrusted: false };
