import { describe, expect, it } from 'vitest';
import { createAnalysisHost } from '../../server/src/analysis/host';
import { definitionOf } from '../support/definition';
import { readPack } from '../support/packs';
import { analysisOf } from './analyse';
import { labelsIn } from './completing';

const template = (more = '') => `apiVersion: templates.gatekeeper.sh/v1
kind: ConstraintTemplate
metadata: { name: needslabel }
spec:
  crd:
    spec:
      names: { kind: NeedsLabel }
      validation:
        openAPIV3Schema:
          type: object
          required: [label]
          properties:
            label: { type: string, description: The label that must be there. }
            mode: { type: string, enum: [strict, lax] }${more}
  targets: [{ target: admission.k8s.gatekeeper.sh, rego: "package needslabel" }]
`;
const constraint = (spec: string) => `apiVersion: constraints.gatekeeper.sh/v1beta1
kind: NeedsLabel
metadata:
  name: team
spec:
${spec}`;

const definition = (rule: string) =>
  definitionOf(`          properties:
            spec:
              type: object
              properties:
                least: { type: integer, minimum: 1 }
                most: { type: integer }
              x-kubernetes-validations: [{ rule: ${rule}, message: least must not be more than most }]
`);
const gadget = (spec: string) => `apiVersion: example.com/v1
kind: Gadget
metadata: { name: a }
spec: { ${spec} }
`;

const told = (files: Readonly<Record<string, string>>, uri: string) =>
  analysisOf(files)
    .diagnostics(uri)
    .map(it => `${it.code} ${it.message}`);

describe('constraints of templates in the workspace', () => {
  const files = { 'template.yaml': template() };

  it('are completed by the schema of their template', () => {
    expect(labelsIn(constraint('  |\n'), { files })).toEqual(
      expect.arrayContaining(['enforcementAction', 'match', 'parameters', 'scopedEnforcementActions']),
    );
    expect(labelsIn(constraint('  parameters:\n    |\n'), { files })).toEqual(['label', 'mode']);
    expect(labelsIn(constraint('  parameters:\n    mode: |\n'), { files })).toEqual(['strict', 'lax']);
    expect(labelsIn(constraint('  match:\n    |\n'), { files })).toContain('excludedNamespaces');
  });

  it('have the documentation of their template', () => {
    const text = constraint('  parameters:\n    label: x\n');
    const analysis = analysisOf({ ...files, 'a.yaml': text });
    expect(analysis.hover('a.yaml', text.indexOf('label: x'))?.markdown).toContain('The label that must be there.');
  });

  it('are rejected where they contradict it', () => {
    const wrong = constraint('  parameters: { mode: loose, lable: x }\n');
    expect(told({ ...files, 'a.yaml': wrong }, 'a.yaml')).toEqual([
      expect.stringMatching(/^apiserver\/required .*spec\.parameters\.label/),
      expect.stringMatching(/^apiserver\/enum .*use strict or lax/),
      expect.stringMatching(/^decode\/unknown-field .*did you mean "label"/),
    ]);
    expect(told({ ...files, 'a.yaml': constraint('  parameters: { mode: lax, label: x }\n') }, 'a.yaml')).toEqual([]);
  });

  it('accept every parameter where the template has a legacy schema', () => {
    const unknown = constraint('  parameters: { lable: x }\n');
    const older = template().replace('gatekeeper.sh/v1', 'gatekeeper.sh/v1beta1');
    expect(told({ 'template.yaml': older, 'a.yaml': unknown }, 'a.yaml')).toEqual([]);
  });
});

describe('custom resources of definitions in the workspace', () => {
  const files = { 'crd.yaml': definition('self.least <= self.most') };

  it('are validated by their schema and its CEL rules', () => {
    expect(told({ ...files, 'a.yaml': gadget('least: 3, most: 2') }, 'a.yaml')).toEqual([
      expect.stringContaining('least must not be more than most'),
    ]);
    expect(told({ ...files, 'a.yaml': gadget('least: 1, most: 2, mots: 3') }, 'a.yaml')).toEqual([
      expect.stringContaining('unknown field "spec.mots"'),
    ]);
    expect(told({ ...files, 'a.yaml': gadget('least: 1, most: 2') }, 'a.yaml')).toEqual([]);
  });

  it.each([
    [
      'self.least <= self.most',
      'least must not be more than most',
      '"spec" breaks a rule of its definition: least must not be more than most',
    ],
    ['self.least <= self.most', '""', '"spec" breaks a rule of its definition: self.least <= self.most'],
    ['self.least <= self.most', 'twice, reason: FieldValueDuplicate', '"spec" breaks a rule of its definition'],
    ['self.least <= self.most', 'never, reason: FieldValueForbidden', '"spec" breaks a rule of its definition: never'],
    ['self.least / 0 > 1', '""', 'a rule for "spec" has no answer: division by zero'],
  ])('are told what the rule %s with the message %s says', (rule, words, headline) => {
    const text = definition(rule).replace('message: least must not be more than most', `message: ${words}`);
    const [problem] = analysisOf({ 'crd.yaml': text, 'a.yaml': gadget('least: 3, most: 2') }).diagnostics('a.yaml');
    expect(problem?.headline).toBe(headline);
    expect(problem?.fixes.map(it => it.title)).toEqual([expect.stringMatching(/^Ignore /)]);
  });

  it('are validated again when the definition changes', () => {
    const host = createAnalysisHost({ readPack, onBug: (_, error) => expect.fail(String(error)) });
    const written = Object.entries({ ...files, 'a.yaml': gadget('least: 3, most: 2') });
    host.apply({ files: written.map(([uri, text]) => ({ uri, text })) });
    const count = () => host.analysis().diagnostics('a.yaml').length;
    expect(count()).toBe(1);
    host.apply({ files: [{ uri: 'crd.yaml', text: definition('self.least >= self.most') }] });
    expect(count()).toBe(0);
    host.apply({ files: [{ uri: 'crd.yaml', text: undefined }] });
    expect(count()).toBe(0);
  });

  it('are not validated where two files define them differently', () => {
    const two = { ...files, 'other.yaml': definition('self.least >= self.most') };
    expect(told({ ...two, 'a.yaml': gadget('least: 3, most: 2, mots: 1') }, 'a.yaml')).toEqual([]);
  });

  it.each([
    ['a field whose type is not typed yet', 'type: integer', 'least: 1, most:', 'least: 3, more: 4'],
    [
      'a keyword of another type',
      'enum: 1, required: yes, properties: [a], anyOf: 3',
      'type: integer, items: x',
      'least: 2',
    ],
    ['schemas that are null', 'allOf: [null], not: null, items: null', 'additionalProperties: null', 'least: [{}]'],
    ['a number of 64 bits', 'type: integer, default: 9223372036854775807', 'type: integer', 'most: 2'],
  ])('are validated by the readable part of a schema with %s', (_name, least, most, spec) => {
    const text = definition('self.least <= self.most')
      .replace('{ type: integer, minimum: 1 }', `{ ${least} }`)
      .replace('most: { type: integer }', most.endsWith(':') ? 'most:' : `most: { ${most} }`);
    const problems = told({ 'crd.yaml': text, 'a.yaml': gadget(`${spec}, mots: 1`) }, 'a.yaml');
    expect(problems).toContainEqual(expect.stringContaining('unknown field "spec.mots"'));
  });
});

describe('sentences about resources of definitions', () => {
  const numbers = definitionOf(`          properties:
            spec:
              type: object
              properties:
                ratio: { type: number, maximum: 0.75 }
                high: { type: number, maximum: 2.5, exclusiveMaximum: true }
                low: { type: number, minimum: 1.5, exclusiveMinimum: true }
                step: { type: number, multipleOf: 0.1 }
                fives: { type: integer, multipleOf: 5 }
                mac: { type: string, format: mac }
`);
  const costly = definitionOf(`          properties:
            names:
              type: array
              items: { type: string }
              x-kubernetes-validations: [{ rule: "self.all(a, self.all(b, a == b))" }]
`);
  const headlines = (files: Readonly<Record<string, string>>, uri: string) =>
    told(files, uri).map(it => it.split(' — ')[0]);

  it.each([
    ['ratio: 0.8', '"ratio" must be at most 0.75; it is 0.8'],
    ['high: 2.5', '"high" must be less than 2.5; it is 2.5'],
    ['low: 1.5', '"low" must be more than 1.5; it is 1.5'],
    ['step: 0.25', '"step" must be a multiple of 0.1; it is 0.25'],
  ])('name the bound of a number: %s', (spec, sentence) => {
    expect(headlines({ 'crd.yaml': numbers, 'a.yaml': gadget(spec) }, 'a.yaml')).toEqual([
      `apiserver/refused ${sentence}`,
    ]);
  });

  it.each([
    ['fives: -2147483649', ['apiserver/refused "fives" must be a multiple of 5; it is -2147483649']],
    ['fives: -2147483650', []],
    ['mac: "4111111111111111"', []],
    ['mac: "411111111111111"', ['apiserver/refused "411111111111111" is no valid mac']],
  ])('are exact: %s', (spec, sentences) => {
    expect(headlines({ 'crd.yaml': numbers, 'a.yaml': gadget(spec) }, 'a.yaml')).toEqual(sentences);
  });

  it('call a rule that is too expensive by its name', () => {
    expect(headlines({ 'crd.yaml': costly }, 'crd.yaml')).toContain(
      'apiserver/refused this "rule" could cost more than 100x what the server allows: limit the lists, maps and texts that it reads with maxItems, maxProperties and maxLength',
    );
  });
});
