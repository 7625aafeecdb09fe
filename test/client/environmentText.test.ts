import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { environmentText } from '../../client/src/environmentText';

describe('an environment for a folder of Nodes', () => {
  test.each([
    ['a new file', ''],
    ['other settings', 'kubernetesVersion: "1.36"\n'],
    ['a last line without an end', 'kubernetesVersion: "1.36"'],
  ])('is written into %s', (_, text) => {
    const written = environmentText(text, 'clusters/eu west', ['apps', 'job.yaml']);
    expect(parse(written ?? '')).toEqual({
      ...(parse(text) as object | null),
      environments: { 'eu-west': { paths: ['clusters/eu west', 'apps', 'job.yaml'] } },
    });
  });

  test('is left to the author of other environments', () => {
    expect(environmentText('environments:\n  a: { paths: [a] }\n', 'b', [])).toBeUndefined();
  });
});
