import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAnalysisHost } from '../../server/src/analysis/host';
import { definitionOf } from '../support/definition';
import { readPack } from '../support/packs';
import { sizedFor } from '../support/thorough';

const definition = definitionOf(`          properties:
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
`);

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

const [DEFINITION, RESOURCE] = ['file:///w/crd.yaml', 'file:///w/gadget.yaml'];
const gadget =
  'apiVersion: example.com/v1\nkind: Gadget\nmetadata: { name: a, namespace: b }\nspec: { size: 1, part: { a: 1 } }\n';

test('a description is new in hovers at once, and no other file is checked again for it', () => {
  const typed = host(definition);
  typed.apply({ files: [{ uri: RESOURCE, text: gadget }] });
  const problems = () => typed.analysis().diagnostics(RESOURCE);
  const before = problems();
  expect(before.map(it => it.message)).toEqual([expect.stringContaining('"part" breaks a rule')]);
  for (const words of ['how large', 'how large it is']) {
    const text = definition.replace('{ type: integer, format', `{ description: ${words}, type: integer, format`);
    expect(typed.apply({ files: [{ uri: DEFINITION, text }] })).toEqual([DEFINITION]);
    expect(problems()).toBe(before);
    const at = gadget.indexOf('size');
    expect(typed.analysis().hover(RESOURCE, at)?.markdown).toContain(words);
  }
  const text = definition.replace('self.a > 1', 'self.a > 0');
  expect(typed.apply({ files: [{ uri: DEFINITION, text }] })).toContain(RESOURCE);
  expect(problems()).toEqual([]);
});

/** A definition of two versions that is long enough to be read in parts. */
function longDefinition(): string {
  const part = (i: number) => `                part${i}:
                  type: object
                  description: The part ${i} of the gadget, with all that it needs to run.
                  required: [name]
                  x-kubernetes-validations:
                  - rule: self.name != "n${i}" || has(self.mode)
                    message: needs a mode
                  properties:
                    name: { type: string, maxLength: 63, pattern: "^[a-z]+$" }
                    mode:
                      type: string
                      enum: [A, B]
                      default: A
                    ports:
                      type: array
                      maxItems: 10
                      x-kubernetes-list-type: map
                      x-kubernetes-list-map-keys: [port]
                      items:
                        type: object
                        required: [port]
                        properties:
                          port: { type: integer, format: int32 }
                    any:
                      anyOf:
                      - type: integer
                      - type: string
                      x-kubernetes-int-or-string: true
`;
  const version = (name: string, storage: boolean) => `    - name: ${name}
      served: true
      storage: ${storage}
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
${[0, 1, 2, 3].map(part).join('')}`;
  return `${definition.slice(0, definition.indexOf('    - name'))}${version('v1', true)}${version('v2', false)}`;
}

const edit = fc.record({
  line: fc.noBias(fc.nat({ max: 9_999 })),
  what: fc.constantFrom('add', 'append', 'replace', 'remove', 'back'),
  word: fc.constantFrom(
    'description: new',
    'default: 1',
    'default: A',
    'type: string',
    'type: object',
    'nullable: true',
    'uniqueItems: true',
    'format: odd',
    'pattern: (',
    'maxLength: 3',
    'x-kubernetes-preserve-unknown-fields: true',
    'x-kubernetes-list-type: set',
    '- rule: self.name == 1',
    '- type: integer',
    'unknown: 1',
    'typ',
    '# c',
  ),
});

test('after any edits of a definition the problems are those of a file that is opened', () => {
  const long = longDefinition();
  const resource = gadget.replace(
    '{ size: 1, part: { a: 1 } }',
    '{ part1: { name: n1 }, part2: { ports: [{ port: a }] } }',
  );
  const seen = new Set<string>();
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 6 }), edits => {
      const typed = host(long);
      typed.apply({ files: [{ uri: RESOURCE, text: resource }] });
      let text = long;
      for (const { line, what, word } of edits) {
        const lines = (what === 'back' ? long : text).split('\n');
        const at = line % lines.length;
        const indent = /^ */.exec(lines[at]!)![0];
        if (what === 'append') lines[at] += ' x';
        else if (what !== 'back')
          lines.splice(at, what === 'add' ? 0 : 1, ...(what === 'remove' ? [] : [indent + word]));
        text = lines.join('\n');
        typed.apply({ files: [{ uri: DEFINITION, text }] });
        const fresh = host(text);
        fresh.apply({ files: [{ uri: RESOURCE, text: resource }] });
        for (const uri of [DEFINITION, RESOURCE]) {
          const [now, opened] = [typed, fresh].map(it => it.analysis().diagnostics(uri).map(problemText));
          expect(now).toEqual(opened);
          for (const it of opened!) seen.add(it.split(' ')[1]!);
        }
      }
    }),
    { numRuns: sizedFor({ thorough: 10, quick: 4 }), seed: 3 },
  );
  expect([...seen].sort()).toEqual(expect.arrayContaining(['apiserver/refused', 'decode/unknown-field']));
});

const problemText = ({
  span,
  code,
  message,
}: {
  span: { start: number; end: number };
  code: string;
  message: string;
}) => `${span.start}-${span.end} ${code} ${message}`;

const hostOf = (files: Readonly<Record<string, string>>) => {
  const made = host(definition);
  made.apply({ files: Object.entries(files).map(([uri, text]) => ({ uri, text })) });
  return made;
};

const toldIn = (of: ReturnType<typeof host>) => {
  const analysis = of.analysis();
  return analysis.uris.map(uri => [uri, analysis.diagnostics(uri).map(it => `${it.span.start} ${it.message}`)]);
};

const [OTHER, ROUTED, RESOURCES] = ['file:///w/other.yaml', 'file:///w/app.yaml', 'file:///w/two.yaml'];
const other = definition.replaceAll('gadget', 'widget').replaceAll('Gadget', 'Widget');
const widget = gadget.replace('Gadget', 'Widget');
const files = {
  [OTHER]: other,
  [RESOURCE]: gadget,
  [RESOURCES]: `${widget}---\n${widget.replace('name: a', 'name: b')}---\n${gadget.replace('name: a', 'name: c')}`,
  'file:///w/widget.yaml': widget,
  [ROUTED]: 'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: app, namespace: b }\nspec: { replicas: x }\n',
};

test.each([
  ['a schema', 'size: { type: integer,', 'size: { type: string,', [DEFINITION, RESOURCE, RESOURCES]],
  ['a rule', 'self.a > 1', 'self.a > 2', [DEFINITION, RESOURCE, RESOURCES]],
  [
    'a text for people',
    'type: object\n          properties',
    'description: new\n          type: object\n          properties',
    [DEFINITION],
  ],
  ['the scope', 'scope: Namespaced', 'scope: Cluster', undefined],
  ['whether a version is served', 'served: true', 'served: false', undefined],
])('a change of %s has its resources checked again alone, or all files where kinds differ', (_, from, to, touched) => {
  const typed = hostOf(files);
  toldIn(typed);
  for (const now of [definition.replace(from, to), definition, definition.replace(from, to)]) {
    const uris = typed.apply({ files: [{ uri: DEFINITION, text: now }] });
    expect([...uris].sort()).toEqual([...(touched ?? [DEFINITION, ...Object.keys(files)])].sort());
    const opened = hostOf({ ...files, [DEFINITION]: now });
    expect(toldIn(typed)).toEqual(toldIn(opened));
  }
});

test('an answer for a resource before its definition changed is not given after it', () => {
  const typed = hostOf(files);
  const early = typed.analysis();
  typed.apply({
    files: [{ uri: DEFINITION, text: definition.replace('size: { type: integer', 'size: { type: string') }],
  });
  expect(early.diagnostics(RESOURCE).map(it => it.message)).toHaveLength(1);
  expect(typed.analysis().diagnostics(RESOURCE)).toHaveLength(2);
});
