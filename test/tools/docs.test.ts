import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const source = join(root, 'server/src');
const rooms = readdirSync(source);
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(join(root, 'docs'))
    .filter(it => it.endsWith('.md'))
    .map(it => `docs/${it}`),
];
const textOf = (page: string): string => readFileSync(join(root, page), 'utf8');
const isThere = (path: string): boolean => ['', '.ts', '.tsx', '.mjs'].some(it => existsSync(path + it));

describe('pages for people', () => {
  test.each(pages)('%s links to what is there', page => {
    const links = [...textOf(page).matchAll(/\]\((?!https?:)([^)#\s]+)[^)]*\)/g)].map(([, it]) => it!);
    expect(links.filter(it => !isThere(join(root, dirname(page), it)))).toEqual([]);
  });

  test('the page of the architecture names files and folders of server/src that are there', () => {
    const named = [...textOf('docs/architecture.md').matchAll(/`([a-z]+)(\/[\w/]+?)\/?`/g)]
      .filter(([, room]) => rooms.includes(room!))
      .map(([, room, rest]) => `${room}${rest}`);
    // Codes of rules look the same: their names have no capital letter and a page of their own.
    const paths = named.filter(it => !existsSync(join(root, 'docs/rules', `${it}.md`)));
    expect(paths.length).toBeGreaterThan(50);
    expect(paths.filter(it => !isThere(join(source, it)))).toEqual([]);
  });

  test('CONTRIBUTING names files that are there', () => {
    const named = [...textOf('CONTRIBUTING.md').matchAll(/`((?:test|server|tools)\/[\w./]+\w)`/g)].map(([, it]) => it!);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter(it => !it.includes('NAME') && !isThere(join(root, it)))).toEqual([]);
  });
});
