import { describe, expect, it } from 'vitest';
import { linksFrom } from '../../client/src/upgradeLinks';

const folder = (path: string, authority = '') => ({ scheme: 'file', authority, path });
const at = { start: { line: 2, character: 0 }, end: { line: 2, character: 4 } };

describe('the places of the report of an upgrade', () => {
  it.each([
    ['in the first folder', folder('/ws/shop'), 'deploy/web.yaml', '/deploy/web.yaml#L3'],
    ['in a folder beside the first', folder('/ws/team'), 'deploy/web.yaml', '/../team/deploy/web.yaml#L3'],
    ['in a folder below the first', folder('/ws/shop/charts'), 'web.yaml', '/charts/web.yaml#L3'],
    ['above the folder', folder('/ws/shop/charts'), '../../web.yaml', '/../web.yaml#L3'],
    ['with characters of addresses', folder('/ws/shop'), 'a #1?/[x].yaml', '/a%20%231%3F/%5Bx%5D.yaml#L3'],
  ])('lead to a file %s', (_, of, path, link) => {
    expect(linksFrom(folder('/ws/shop'), of)({ path, range: at })).toBe(link);
  });

  it.each([
    ['without a workspace', undefined, folder('/ws/shop')],
    ['on another computer', folder('/ws/shop'), folder('/ws/shop', 'wsl+ubuntu')],
  ])('lead nowhere %s', (_, first, of) => {
    expect(linksFrom(first, of)({ path: 'web.yaml', range: at })).toBeUndefined();
  });

  it('lead to no file from the settings', () => {
    expect(linksFrom(folder('/ws/shop'), folder('/ws/shop'))({ path: 'settings', range: at })).toBeUndefined();
  });
});
