import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { canonicalUri, lookWithin, pathOf, readWithin } from '../../server/src/lsp/disk';

const top = realpathSync(mkdtempSync(join(tmpdir(), 'berth-disk-')));
afterAll(() => rmSync(top, { recursive: true }));
const ws = join(top, 'ws');
const folders = [pathToFileURL(ws).href];

mkdirSync(join(ws, 'deep'), { recursive: true });
mkdirSync(join(top, 'ws-secret'));
writeFileSync(join(ws, 'own.yaml'), 'own');
writeFileSync(join(top, 'credentials'), 'secret');
writeFileSync(join(top, 'ws-secret/credentials'), 'secret');
symlinkSync('../own.yaml', join(ws, 'deep/to-own.yaml'));
symlinkSync('to-own.yaml', join(ws, 'deep/twice.yaml'));
symlinkSync('../credentials', join(ws, 'out.yaml'));
symlinkSync('..', join(ws, 'up'));
symlinkSync('circle.yaml', join(ws, 'circle.yaml'));
symlinkSync('/dev/zero', join(ws, 'zero.yaml'));
symlinkSync('../missing', join(ws, 'dangling.yaml'));
mkdirSync(join(ws, '.git'));
writeFileSync(join(ws, '.git/config'), 'token');
symlinkSync('.git/config', join(ws, 'token.yaml'));
symlinkSync(join(ws, 'own.yaml'), join(ws, 'absolute.yaml'));
if (process.platform !== 'win32') execFileSync('mkfifo', [join(ws, 'pipe.yaml')]);

const CASES: readonly (readonly [path: string, expected: object])[] = [
  ['own.yaml', { text: 'own' }],
  ['deep/to-own.yaml', { text: 'own' }],
  ['deep/twice.yaml', { text: 'own' }],
  ['deep/../own.yaml', { text: 'own' }],
  ['absolute.yaml', { text: 'own' }],
  ['none.yaml', { failure: expect.stringContaining('there is no file') }],
  ['circle.yaml', { failure: expect.stringContaining('go in a circle') }],
  ['deep', { failure: expect.stringContaining('is no regular file') }],
  ['pipe.yaml', { failure: expect.stringContaining('is no regular file') }],
  ...[
    'out.yaml',
    'token.yaml',
    '.git/config',
    'up/credentials',
    '../credentials',
    '../ws-secret/credentials',
    '/dev/zero',
    'zero.yaml',
  ].map(it => [it, { failure: expect.stringContaining('is outside of the folders that are open') }] as const),
  // Whether its target is there is not even asked.
  ['dangling.yaml', { failure: expect.stringContaining('is outside of the folders that are open') }],
  ['//host/share/file', { failure: expect.stringContaining('is outside') }],
];

describe.runIf(process.platform !== 'win32')('what may be read', () => {
  it.each(CASES)('%s', async (path, expected) => {
    expect(await readWithin(path.startsWith('/') ? path : join(ws, path), folders)).toEqual(expected);
  });

  it('reaches further where that is allowed, but opens no device and no pipe', async () => {
    expect(await readWithin(join(ws, 'out.yaml'), 'anywhere')).toEqual({ text: 'secret' });
    for (const path of ['/dev/zero', '/dev/ptmx', join(ws, 'zero.yaml'), join(ws, 'pipe.yaml')]) {
      expect(await readWithin(path, 'anywhere')).toEqual({ failure: expect.stringContaining('is no regular file') });
    }
  });

  it('is checked in the same bounds', async () => {
    const look = (path: string) => lookWithin(join(ws, path), folders);
    expect(await look('own.yaml')).toBe('file');
    expect(await look('deep')).toBe('folder');
    expect(await look('none')).toBe('nothing');
    for (const path of ['../credentials', '../missing', 'up', 'out.yaml', 'dangling.yaml']) {
      expect(await look(path)).toBeUndefined();
    }
    expect(await lookWithin(join(top, 'credentials'), 'anywhere')).toBe('file');
  });

  it('accepts a folder that is itself behind a link', async () => {
    symlinkSync('ws', join(top, 'linked'));
    const linked = [pathToFileURL(join(top, 'linked')).href];
    expect(await readWithin(join(top, 'linked/own.yaml'), linked)).toEqual({ text: 'own' });
    expect(await readWithin(join(top, 'linked/absolute.yaml'), linked)).toEqual({ text: 'own' });
    expect(await readWithin(join(top, 'linked/out.yaml'), linked)).toMatchObject({ failure: expect.any(String) });
  });
});

it('a uri of another computer has no path', () => {
  if (process.platform !== 'win32') expect(pathOf('file://host/share/x')).toBeUndefined();
  expect(pathOf('untitled:x')).toBeUndefined();
  expect(pathOf('file:///%zz')).toBeUndefined();
});

it.each([
  ['file:///ws/a.yaml', 'file:///ws/a.yaml'],
  ['file:///ws/%61.yaml', 'file:///ws/a.yaml'],
  ['file:///ws/prod/', 'file:///ws/prod'],
  ['file:///ws/prod/../dev//a.yaml', 'file:///ws/dev/a.yaml'],
  ['untitled:Untitled-1', 'untitled:Untitled-1'],
  ['file:///%', 'file:///%'],
])('a file has one uri: %s', (uri, expected) => {
  expect(canonicalUri(uri).replace(/^file:\/\/\/[A-Z]:/, 'file://')).toBe(expected);
});
