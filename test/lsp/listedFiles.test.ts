import { describe, expect, it } from 'vitest';
import { createListedFiles } from '../../server/src/lsp/listedFiles';
import { startClient, type TestClient } from './client';

const typo = (name: string): string => `apiVersion: v1
kind: ConfigMap
metadata:
  name: ${name}
daat: {}
`;
// Files are published in the order of their names, open ones first: of another environment one comes before `dev`.
const OPENED = 'file:///ws/dev/a.yaml';
const BESIDE = 'file:///ws/dev/b.yaml';
const ELSEWHERE = 'file:///ws/api/c.yaml';
const files = {
  'file:///ws/berth.yaml': 'environments:\n  dev: { paths: [dev] }\n  api: { paths: [api] }\n',
  [ELSEWHERE]: typo('c'),
  [OPENED]: typo('a'),
  [BESIDE]: typo('b'),
};

const arrived = (client: TestClient, uri: string): Promise<readonly string[]> =>
  client.diagnostics(uri, all => all.length > 0).then(all => all.map(it => it.code));

/** What the client has been told of a file by now; undefined: nothing. */
const toldBy = (client: TestClient, uri: string): Promise<unknown> =>
  Promise.race([client.diagnostics(uri, () => true), Promise.resolve(undefined)]);

describe('problems are listed', () => {
  it('of all files for a client without the setting', async () => {
    const client = await startClient({ files });
    expect(await arrived(client, ELSEWHERE)).toEqual(['decode/unknown-field']);
  });

  it('of files that are deployed together with one that was opened', async () => {
    const client = await startClient({ files, configuration: { problems: 'environment' } });
    client.open(OPENED, files[OPENED]);
    expect(await arrived(client, BESIDE)).toEqual(['decode/unknown-field']);
    expect(await toldBy(client, ELSEWHERE)).toBeUndefined();
    client.open(ELSEWHERE, files[ELSEWHERE]);
    expect(await arrived(client, ELSEWHERE)).toEqual(['decode/unknown-field']);
  });

  it('of open files alone', async () => {
    const client = await startClient({ files, configuration: { problems: 'open' } });
    client.open(OPENED, files[OPENED]);
    expect(await arrived(client, OPENED)).toEqual(['decode/unknown-field']);
    client.open(ELSEWHERE, files[ELSEWHERE]);
    expect(await arrived(client, ELSEWHERE)).toEqual(['decode/unknown-field']);
    expect(await toldBy(client, BESIDE)).toBeUndefined();
  });

  it('from a severity on', async () => {
    const configuration = { minSeverity: 'error', severity: { 'decode/unknown-field': 'warning' } };
    const client = await startClient({ files: {}, configuration });
    client.open(OPENED, `${typo('a')}immutable: 7\n`);
    const found = await client.diagnostics(OPENED, all => all.length === 1);
    expect(found.map(it => it.code)).toEqual(['decode/type-mismatch']);
  });
});

describe('a large environment', () => {
  const listedOf = (count: number): boolean => {
    const uris = Array.from({ length: count }, (_, index) => `file:///ws/${index}.yaml`);
    const open = new Map([['file:///ws/0.yaml', true]]);
    const analysis = { uris, environmentIds: () => ['ws'] };
    const listed = createListedFiles({ analysis: () => analysis, listing: () => 'environment', open });
    listed.divided();
    expect(listed.isListed('file:///ws/0.yaml')).toBe(true);
    return listed.isListed('file:///ws/1.yaml');
  };

  it.each([
    [1_000, true],
    [1_001, false],
  ])('of %i files lists those that are not open: %s', (count, isListed) => {
    expect(listedOf(count)).toBe(isListed);
  });
});
