import { expect, it } from 'vitest';
import { createAnalysisHost } from '../../server/src/analysis/host';
import { readPack } from '../support/packs';
import { throwBug } from '../support/throwBug';

const KUSTOMIZATION = 'file:///ws/prod/kustomization.yaml';
const OTHER = 'file:///ws/other.yaml';
const pod = (name: string): string => `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\n`;

/** A host with a kustomization that names a file which is not there. */
function opened() {
  const host = createAnalysisHost({ readPack, onBug: throwBug });
  const files = [
    { uri: KUSTOMIZATION, text: 'patches:\n- path: memory.yml\n' },
    { uri: OTHER, text: pod('a') },
  ];
  host.apply({ folders: [{ uri: 'file:///ws' }], files });
  host.apply({ pathKinds: [{ uri: 'file:///ws/prod/memory.yml', what: 'nothing' }] });
  const told = (): readonly string[] =>
    host
      .analysis()
      .diagnostics(KUSTOMIZATION)
      .filter(it => it.code === 'kustomize/path-missing')
      .map(it => it.message);
  const changed = (uri: string, text: string | undefined): boolean =>
    host.apply({ files: [{ uri, text }] }).includes(KUSTOMIZATION);
  return { told, changed };
}

it('a file that comes or goes is suggested, or no longer, for a path that leads nowhere', () => {
  const { told, changed } = opened();
  expect(told()).toEqual(['there is no "memory.yml" here']);
  expect(changed('file:///ws/prod/memory.yaml', pod('b'))).toBe(true);
  expect(told()).toEqual(['there is no "memory.yml" here; did you mean "memory.yaml"?']);
  expect(changed('file:///ws/prod/memory.yaml', undefined)).toBe(true);
  expect(told()).toEqual(['there is no "memory.yml" here']);
});

it('an edit of another file does not have a kustomization with such a path checked again', () => {
  const { told, changed } = opened();
  told();
  expect(changed(OTHER, pod('c'))).toBe(false);
  expect(changed('file:///ws/elsewhere/more.yaml', pod('d'))).toBe(false);
});
