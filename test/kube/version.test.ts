import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AUTO_VERSION } from '../../server/src/analysis/settings';
import { knownVersion, releaseOf, supportedMinors, unknownPatch, versionIn } from '../../server/src/kube/version';

describe('a version', () => {
  it.each([
    ['1.37', { minor: '1.37' }],
    ['v1.37', { minor: '1.37' }],
    ['1.34+', { minor: '1.34' }],
    ['1.34.2', { minor: '1.34', patch: 2 }],
    [' v1.34.2 ', { minor: '1.34', patch: 2 }],
    ['v1.34.2-gke.1200', { minor: '1.34', patch: 2 }],
    ['v1.33.4-eks-abc', { minor: '1.33', patch: 4 }],
    ['v1.31.9+k3s1', { minor: '1.31', patch: 9 }],
    ['v1.36.0-rc.1.12+b760c1d5e61d18', { minor: '1.36', patch: 0 }],
    ['v1.29.3', { minor: '1.29', patch: 3 }],
  ])('is read from %j', (text, version) => {
    expect(versionIn(text)).toEqual(version);
  });

  it.each(['', '1', 'latest', '1.37.', '1.37.2.1', '1.037', '1.37.2 beta', '1.37-gke', `1.37.${'9'.repeat(40)}`])(
    'is not read from %j',
    text => {
      expect(versionIn(text)).toBeUndefined();
    },
  );

  it('is known by its minor', () => {
    expect(knownVersion('v1.31.9+k3s1')).toEqual({ minor: '1.31', patch: 9 });
    expect(knownVersion('1.30.1')).toBeUndefined();
  });

  it('is the newest patch release where it names none, or one that is not known yet', () => {
    const newest = releaseOf({ minor: '1.34' });
    expect(newest.patch).toBeGreaterThan(0);
    expect(releaseOf({ minor: '1.34', patch: 999 })).toEqual(newest);
    expect(releaseOf({ minor: '1.34', patch: 0 })).toEqual({ minor: '1.34', patch: 0 });
    expect(unknownPatch({ minor: '1.34' })).toBeUndefined();
    expect(unknownPatch(newest)).toBeUndefined();
    expect(unknownPatch({ minor: '1.34', patch: 999 })).toBe(
      `Kubernetes 1.34.999 is newer than the patch releases that Berth knows; it counts as 1.34.${newest.patch}.`,
    );
  });
});

describe('the known patch releases', () => {
  const manifest = JSON.parse(
    readFileSync(new URL('../../server/data/kubernetes/manifest.json', import.meta.url), 'utf8'),
  ) as { readonly kubernetes: Readonly<Record<string, string>> };

  it.each(supportedMinors)('of %s include the one whose facts Berth has', minor => {
    const facts = versionIn(manifest.kubernetes[minor] ?? '');
    expect(facts?.minor).toBe(minor);
    expect(releaseOf({ minor }).patch).toBeGreaterThanOrEqual(facts?.patch ?? Number.POSITIVE_INFINITY);
  });

  it('are those of the minors that the setting of the editor offers', () => {
    const { contributes } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    const setting = contributes.configuration.properties['berth.kubernetesVersion'];
    expect([...setting.examples].reverse()).toEqual(supportedMinors);
    expect(setting.default).toBe(AUTO_VERSION);
    expect(AUTO_VERSION).toMatch(new RegExp(setting.pattern));
    const isOffered = (text: string): boolean => new RegExp(setting.pattern).test(text);
    expect(supportedMinors.filter(it => !isOffered(it) || !isOffered(`v${it}.4-gke.1200`))).toEqual([]);
    expect(isOffered('1.38')).toBe(false);
  });
});
