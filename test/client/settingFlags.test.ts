import { expect, test } from 'vitest';
import { type ReadSetting, settingFlags, versionFlags } from '../../client/src/settingFlags';

const reading =
  (settings: Readonly<Record<string, unknown>>): ReadSetting =>
  name =>
    settings[name];

test.each([
  ['gates', { featureGates: { A: true, B: false } }, ['--feature-gates', 'A=true,B=false']],
  ['no gate', { featureGates: {} }, []],
  ['a cluster', { cluster: 'kind:kind.yaml' }, ['--cluster', 'kind:kind.yaml']],
  ['what is automatic', { cluster: 'auto' }, []],
  ['nothing', {}, []],
])('the command line is given what the editor is set to: %s', (_, settings, flags) => {
  expect(settingFlags(reading(settings), 'trusted')).toEqual(flags);
});

test('a workspace that is not trusted chooses no cluster', () => {
  expect(settingFlags(reading({ cluster: 'live' }), 'untrusted')).toEqual(['--cluster', 'workspace']);
});

test('a version that the editor does not set is left to the configuration', () => {
  expect(versionFlags(reading({ kubernetesVersion: '1.34' }))).toEqual(['--kubernetes-version', '1.34']);
  expect(versionFlags(reading({ kubernetesVersion: 'auto' }))).toEqual([]);
});
