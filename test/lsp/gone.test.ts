import { expect, test } from 'vitest';
import { atOrBelow } from '../../server/src/lsp/atOrBelow';

test('a file is removed by itself and with each folder around it, not with one of a similar name', () => {
  const isGone = atOrBelow(['file:///w/a', 'file:///w/b/c.yaml']);
  const uris = [
    'file:///w/a',
    'file:///w/a/b/c.yaml',
    'file:///w/ab/c.yaml',
    'file:///w/b/c.yaml',
    'file:///w/b/d.yaml',
  ];
  expect(uris.map(isGone)).toEqual([true, true, false, true, false]);
});

test('a file is looked up by its folders, not compared with each removed file', () => {
  const asked: string[] = [];
  class Spied extends String {
    override slice(start?: number, end?: number): string {
      const part = super.slice(start, end);
      asked.push(part);
      return part;
    }
  }
  const gone = Array.from({ length: 20_000 }, (_, i) => `file:///w/${i}.yaml`);
  expect(atOrBelow(gone)(new Spied('file:///w/x/y.yaml') as unknown as string)).toBe(false);
  expect(asked.length).toBeLessThan(8);
});
