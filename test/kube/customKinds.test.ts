import { expect, it } from 'vitest';
import { type CustomDefinition, withCustomKinds } from '../../server/src/kube/customKinds';
import type { Kube, StructuralSchema } from '../../server/src/kube/kube';
import { loadKube } from '../../server/src/kube/load';
import { readPack } from '../support/packs';

const SCHEMA = {
  type: 'object',
  description: 'A gadget.',
  properties: {
    spec: { type: 'object', description: 'What is *wanted*.', properties: { 'a/b.c': { type: 'string' } } },
  },
};

/** A definition that counts how often its schema is read. */
function counted() {
  const state = { reads: 0 };
  const definition: CustomDefinition = {
    ...{ group: 'example.com', version: 'v1', kind: 'Gadget', resource: 'gadgets', namespaced: true },
    source: SCHEMA,
    schema() {
      state.reads += 1;
      return SCHEMA as StructuralSchema;
    },
    subresources: { status: false },
  };
  return { definition, state };
}
const facts = (): Kube => loadKube('1.37', {}, readPack);

it('the schema of a custom kind is read when it is used, and not when kinds are listed', () => {
  const { definition, state } = counted();
  const kube = withCustomKinds(facts(), [definition]);
  const [own] = kube.kinds().filter(it => it.group === 'example.com');
  expect(own).toMatchObject({ version: 'v1', kind: 'Gadget', resource: 'gadgets', served: 'on', origin: 'crd' });
  expect(state.reads).toBe(0);
  expect([...(own?.schema.fields.keys() ?? [])]).toEqual(['apiVersion', 'kind', 'metadata', 'spec']);
  expect(state.reads).toBe(1);
});

it('a definition that several environments have is read once', () => {
  const { definition, state } = counted();
  const kube = facts();
  for (let i = 0; i < 3; i++)
    expect(withCustomKinds(kube, [definition]).kindOf('example.com/v1', 'Gadget')?.structural).toBe(SCHEMA);
  expect(state.reads).toBe(1);
});

it.each([
  ['example.com/v1.Gadget', '', 'A gadget.'],
  ['example.com/v1.Gadget', 'spec', 'What is \\*wanted\\*.'],
  ['example.com/v1.Gadget.spec', '', 'What is \\*wanted\\*.'],
  ['example.com/v1.Gadget.spec', 'a/b.c', undefined],
  ['example.com/v2.Gadget', 'spec', undefined],
  ['io.k8s.api.core.v1.PodSpec', 'nodeName', expect.stringContaining('NodeName')],
])('the description of %s %s is that of its schema, as plain text', (of, field, expected) => {
  expect(withCustomKinds(facts(), [counted().definition]).description(of, field)).toEqual(expected);
});
