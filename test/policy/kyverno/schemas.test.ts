import { describe, expect, it } from 'vitest';
import { loadKube } from '../../../server/src/kube/load';
import { readPack } from '../../support/packs';

const kube = loadKube('1.37', {}, readPack);

describe("the fields of Kyverno's own kinds", () => {
  it.each([
    ['kyverno.io/v1', 'ClusterPolicy', false],
    ['kyverno.io/v1', 'Policy', true],
    ['kyverno.io/v2', 'CleanupPolicy', true],
    ['kyverno.io/v2', 'PolicyException', true],
    ['policies.kyverno.io/v1', 'ValidatingPolicy', false],
    ['policies.kyverno.io/v1', 'NamespacedMutatingPolicy', true],
    ['policies.kyverno.io/v1beta1', 'ImageValidatingPolicy', false],
  ])('are known: %s %s', (apiVersion, kind, namespaced) => {
    const found = kube.kindOf(apiVersion, kind);
    expect(found).toMatchObject({ served: 'on', namespaced });
    expect(found?.schema.fields.get('spec')?.schema.type).toBe('object');
  });

  it('list their values, and leave patterns open', () => {
    const spec = kube.kindOf('kyverno.io/v1', 'ClusterPolicy')?.schema.fields.get('spec')?.schema;
    const rules = spec?.type === 'object' ? spec.fields.get('rules')?.schema : undefined;
    const rule = rules?.type === 'list' && rules.items.type === 'object' ? rules.items : undefined;
    const validate = rule?.fields.get('validate')?.schema;
    expect(rule?.fields.get('match')?.required).toBe(true);
    expect(validate?.type === 'object' && validate.fields.get('failureAction')?.schema).toMatchObject({
      enum: ['Audit', 'Enforce'],
    });
    expect(validate?.type === 'object' && validate.fields.get('pattern')?.schema).toEqual({ type: 'any' });
  });
});
