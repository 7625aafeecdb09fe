import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { affected, compare } from '../../tools/audit.mjs';
import { products, root } from './product';

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses: readonly { readonly license?: { readonly id: string }; readonly expression?: string }[];
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

interface Bill {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly serialNumber: string;
  readonly metadata: { readonly component: { readonly 'bom-ref': string; readonly version: string } };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

const read = (path: string): string => readFileSync(join(products.extension, path), 'utf8');
const bill: Bill = JSON.parse(read('dist/sbom.cdx.json'));

/** `NAME VERSION` of everything whose licence a file repeats. */
const namedIn = (path: string): readonly string[] =>
  [...new Set([...read(path).matchAll(/^(\S+ v?\d\S*) \(\S+\)$/gm)].map(([, named]) => named as string))].sort();
const componentsOf = (type: string): readonly Component[] =>
  bill.components.filter(it => it.purl.startsWith(`pkg:${type}/`));
const named = (components: readonly Component[]): readonly string[] =>
  components.map(it => `${it.name} ${it.version}`).sort();

describe('the bill of materials of the extension', () => {
  it('is CycloneDX 1.6 of this version', () => {
    const { version } = JSON.parse(read('package.json'));
    expect([bill.bomFormat, bill.specVersion, bill.metadata.component.version]).toEqual(['CycloneDX', '1.6', version]);
    expect(bill.serialNumber).toMatch(
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    const refs = bill.components.map(it => it['bom-ref']);
    expect(new Set(refs).size).toBe(refs.length);
    expect(bill.dependencies[0]).toEqual({ ref: bill.metadata.component['bom-ref'], dependsOn: refs });
  });

  it('names what the notices name, and nothing else', () => {
    const { 'dist/notices.txt': ours = [], 'dist/policyEngine.notices.txt': engine = [] } = Object.fromEntries(
      ['dist/notices.txt', 'dist/policyEngine.notices.txt'].map(it => [it, namedIn(it)]),
    );
    expect(ours.length).toBeGreaterThan(30);
    expect(named(componentsOf('npm'))).toEqual(ours);
    expect(engine.length).toBeGreaterThan(80);
    expect(named(componentsOf('golang').filter(it => it.name !== 'std'))).toEqual(engine);
  });

  it('has the sum and the licence of each', () => {
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
    const sums = new Set(Object.values<{ integrity?: string }>(lock).map(it => it.integrity));
    for (const { name, hashes = [] } of componentsOf('npm')) {
      const integrity = `sha512-${Buffer.from(hashes[0]?.content ?? '', 'hex').toString('base64')}`;
      expect(sums, name).toContain(integrity);
    }
    const goSum = readFileSync(join(root, 'server/policyEngine/go.sum'), 'utf8').split('\n');
    for (const { name, version, properties } of componentsOf('golang').filter(it => it.name !== 'std'))
      expect(goSum, name).toContain(`${name} ${version} ${properties?.[0]?.value}`);
    expect(bill.components.filter(it => !(it.licenses[0]?.license?.id ?? it.licenses[0]?.expression))).toEqual([]);
  });
});

describe('the audit', () => {
  const events = [{ introduced: '0' }, { fixed: '1.2.3' }, { introduced: '2.0.0-rc.1' }, { fixed: '2.0.1' }];
  const advisory = (ecosystem: string, name: string, range: object): object => ({
    id: 'X-1',
    affected: [{ package: { ecosystem, name }, ranges: [range] }],
  });
  const npm = (version: string) => ({ name: 'a', version, purl: `pkg:npm/a@${version}` });

  it.each([
    ['0.9.0', 1],
    ['1.2.3-beta.2', 1],
    ['1.2.3', 0],
    ['2.0.0-alpha', 0],
    ['2.0.0', 1],
    ['2.0.1', 0],
  ])('finds a version that an advisory is about: %s', (version, found) => {
    expect(affected([npm(version)], [advisory('npm', 'a', { type: 'SEMVER', events })])).toHaveLength(found);
    expect(affected([npm(version)], [advisory('Go', 'a', { type: 'SEMVER', events })])).toEqual([]);
  });

  it('knows Go’s library, pseudo-versions, last affected versions, and what was withdrawn', () => {
    const std = { name: 'std', version: '1.26.8', purl: 'pkg:golang/std@1.26.8' };
    const range = (last: string) => ({ type: 'SEMVER', events: [{ introduced: '1.26.0' }, { last_affected: last }] });
    expect(affected([std], [advisory('Go', 'stdlib', range('1.26.8'))])).toHaveLength(1);
    expect(affected([std], [advisory('Go', 'stdlib', range('1.26.7'))])).toEqual([]);
    expect(affected([std], [{ ...advisory('Go', 'stdlib', range('1.26.8')), withdrawn: '2026-01-01' }])).toEqual([]);
    expect(compare('v0.0.0-20260616163050-e1eaa1bf6d62', 'v0.0.0-20250616163050-aaaaaaaaaaaa')).toBeGreaterThan(0);
    expect(compare('v1.2.0', 'v1.2.0-0.20260616163050-e1eaa1bf6d62')).toBeGreaterThan(0);
  });
});
