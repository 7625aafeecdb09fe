import { expect, test } from 'vitest';
import { createAnalysisHost } from '../../server/src/analysis/host';
import { readPack } from '../support/packs';

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: gadgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { kind: Gadget, plural: gadgets }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                size: { type: integer, format: int32, default: 1 }
                name: { type: string, maxLength: 10, pattern: "^a" }
                tags: { type: array, items: { type: string } }
                part:
                  type: object
                  x-kubernetes-validations: [{ rule: self.a > 1 }]
                  properties:
                    a: { type: integer }
`;

const host = (text: string) => {
  const made = createAnalysisHost({
    readPack,
    onBug: (_, error) => {
      throw error;
    },
  });
  made.apply({ files: [{ uri: 'file:///w/crd.yaml', text }] });
  return made;
};

const told = (of: ReturnType<typeof host>) =>
  of
    .analysis()
    .diagnostics('file:///w/crd.yaml')
    .map(it => `${it.span.start} ${it.message}`);

/** What is written in place of what: an error, or nothing wrong. */
test.each([
  ['default: 1', 'default: one'],
  ['"^a"', '"(a"'],
  ['items: { type: string }', 'uniqueItems: true'],
  ['self.a > 1', 'self.b > 1'],
  ['a: { type: integer }', 'a: { type: string }'],
  ['format: int32', 'format: unheard-of'],
  ['                tags:', '                x-y: { id: a, type: string }\n                tags:'],
  ['spec:\n              type: object', 'spec:\n              description: new'],
  [
    '              type: object\n              properties:\n                size',
    '              properties:\n                size',
  ],
])('an edit from %j to %j is told as in a file that is opened, and the way back', (from, to) => {
  const typed = host(definition);
  expect(told(typed)).toEqual([]);
  const text = definition.replace(from, to);
  expect(text).not.toBe(definition);
  for (const now of [text, definition, text]) {
    typed.apply({ files: [{ uri: 'file:///w/crd.yaml', text: now }] });
    expect(told(typed)).toEqual(told(host(now)));
  }
  expect(told(typed)).not.toEqual([]);
});
