import { expect, test } from 'vitest';
import { startClient } from './client';

const POD = 'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [{ name: web, imge: x }] }\n';
const files = { 'file:///ws/a.yaml': POD, 'file:///ws/b.yaml': POD };

/** Starts a server that keeps a note; `looks` are the files it was looking at, in order. */
async function start(params: Parameters<typeof startClient>[0] = {}) {
  const looks: (readonly string[])[] = [];
  const notices: string[] = [];
  const client = await startClient({
    files,
    noteFiles: (path, uris) => looks.push([path, ...uris]),
    onStatus: ({ problems }) => notices.push(...problems),
    ...params,
    start: { notePath: '/notes/1', ...params?.start },
  });
  return { client, looks, notices };
}

const isUnknownField = (all: readonly { readonly code: string }[]): boolean =>
  all.some(it => it.code === 'decode/unknown-field');

test('files that are processed are noted, and the note is empty afterwards', async () => {
  const { client, looks } = await start();
  await client.diagnostics('file:///ws/b.yaml', isUnknownField);
  expect(looks[0]).toEqual(['/notes/1', 'file:///ws/a.yaml', 'file:///ws/b.yaml']);
  expect(looks).toContainEqual(['/notes/1', 'file:///ws/b.yaml']);
  expect(looks.at(-1)).toEqual(['/notes/1']);
});

test('after a crash files are processed one by one, so that the next note has one name', async () => {
  const { client, looks } = await start({ start: { isCareful: true } });
  await client.diagnostics('file:///ws/b.yaml', isUnknownField);
  expect(Math.max(...looks.map(it => it.length))).toBe(2);
});

test('a file on which the server crashed is left out, open or not, and named', async () => {
  const { client, looks, notices } = await start({ start: { leaveOut: ['file:///ws/a.yaml'] } });
  await client.diagnostics('file:///ws/b.yaml', isUnknownField);
  client.open('file:///ws/a.yaml', POD);
  client.open('file:///ws/c.yaml', POD);
  await client.diagnostics('file:///ws/c.yaml', isUnknownField);
  await expect(client.diagnostics('file:///ws/a.yaml', all => all.length === 0)).resolves.toEqual([]);
  await expect
    .poll(() => notices)
    .toContainEqual(expect.stringMatching(/^file:\/\/\/ws\/a\.yaml is left out, because/));
  expect(looks.flat()).toContain('file:///ws/c.yaml');
});
