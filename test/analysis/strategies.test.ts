import { describe, expect, it } from 'vitest';
import {
  configurationFor,
  configurationOf,
  profileNames,
  STRATEGIES,
} from '../../server/src/analysis/placement/strategies';

const STRANGE = [null, 'a', 1, true, [], {}];

describe('configurations with values of wrong types', () => {
  it.each([
    ...STRANGE.map(it => ['profiles', { profiles: it }] as const),
    ...STRANGE.map(it => ['a profile', { profiles: [it] }] as const),
    ...STRANGE.map(it => ['plugins', { profiles: [{ plugins: it }] }] as const),
    ...STRANGE.map(it => ['score', { profiles: [{ plugins: { score: it } }] }] as const),
    ...STRANGE.map(
      it => ['a plugin', { profiles: [{ plugins: { score: { enabled: [it], disabled: [it] } } }] }] as const,
    ),
    ...STRANGE.map(it => ['pluginConfig', { profiles: [{ pluginConfig: [it] }] }] as const),
  ])('have the default profile, and are read by each strategy: %s, %j', (_, configuration) => {
    expect(profileNames(configuration)).toEqual(['default-scheduler']);
    const tried = { changes: [], profile: 'default-scheduler' };
    expect(configurationOf(tried, configuration, new Set())?.profiles).toMatchObject([
      { schedulerName: 'default-scheduler' },
    ]);
    const scored = STRATEGIES.filter(it => it !== 'configured').map(
      it => configurationFor(it, configuration)?.profiles,
    );
    expect(scored).toEqual([[expect.anything()], [expect.anything()], [expect.anything()]]);
  });
});
