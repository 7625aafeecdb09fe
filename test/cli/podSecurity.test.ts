import { describe, expect, it } from 'vitest';
import { readSettings } from '../../server/src/lsp/settings';
import { run } from './world';

const files = {
  'web.yaml':
    'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec:\n  hostPID: true\n  containers: [{ name: web, image: "web:1" }]\n',
  'levels.yaml': 'podSecurity: { defaults: { enforce: baseline, enforce-version: v1.30 } }\n',
  'exempt.yaml': 'podSecurity: { defaults: { enforce: baseline }, exemptions: { namespaces: [default] } }\n',
  'wrong.yaml': 'podSecurity: { defaults: { enforce: strict } }\n',
};
const check = (...args: readonly string[]) => run(['check', '--only', 'policy', ...args, 'web.yaml'], files);

describe('berth check with Pod security', () => {
  it('says nothing by default', async () => {
    expect((await check()).code).toBe(0);
  });

  it('takes the level from the configuration or from the command line, which goes above', async () => {
    expect((await check('--config', 'levels.yaml')).out).toContain(
      'violates PodSecurity "baseline:v1.30": host namespaces',
    );
    const { code, out } = await check('--config', 'levels.yaml', '--pod-security', 'restricted');
    expect(code).toBe(1);
    expect(out).toContain('violates PodSecurity "restricted:latest": host namespaces (hostPID=true)');
    expect((await check('--config', 'exempt.yaml', '--pod-security', 'restricted')).code).toBe(0);
  });

  it('refuses a level that does not exist', async () => {
    const ofConfiguration = await check('--config', 'wrong.yaml');
    expect(ofConfiguration.code).toBe(2);
    expect(ofConfiguration.err).toContain('must be one of privileged, baseline, restricted');
    const ofArgument = await check('--pod-security', 'strict');
    expect(ofArgument.code).toBe(2);
    expect(ofArgument.err).toContain('--pod-security "strict": the level must be one of');
  });
});

describe('the setting berth.podSecurity', () => {
  it('is absent when it says nothing', () => {
    expect(readSettings({ podSecurity: {} }).settings).not.toHaveProperty('podSecurity');
  });

  it('is read like the configuration, and what it cannot follow is told', () => {
    const { settings, problems } = readSettings({ podSecurity: { defaults: { warn: 'baseline', audit: 'strict' } } });
    expect(settings.podSecurity?.defaults.warn).toEqual({ level: 'baseline', version: 'latest' });
    expect(problems).toEqual([
      'Setting berth.podSecurity: defaults.audit: Invalid value: "strict": must be one of privileged, baseline, restricted.',
    ]);
  });
});
