import { describe, expect, it } from 'vitest';
import { isFromGraph } from '../../client/src/stateGraph/messages';
import { outlineOf } from '../../client/src/webview/graph/shapes';
import { matching, neighbour, stepsOfWay, valueRows } from '../../client/src/webview/graph/view';
import type { StateGraphModel, SystemState } from '../../server/src/analysis/stateGraph';

const state = (fork: readonly number[], location: string, hold = 0): SystemState => ({
  variables: { fork, ready: true },
  processes: { p: { location, variables: { hold } } },
});
const [start, next] = [state([0, 0], 'thinking'), state([1, 0], 'hungry')];

const graph: StateGraphModel = {
  uri: 'file:///a.yaml',
  system: 'pair',
  findings: [{ key: 'deadlock', kind: 'deadlock', steps: 1 }],
  finding: 'deadlock',
  way: [
    { state: start, at: 0 },
    { state: next, at: 1, step: { process: 'p', step: 'take left', span: { start: 0, end: 1 } } },
  ],
  states: [
    { state: start, kind: 'other', lines: [] },
    { state: next, kind: 'deadlock', lines: [] },
    { state: state([0, 0], 'thinking', 7), kind: 'other', lines: [] },
  ],
  transitions: [
    { from: 0, to: 1, labels: ['p: take left'] },
    { from: 0, to: 2, labels: ['p: grow'] },
  ],
  isPart: false,
};

describe('the values of a state', () => {
  it('have a row for each process, variable and element, and say what changed', () => {
    expect(valueRows(next, start)).toEqual([
      { name: 'p', before: 'thinking', now: 'hungry', isChanged: true },
      { name: 'p.hold', before: '0', now: '0', isChanged: false },
      { name: 'fork[0]', before: '0', now: '1', isChanged: true },
      { name: 'fork[1]', before: '0', now: '0', isChanged: false },
      { name: 'ready', before: 'true', now: 'true', isChanged: false },
    ]);
    expect(valueRows(start, undefined).some(it => it.isChanged || it.before !== undefined)).toBe(false);
  });
});

describe('the filter', () => {
  it.each([
    ['', [0, 1, 2]],
    ['HUNGRY', [1]],
    ['fork[0] = 0', [0, 2]],
    ['p.hold = 7', [2]],
    ['take left', [1]],
    ['nothing of this', []],
  ])('%j lets these states through: %j', (text, states) => {
    expect([...matching(graph, text)]).toEqual(states);
  });
});

describe('the arrow keys', () => {
  const at = (x: number, y: number) => ({ x, y, width: 40, height: 20 });
  const picture = { width: 300, height: 300, nodes: [at(100, 0), at(50, 100), at(150, 100), at(100, 200)], edges: [] };
  it.each([
    [0, 'ArrowDown', 1],
    [1, 'ArrowRight', 2],
    [2, 'ArrowLeft', 1],
    [1, 'ArrowDown', 3],
    [3, 'ArrowUp', 1],
    [3, 'ArrowDown', undefined],
    [1, 'ArrowLeft', undefined],
    [9, 'ArrowLeft', undefined],
  ] as const)('lead from state %i with %s to %s', (from, key, to) => {
    expect(neighbour(picture, from, key)).toBe(to);
  });
});

describe('the picture', () => {
  it('marks the steps of the way', () => {
    expect([...stepsOfWay(graph)]).toEqual(['0 1']);
  });

  it.each(['box', 'octagon'] as const)('has a border that ends where it begins: %s', shape => {
    const node = { x: 50, y: 50, width: 80, height: 40 };
    const moves = [...outlineOf(node, shape, 0).matchAll(/([hvla])([^a-zA-Z]*)/g)].map(([, kind, rest]) => {
      const all = rest!.trim().split(' ').map(Number);
      if (kind === 'h') return [all[0]!, 0];
      return kind === 'v' ? [0, all[0]!] : all.slice(-2);
    });
    const sum = moves.reduce(([x = 0, y = 0], [dx = 0, dy = 0]) => [x + dx, y + dy], [0, 0]);
    expect(sum).toEqual([0, 0]);
  });
});

describe('messages of the page', () => {
  it.each([
    [{ type: 'ready' }, true],
    [{ type: 'ask', finding: 'deadlock', within: 2 }, true],
    [{ type: 'ask', finding: '' }, true],
    [{ type: 'ask', finding: '', within: 'all' }, true],
    [{ type: 'ask', finding: '', within: 'none' }, false],
    [{ type: 'ask', within: 2 }, false],
    [{ type: 'ask', finding: '', within: -1 }, false],
    [{ type: 'reveal', at: 1 }, true],
    [{ type: 'reveal', at: 0.5 }, false],
    [{ type: 'export', format: 'svg' }, true],
    [{ type: 'export', format: 'exe' }, false],
    [{ type: 'toString' }, false],
    [null, false],
  ])('%j: %s', (message, isOne) => {
    expect(isFromGraph(message)).toBe(isOne);
  });
});
