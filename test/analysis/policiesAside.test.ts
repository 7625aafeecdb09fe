import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultSettings } from '../../server/src/analysis/configuration/settings';
import { policiesAside } from '../../server/src/analysis/policies/policiesAside';
import { applyChange, initialState } from '../../server/src/analysis/state/applyChange';
import type { ChangedFile } from '../../server/src/analysis/state/change';
import type { WorkspaceState } from '../../server/src/analysis/state/workspaceState';
import { readPack } from '../support/packs';
import { sizedFor } from '../support/thorough';

const POLICY = 'apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nmetadata: { name: a }\nspec: { rules: [] }\n';
const DEPLOYED = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n';
const TEXTS = [POLICY, DEPLOYED, `${POLICY}---\n${DEPLOYED}`, '', 'a: 1\n', undefined];
const PATHS = ['a.yaml', 'apps/web.yaml', 'tests/a.yaml', 'apps/tests/b.yaml', 'apps/tests/c/d.yaml'];

const world = { readPack };
const uriOf = (path: string): string => `file:///ws/${path}`;
const asideIn = (state: WorkspaceState): readonly string[] => state.environmentStates().flatMap(policiesAside);

/** What is aside in a new workspace with the texts that count in the end. */
function asideAfresh(changes: readonly ChangedFile[]): readonly string[] {
  const texts = new Map(changes.map(it => [it.uri, it]));
  return asideIn(applyChange(initialState(defaultSettings, world), { files: [...texts.values()] }, world));
}

test('the policies of tests are those that a fresh start finds, after any changes', () => {
  const change = fc.record({ uri: fc.constantFrom(...PATHS.map(uriOf)), text: fc.constantFrom(...TEXTS) });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 25 }), changes => {
      let state = initialState(defaultSettings, world);
      for (const [i, it] of changes.entries()) {
        state = applyChange(state, { files: [it] }, world);
        expect(asideIn(state)).toEqual(asideAfresh(changes.slice(0, i + 1)));
      }
    }),
    { numRuns: sizedFor({ thorough: 100, quick: 40 }), seed: 15 },
  );
});

test('an edit of one file has no others looked at', () => {
  const names = Array.from({ length: 40 }, (_, i) => `tests/p${i}.yaml`);
  const files = [uriOf('a.yaml'), ...names.map(uriOf)].map((uri, i) => ({ uri, text: i === 0 ? DEPLOYED : POLICY }));
  const state = applyChange(initialState(defaultSettings, world), { files }, world);
  expect(asideIn(state)).toHaveLength(40);
  const edited = applyChange(state, { files: [{ uri: uriOf('a.yaml'), text: `${DEPLOYED}data: {}\n` }] }, world);
  const looked: string[] = [];
  const environments = edited.environmentStates().map(it => ({
    ...it,
    snapshot: {
      ...it.snapshot,
      objectsIn(uri: string) {
        looked.push(uri);
        return it.snapshot.objectsIn(uri);
      },
    },
  }));
  expect(environments.flatMap(policiesAside)).toHaveLength(40);
  expect(new Set(looked)).toEqual(new Set([uriOf('a.yaml')]));
});
