import { Graphviz } from '@hpcc-js/wasm-graphviz';
import { describe, expect, it } from 'vitest';
import { type GraphShape, pictureFrom, shapeInDot } from '../../server/src/explore/graphviz/picture';
import { drawSystem } from '../../server/src/explore/system/drawing';
import { dotOf } from '../../server/src/explore/system/stateGraphText';
import { explored, systemOf } from './support';

const counter = systemOf(`
variables: { n: 0 }
processes:
  - name: p
    start: a
    halt: [a]
    steps:
      - { name: up, from: a, when: "n < 9", set: { n: "n + 1" } }
      - { name: jump, from: a, when: "n < 4", set: { n: "n + 5" } }
properties: [{ name: small, never: "n == 6" }]
`);

function drawnWith(bounds: { readonly most: number; readonly within?: number }) {
  const found = explored(counter);
  if (found.kind !== 'explored') throw new Error('This system can be explored.');
  const verdict = found.found.properties[0]!;
  if (verdict.verdict !== 'violated') throw new Error('This property is violated.');
  return drawSystem(found.system, { ...bounds, way: verdict.trace.steps });
}
const numbers = (states: readonly { readonly state: { readonly variables: object } }[]): unknown[] =>
  states.map(it => Object.values(it.state.variables)[0]);

describe('a drawing of states', () => {
  it.each([
    [{ most: 99 }, [0, 1, 6, 5, 2, 7, 3, 8, 4, 9]],
    [{ most: 99, within: 0 }, [0, 1, 6]],
    [{ most: 99, within: 1 }, [0, 1, 6, 5, 2, 7]],
    [{ most: 4 }, [0, 1, 6, 5]],
  ])('has the states of the way first, and then the nearest: %j', (bounds, states) => {
    const { states: drawn, along, transitions, isPart } = drawnWith(bounds);
    expect(numbers(drawn)).toEqual(states);
    expect(along.map(it => it.at)).toEqual([0, 1, 2]);
    expect(isPart).toBe(states.length < 10);
    expect(transitions.every(it => it.from < drawn.length && it.to < drawn.length)).toBe(true);
  });

  it('is told with bold steps of the way, and a violation with eight corners', () => {
    const dot = dotOf('counter', drawnWith({ most: 99, within: 0 }));
    expect(dot).toMatch(/s2 \[label="p: a\\nn = 6", fillcolor="#f8c8c8", shape=octagon\];/);
    expect(dot.match(/penwidth=2.5/g)).toHaveLength(2);
    expect(dot).toContain('  start -> s0');
  });
});

describe('a picture of Graphviz', () => {
  const shape: GraphShape = {
    nodes: [
      { width: 100, height: 40 },
      { width: 50, height: 40 },
      { width: 50, height: 40 },
    ],
    edges: [
      { from: 0, to: 1, label: { width: 80, height: 16 } },
      { from: 0, to: 2 },
      { from: 2, to: 2 },
    ],
  };

  it('has straight lines where curves would take minutes', () => {
    const edges = (count: number) => Array.from({ length: count }, () => ({ from: 0, to: 1 }));
    expect(shapeInDot({ ...shape, edges: edges(120) })).not.toContain('splines=line');
    expect(shapeInDot({ ...shape, edges: edges(121) })).toContain('splines=line');
  });

  it('has each node at its size, what a step leads to below, and labels where they were asked for', async () => {
    const graphviz = await Graphviz.load();
    const { width, height, nodes, edges } = pictureFrom(graphviz.layout(shapeInDot(shape), 'json', 'dot'));
    expect(nodes.map(it => [Math.round(it.width), Math.round(it.height)])).toEqual([
      [100, 40],
      [50, 40],
      [50, 40],
    ]);
    expect(nodes[0]!.y).toBeLessThan(nodes[1]!.y);
    expect(nodes[0]!.y).toBeLessThan(nodes[2]!.y);
    for (const { x, y } of [...nodes, ...edges.flatMap(it => [...it.curve, it.tip])]) {
      expect([x >= 0, x <= width, y >= 0, y <= height]).toEqual([true, true, true, true]);
    }
    expect(edges.map(it => it.label !== undefined)).toEqual([true, false, false]);
    // A curve is a start and three points a piece, and its arrow ends at the node.
    expect(edges.map(it => it.curve.length % 3)).toEqual([1, 1, 1]);
    expect(edges[0]!.tip.y).toBeCloseTo(nodes[1]!.y - 20, 0);
  });
});
