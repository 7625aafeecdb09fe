import { describe, expect, it } from 'vitest';
import { alwaysDrawn, drawnNext, type RowRange, rowsBetween, rowsOf } from '../../client/src/webview/nodes/visibleRows';
import type { PreviewNode } from '../../server/src/analysis/preview/model';

const node = (name: string): PreviewNode => ({
  name,
  zone: '',
  ready: true,
  unschedulable: false,
  labels: {},
  taints: [],
  resources: [],
  pods: [],
});

/** Zones of nodes, two beside each other; each node as one letter. */
const zones = (...names: readonly string[]) => names.map(it => rowsOf([...it].map(node), 2));

const range = (first: number, last: number): RowRange => ({ first, last });

describe('rows of cards', () => {
  it('are as long as there is room, the last one shorter', () => {
    expect(rowsOf([...'abcde'].map(node), 2).map(row => row.map(it => it.name).join(''))).toEqual(['ab', 'cd', 'e']);
    expect(rowsOf([], 2)).toEqual([]);
  });

  it('lie between two heights also where they only begin or end there', () => {
    const heights = [100, 50, 100, 100];
    expect(rowsBetween(heights, 0, 0, 100)).toEqual(range(0, 1));
    expect(rowsBetween(heights, 0, 99, 101)).toEqual(range(0, 2));
    expect(rowsBetween(heights, -120, 0, 100)).toEqual(range(1, 3));
  });

  it('are none where all lie above or below, and one knows on which side', () => {
    expect(rowsBetween([100, 100], 500, 0, 300)).toEqual(range(0, 0));
    expect(rowsBetween([100, 100], -500, 0, 300)).toEqual(range(2, 2));
  });
});

describe('what is drawn next', () => {
  it('is all that is in sight at once, and of what lies ahead one row of one zone', () => {
    const zone = { drawn: range(0, 0), inSight: range(0, 3), ahead: range(0, 5) };
    expect(drawnNext([zone, zone])).toEqual([range(0, 4), range(0, 3)]);
  });

  it('comes to an end when all that lies ahead is drawn', () => {
    const ahead = range(2, 9);
    const inSight = range(4, 7);
    let drawn = range(0, 0);
    const seen: RowRange[] = [];
    for (let frame = 0; frame < 7; frame++) {
      drawn = drawnNext([{ drawn, inSight, ahead }])[0]!;
      seen.push(drawn);
    }
    expect(seen.map(it => it.last - it.first)).toEqual([4, 5, 6, 7, 7, 7, 7]);
    expect(drawn).toEqual(ahead);
  });

  it('lets go of what is far, keeps what is near, and starts again after a jump', () => {
    expect(drawnNext([{ drawn: range(0, 8), inSight: range(4, 6), ahead: range(3, 8) }])).toEqual([range(3, 8)]);
    expect(drawnNext([{ drawn: range(0, 8), inSight: range(90, 92), ahead: range(90, 92) }])).toEqual([range(90, 92)]);
  });

  it('grows from the side that is nearest to the window where nothing is in sight', () => {
    const above = { drawn: range(0, 0), inSight: range(9, 9), ahead: range(7, 9) };
    const below = { drawn: range(0, 0), inSight: range(0, 0), ahead: range(0, 2) };
    expect(drawnNext([above])).toEqual([range(8, 9)]);
    expect(drawnNext([below])).toEqual([range(0, 1)]);
  });
});

describe('rows that are always drawn', () => {
  const drawn = (all: ReturnType<typeof zones>, ...kept: readonly (string | undefined)[]) =>
    [...new Set(alwaysDrawn(all, kept))].map(row => row.map(it => it.name).join('')).sort();
  const all = zones('abcdefghij', 'klmnopqr', 'stuvwx');

  it('are both ends, those beside that of the keyboard, and that of the chosen Pod', () => {
    expect(drawn(all, 'f')).toEqual(['ab', 'cd', 'ef', 'gh', 'wx']);
    expect(drawn(all, 'f', 'o')).toEqual(['ab', 'cd', 'ef', 'gh', 'op', 'wx']);
  });

  it('are at the end of a zone also where the others begin, so that the arrow keys go over', () => {
    expect(drawn(all, 'j')).toEqual(['ab', 'gh', 'ij', 'kl', 'st', 'wx']);
    expect(drawn(all, 'k')).toEqual(['ab', 'ij', 'kl', 'mn', 'wx']);
  });

  it('are both ends alone where the node is gone', () => {
    expect(drawn(all, 'z', undefined)).toEqual(['ab', 'wx']);
    expect(drawn([], 'z')).toEqual([]);
  });
});
