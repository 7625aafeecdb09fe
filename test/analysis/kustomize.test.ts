import { describe, expect, test } from 'vitest';
import { analysisOf } from './analyse';
import { chosen, labelsIn } from './completing';

const root = 'file:///ws/';
const FILES = {
  [`${root}base/kustomization.yaml`]: 'resources: [web.yaml]\n',
  [`${root}base/web.yaml`]: 'apiVersion: v1\nkind: Service\nmetadata: { name: web }\n',
  [`${root}prod/small memory.yaml`]: 'apiVersion: v1\nkind: Service\nmetadata: { name: web }\n',
};
const uri = `${root}prod/kustomization.yaml`;

describe('in a kustomization', () => {
  const text = 'resources:\n- ../base\n- nowhere.yaml\npatches:\n- path: small memory.yaml\n';
  const analysis = analysisOf(
    { ...FILES, [`${root}prod/small%20memory.yaml`]: FILES[`${root}prod/small memory.yaml`]!, [uri]: text },
    { foreignFiles: 'skip' },
  );

  test('paths refer to files, and folders to their kustomization', () => {
    const targets = analysis
      .documentLinks(uri)
      .map(it => [text.slice(it.span.start, it.span.end), it.locations[0]?.uri]);
    expect(targets).toEqual([
      ['../base', `${root}base/kustomization.yaml`],
      ['small memory.yaml', `${root}prod/small%20memory.yaml`],
    ]);
    expect(analysis.definition(uri, text.indexOf('base'))?.locations[0]?.uri).toBe(`${root}base/kustomization.yaml`);
    expect(analysis.definition(uri, text.indexOf('nowhere'))).toBeUndefined();
  });

  test('an editor shows what kustomize cannot read, although the file has no apiVersion and no kind', () => {
    const wrong = analysisOf({ [uri]: 'resource: []\n' }, { foreignFiles: 'skip' });
    expect(wrong.diagnostics(uri).map(it => it.code)).toEqual(['kustomize/unknown-field']);
  });

  test('missing fields and paths are offered', () => {
    expect(labelsIn('resources: []\nname|', { uri, files: FILES })).toEqual(['namePrefix', 'nameSuffix', 'namespace']);
    expect(labelsIn('resources:\n- |', { uri, files: FILES })).toContain('../base');
    expect(chosen('resources:\n- ../b|', '../base', { uri, files: FILES })).toBe('resources:\n- ../base');
    expect(labelsIn('resources:\n- ../base\n- |', { uri, files: FILES })).not.toContain('../base');
  });
});
