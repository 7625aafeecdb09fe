import { TextDocument } from 'vscode-languageserver-textdocument';
import { below, pick, type Random, randomFrom } from '../random';
import type { Step } from './world';

type Ask = Extract<Step, { do: 'ask' }>;

const NAMES = ['renamed', '', 'a/b', 'UPPER', 'x'.repeat(300), '\u{1f433}', 'a\nb'];
const WHAT_IFS = [
  { changes: [] },
  { changes: [{ do: 'drain', node: 'node-1' }] },
  {
    changes: [
      { do: 'zoneDown', zone: 'a' },
      { do: 'scaleBy', factor: 3 },
    ],
  },
  { changes: [{ do: 'nodeDown', node: 'no-such-node' }], strategy: 'pack' },
  { changes: [{ do: 'cordon', node: 'node-2' }], strategy: 'spread' },
  { changes: [{ do: 'scale', object: { kind: 'Deployment', name: 'web' }, replicas: 9 }] },
];

/** The parameters of a request and of its follow-up: `resolve` gets the item of the response. */
export function paramsOf({ method, at, seed }: Ask, uri: string, text: string): object {
  const random = randomFrom(seed);
  const document = TextDocument.create(uri, 'yaml', 1, text);
  const position = random() < 0.05 ? { line: 1_000_000, character: 1_000_000 } : document.positionAt(at);
  const textDocument = { uri };
  const end = document.positionAt(Math.min(text.length, at + below(random, 400)));
  const range = { start: position, end: random() < 0.1 ? position : end };
  switch (method) {
    case 'workspace/symbol':
      return { query: pick(random, ['', 'web', 'app', 'x\u0000', '(']) };
    case 'berth/cluster':
    case 'berth/refreshCluster':
    case 'berth/contexts':
    case 'berth/tests':
      return {};
    case 'berth/rendered':
      return { uri: uri.replace(/[^/]+$/, 'rendered.yaml') };
    case 'textDocument/completion':
      return { textDocument, position, context: triggerOf(random) };
    case 'textDocument/codeAction':
      return { textDocument, range, context: { diagnostics: [] } };
    case 'textDocument/inlayHint':
    case 'textDocument/semanticTokens/range':
      return { textDocument, range };
    case 'textDocument/selectionRange':
      return { textDocument, positions: [position, document.positionAt(below(random, text.length + 1))] };
    case 'textDocument/references':
      return { textDocument, position, context: { includeDeclaration: random() < 0.5 } };
    case 'textDocument/rename':
      return { textDocument, position, newName: pick(random, NAMES) };
    case 'berth/preview':
    case 'berth/previewWhy':
      return { textDocument, position, ...(random() < 0.4 && { whatIf: pick(random, WHAT_IFS) }), ...knownOf(random) };
    case 'berth/previewComparison':
      return { textDocument, position, partialResultToken: `comparison-${seed}` };
    case 'berth/stateGraph':
      return { textDocument, ...findingOf(random), ...(random() < 0.5 && { within: pick(random, [0, 2, 'all']) }) };
    case 'berth/stateGraphText':
      return { textDocument, ...findingOf(random), format: pick(random, ['svg', 'dot', 'mermaid']) };
    case 'berth/previewMovers':
      return { textDocument, position, kind: pick(random, ['descheduler', 'vpa']) };
    case 'berth/runTests':
      return { textDocument, ...(random() < 0.3 && { only: ['all are placed'] }) };
    default:
      return { textDocument, position };
  }
}

const triggerOf = (random: Random) =>
  random() < 0.5 ? { triggerKind: 1 } : { triggerKind: 2, triggerCharacter: pick(random, [' ', '"', "'", '/', '.']) };

const findingOf = (random: Random) => (random() < 0.5 ? {} : { finding: pick(random, ['', 'deadlock', 'x']) });

const knownOf = (random: Random) => (random() < 0.5 ? {} : { known: below(random, 4) });

/**
 * The request that follows a response, as an editor makes it when an item becomes visible; undefined when there is
 * none.
 */
export function followUp(method: string, answer: unknown, seed: number): readonly [string, unknown] | undefined {
  const random = randomFrom(seed + 1);
  if (method === 'textDocument/codeLens' && Array.isArray(answer) && answer.length > 0) {
    // Some clients resolve each lens, with or without data.
    return ['codeLens/resolve', pick(random, answer)];
  }
  if (method === 'textDocument/completion' && isList(answer) && answer.items.length > 0)
    return ['completionItem/resolve', pick(random, answer.items)];
  return undefined;
}

const isList = (it: unknown): it is { readonly items: readonly unknown[] } =>
  typeof it === 'object' && it !== null && 'items' in it && Array.isArray(it.items);
