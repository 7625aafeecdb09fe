import { expect, test } from 'vitest';
import type { Settings } from '../../server/src/analysis/configuration/settings';
import { shownProblems } from '../../server/src/analysis/diagnostics/shown';
import { analysisOf } from './analyse';

const uri = 'test:///shown.yaml';
const MISSPELT =
  'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec:\n  containers:\n    - name: web\n      imgae: nginx\n';

const shown = (settings: Partial<Settings>): readonly string[] =>
  shownProblems(analysisOf({ [uri]: MISSPELT }, settings).diagnostics(uri)).map(it => it.code);

test('what follows from a misspelt field is not shown beside it', () => {
  expect(shown({})).toEqual(['decode/unknown-field']);
});

test('a consequence whose cause is suppressed is shown', () => {
  expect(shown({ severity: { 'decode/unknown-field': 'off' } })).toEqual(['apiserver/required']);
});

test('the fields that only the server writes are one problem', () => {
  const text = `apiVersion: v1
kind: ConfigMap
metadata: { name: a, uid: b, creationTimestamp: "2026-01-01T00:00:00Z", generation: 3 }
`;
  const shownWith = (severity: Settings['severity']) =>
    shownProblems(analysisOf({ [uri]: text }, { severity }).diagnostics(uri)).map(it => `${it.severity} ${it.code}`);
  expect(shownWith({})).toEqual(['info registry/server-metadata']);
  expect(shownWith({ 'registry/server-metadata': 'off' })).toEqual(['info dropped/field', 'info dropped/field']);
});

test('what the server warns of is not shown beside a known issue of the field', () => {
  const volumes = '  volumes: [{ name: code, gitRepo: { repository: example.com/code } }]\n';
  const text = `${MISSPELT.replace('imgae', 'image')}${volumes}`;
  const shownAt = (kubernetesVersion: string) =>
    shownProblems(analysisOf({ [uri]: text }, { kubernetesVersion }).diagnostics(uri)).map(it => it.code);
  expect(shownAt('1.33')).toEqual(['known-issue/gitrepo-volume-disabled']);
  expect(shownAt('1.32')).toEqual(['warning/server']);
});
