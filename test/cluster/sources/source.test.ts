import { describe, expect, test } from 'vitest';
import { parseClusterSource, sourceText } from '../../../server/src/cluster/sources/source';

describe('the source of a cluster', () => {
  test.each([
    ['auto', { from: 'auto' }],
    ['default', { from: 'default' }],
    ['workspace', { from: 'workspace' }],
    ['kind:kind.yaml', { from: 'kind', file: 'kind.yaml' }],
    ['snapshot:C:\\clusters\\prod.yaml', { from: 'snapshot', file: 'C:\\clusters\\prod.yaml' }],
    ['live', { from: 'live' }],
    ['live:arn:aws:eks:eu-west-1:1:cluster/prod', { from: 'live', context: 'arn:aws:eks:eu-west-1:1:cluster/prod' }],
  ])('%s is read, and written again as it was', (text, source) => {
    expect(parseClusterSource(text)).toEqual({ source });
    expect(sourceText(source as Parameters<typeof sourceText>[0])).toBe(text);
  });

  test.each([
    ['', 'is not one of: auto, default,'],
    ['Default', 'is not one of'],
    ['default:x', 'is not one of'],
    ['kind:', 'it must look like kind:FILE'],
    ['snapshot', 'it must look like snapshot:FILE'],
    ['live:', 'names no context'],
  ])('"%s" is refused: %s', (text, why) => {
    expect(parseClusterSource(text)).toEqual({ problem: expect.stringContaining(why) });
  });
});
