import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../server/src/base/json';
import type { Kube } from '../../server/src/kube/kube';
import { loadKube } from '../../server/src/kube/load';
import { invalidityOf } from '../../server/src/rules/apiserver/invalidity';
import { readPack } from '../support/packs';

const NEWEST = loadKube('1.37', {}, readPack);

const pod = (name: string, requested: string): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'b' },
  spec: {
    containers: [{ name: 'c', image: 'a:1', resources: { requests: { cpu: requested }, limits: { cpu: '1' } } }],
  },
});

/** The same facts, and how often an object was validated with them. */
function counting() {
  const validated = { times: 0 };
  const kube: Kube = Object.create(NEWEST, {
    gatedFields: {
      value: (...given: Parameters<Kube['gatedFields']>) => {
        validated.times += 1;
        return NEWEST.gatedFields(...given);
      },
    },
  });
  return { kube, validated };
}

const refusalOf = (name: string, kube: Kube, requested = '2'): string | undefined =>
  invalidityOf(pod(name, '1'), pod(name, requested), kube)?.text;

describe('Pods that differ in their names alone', () => {
  test('are validated once, whether they are refused or not', () => {
    const { kube, validated } = counting();
    for (let i = 0; i < 20; i++) {
      expect(refusalOf(`web${i}`, kube)).toMatch(
        new RegExp(`^Pod "web${i}" is invalid: .*must be less than or equal to`),
      );
      expect(refusalOf(`web${i}`, kube, '1')).toBeUndefined();
    }
    // The one that is refused, the one as it was before, and the one that is not refused.
    expect([2, 3]).toContain(validated.times);
  });

  test('are told of their names where these are wrong, or part of what is told', () => {
    const { kube } = counting();
    refusalOf('web', kube);
    expect(refusalOf('Web', kube)).toContain('metadata.name: Invalid value: "Web"');
    expect(refusalOf('cpu', kube)).toMatch(/^Pod "cpu" is invalid/);
    expect(refusalOf('web', kube)).toMatch(/^Pod "web" is invalid/);
  });
});
