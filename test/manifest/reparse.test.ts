import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ParsedDocument } from '../../server/src/manifest/file';
import { itemNode } from '../../server/src/manifest/list';
import { has, locatedTree, pathAt, spanOf } from '../../server/src/manifest/locate';
import type { ManifestFile } from '../../server/src/manifest/manifest';
import { parseManifests } from '../../server/src/manifest/parse';
import { readDocument } from '../../server/src/manifest/reader/read';
import { reparseManifests } from '../../server/src/manifest/reparse';
import type { Span } from '../../server/src/text/span';
import { sizedFor } from '../support/thorough';

const pod = (name: string) => `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
  labels: {app: ${name}, "tier": 'web'}
spec:
  containers:
  - name: c # berth-ignore a/b: because
    image: "nginx"
    args: ["-c", 'x',
      y]
    command:
      - |
        echo
        --- not a document
`;
const indented = (text: string) => `- ${text.trimEnd().replaceAll('\n', '\n  ')}\n`;
const plainItem = (name: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  name: twice\ndata:\n  a: |\n    x\n  b: "y"\n`;
const samples = [
  `${pod('a')}---\n${pod('b')}---\n# nothing\n---\n${pod('c')}`,
  `# head\n---\n${pod('a')}...\n---\r\n${pod('b').replaceAll('\n', '\r\n')}`,
  `apiVersion: v1\nkind: List\nitems:\n${[plainItem('a'), plainItem('b'), plainItem('c')].map(indented).join('')}`,
  `kind: PodList\nitems:\n${[plainItem('a'), plainItem('b')].map(indented).join('').replaceAll(/^/gm, '  ')}\nmetadata: {}\n---\n${pod('z')}`,
  '{"kind":"Pod","a":[1,2]}\n{"kind":"Pod"}\n---\n{"kind":"Pod",\n "b": {"c": "d"}}\n',
  'a: &x {b: 1}\nc: *x\nd:\n  <<: *x\n',
];
const listOf = (items: readonly string[], kind = 'List') => `apiVersion: v1\nkind: ${kind}\nitems:\n${items.join('')}`;
const deeper = (text: string) => text.replaceAll(/^(?=.)/gm, '  ');
const podItem = indented(pod('p'));
const jsonItem = (name: string) => `  {"kind": "ConfigMap",\n   "metadata": {"name": "${name}"}, "data": {"a": "1"}}`;
/** Lists in every style, valid and broken. */
const lists = {
  'with items that end in block scalars': listOf([
    `- kind: A\n  a: |+\n    x\n\n`,
    `- kind: B\n  b: >-\n    x\n    y\n# c\n`,
    podItem,
  ]),
  'whose items are not last': `kind: DeploymentList\nitems:\n${podItem}${indented(plainItem('b'))}metadata: {}\nkind: PodList\n`,
  'with indented dashes and comments': listOf(
    [`# first\n${podItem}`, `# berth-ignore a/b: c\n${indented(plainItem('b'))}`].map(deeper),
    'PodList',
  ),
  'with anchors that other items use': listOf([
    `- &a\n  kind: A\n  labels: &l {x: y}\n`,
    `- kind: B\n  labels: *l\n`,
    `- <<: *a\n  kind: C\n`,
    podItem,
  ]),
  'of one kind that some items leave out': listOf(
    [indented(plainItem('a')).replace(/apiVersion.*\n {2}kind.*\n {2}/, ''), podItem, `- data: {}\n`],
    'ConfigMapList',
  ),
  'with carriage returns': listOf([podItem, indented(plainItem('b'))]).replaceAll('\n', '\r\n'),
  'with tabs': listOf([`- kind: A\n\ta: b\n`, `- kind: B\n  a:\tb\n`, podItem]),
  'in a List': listOf([indented(listOf([indented(plainItem('a')), podItem], 'PodList')), indented(plainItem('b'))]),
  'in JSON': `{"kind": "List", "items": [\n${['a', 'b', 'c'].map(jsonItem).join(',\n')}\n]}\n`,
  'in flow style': 'kind: List\nitems: [{kind: A, a: [1, 2]}, {kind: B,\n  b: "c"}, kind: C, x]\n',
  'with a line that is being typed': listOf([podItem, podItem.replace('  image', '  ima\n      image'), podItem]),
  'with a quote that is never closed': listOf([podItem, `- kind: B\n  b: "c\n  d: e\n`, indented(plainItem('b'))]),
  'with a bracket that is never closed': listOf([podItem, `- kind: B\n  b: [c\n  d: {e\n`, indented(plainItem('b'))]),
  'with items that are no objects': listOf([`- \n`, `- a\n  b\n`, `-\n  kind: A\n`, `- - kind: B\n`, podItem]),
  'with values that no JSON can hold': listOf([`- a: .nan\n  a: .nan\n`, `- a: !!int x\n  ? b\n  : c\n`, podItem]),
};
/** A document that is long enough to be read again in parts. */
const schemaOf = (fields: number): string => {
  const field = (i: number) => `field${i}:
  type: object
  description: |-
    The field ${i}: what is in it,
    and what it is for. # no comment
  properties:
    mode: {type: string, enum: [A, "B"]} # a comment
    count:
      type: integer
      minimum: ${i}
    "quoted key":
      description: A text that
        goes on
      type: string
  required:
  - mode
  - count
  anyOf:
  - properties:
      mode: {}
    required: [mode]
  -
    not: {}
`;
  const all = Array.from({ length: fields }, (_, i) => field(i).replaceAll(/^(?=.)/gm, ' '.repeat(12))).join('');
  return `# head
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: things.example.com
spec:
  group: example.com
  names: {kind: Thing, plural: things}
  versions:
  - name: v1
    served: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
${all}  - schema:
      openAPIV3Schema:
          properties:
${all}    name: v2
    served: false
  scope: Namespaced
`;
};
const inParts = schemaOf(4);
const partsOfText = (text: string) => (parseManifests('a.yaml', text).documents[0] as ParsedDocument).content.parts;

const snippet = fc.oneof(
  fc.constantFrom(
    '\n',
    '---',
    '\n---\n',
    '-',
    '- ',
    ':',
    ': ',
    '"',
    "'",
    '\t',
    ' ',
    '  ',
    '#',
    '{',
    '}',
    '[',
    ']',
    ',',
    '\n- ',
    '\n-',
    '\n  - ',
  ),
  fc.constantFrom('', 'a', 'ima', 'image: ngi', '\n  x: y\n', '\n- a: b\n', '|', '>', '&a', '*a', '...', '\r', '\r\n'),
  fc.constantFrom('# berth-ignore a/b: c', 'kind: List', 'items:', '\n...\n', '{{ .x }}', '\0', '\ud800'),
);
const edits = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 0, max: 12 }), snippet), {
  minLength: 1,
  maxLength: 5,
});

/** Everything that a user of a parsed file can see. */
function visible(file: ManifestFile) {
  return {
    problems: file.problems,
    documents: file.documents.map(({ index, span, value, problems, duplicateKeys, suppressions, objects }) => ({
      index,
      span,
      value,
      problems,
      duplicateKeys: duplicateKeys.map(it => ({ ...it, path: it.path.toString() })),
      suppressions,
      objects: objects.map(it => ({ document: it.document, item: it.item, value: it.value, span: it.span })),
    })),
  };
}

/** The paths and spans at offsets of the objects, one line for each: there are many, so texts are compared. */
function places(file: ManifestFile): string {
  const lines = file.documents.flatMap(document =>
    document.objects.flatMap(object => {
      const at = [];
      for (let offset = object.span.start; offset <= object.span.end; offset += 3) {
        const found = object.pathAt(offset);
        at.push(
          found &&
            placeLine(found.path.toString(), found.part, object.spanOf(found.path, 'entry'), object.has(found.path)),
        );
      }
      return at;
    }),
  );
  return lines.join('\n');
}

const placeLine = (path: string, part: string, { start, end }: Span, isThere: boolean): string =>
  `${path} ${part} ${start}-${end} ${isThere}`;

type Edits = typeof edits extends fc.Arbitrary<infer T> ? T : never;

/** Edits a text and compares the result of each incremental parse with a full parse. */
function expectSame(sample: string, changes: Edits): void {
  let text = sample;
  let file = parseManifests('a.yaml', text);
  for (const [where, length, inserted] of changes) {
    const at = Math.floor(where * text.length);
    text = text.slice(0, at) + inserted + text.slice(at + length);
    file = reparseManifests(file, text);
    const fresh = parseManifests('a.yaml', text);
    expect(visible(file)).toEqual(visible(fresh));
    const found = places(fresh);
    expect(places(file)).toBe(found);
    expect(found).toBe(placesInWhole(fresh));
  }
}

/** The same positions, looked up in the tree of each whole document. */
function placesInWhole(file: ManifestFile): string {
  const lines = file.documents.flatMap(document => {
    const { start } = document.span;
    const text = (document as ParsedDocument).content.text;
    const { root } = readDocument(text);
    return document.objects.flatMap(({ span, item }) => {
      const own = locatedTree(item === undefined ? root! : itemNode(root!, item), text);
      const at = [];
      for (let offset = span.start; offset <= span.end; offset += 3) {
        const found = pathAt(own, offset - start);
        const entry = spanOf(own, found.path, 'entry');
        const moved = { start: entry.start + start, end: entry.end + start };
        at.push(placeLine(found.path.toString(), found.part, moved, has(own, found.path)));
      }
      return at;
    });
  });
  return lines.join('\n');
}

describe('reading again after an edit', () => {
  test('equals a full parse of the new text', () => {
    fc.assert(fc.property(fc.constantFrom(...samples), edits, expectSame), {
      numRuns: sizedFor({ thorough: 150, quick: 25 }),
      seed: 7,
    });
  });

  test.each(Object.entries(lists))('gives what reading the new text gives, in a List %s', (_, list) => {
    fc.assert(
      fc.property(edits, changes => expectSame(list, changes)),
      { numRuns: sizedFor({ thorough: 40, quick: 8 }), seed: 11 },
    );
  });

  test('gives what reading the new text gives, in one document that is read in parts', () => {
    expect(partsOfText(inParts).length).toBeGreaterThan(8);
    fc.assert(
      fc.property(edits, changes => expectSame(inParts, changes)),
      { numRuns: sizedFor({ thorough: 20, quick: 8 }), seed: 13 },
    );
  });

  /** Edits that keep most of the lines as they are. */
  const lineEdits = fc.array(
    fc.tuple(
      fc.noBias(fc.nat({ max: 9_999 })),
      fc.constantFrom('add', 'add', 'append', 'append', 'replace', 'remove', 'indent', 'outdent'),
      fc.constantFrom('x: 1', 'y: {a: b}', 'z: "c"', 'x', '# c', '', '- a', 'typ', 'text: |+', '1: a', 'type: string'),
    ),
    { minLength: 1, maxLength: 12 },
  );

  test('gives what reading the new text gives, for edits of single lines of one document', () => {
    const read = { alone: 0 };
    const edited = (file: ManifestFile, text: string): ManifestFile => {
      const now = reparseManifests(file, text);
      const fresh = parseManifests('a.yaml', text);
      expect(visible(now)).toEqual(visible(fresh));
      expect(JSON.stringify(now.documents[0]?.value)).toBe(JSON.stringify(fresh.documents[0]?.value));
      if (sharesParts(file, now)) read.alone += 1;
      return now;
    };
    fc.assert(
      fc.property(lineEdits, changes => {
        let file = parseManifests('a.yaml', inParts);
        for (const [where, what, word] of changes) {
          const before = file;
          const lines = before.text.split('\n');
          const at = where % lines.length;
          lines.splice(at, what === 'add' ? 0 : 1, ...linesAfter(lines[at] ?? '', what, word));
          file = edited(before, lines.join('\n'));
          if (partsOfText(file.text).length === 0) file = edited(file, before.text);
        }
        expect(places(file)).toBe(places(parseManifests('a.yaml', file.text)));
      }),
      { numRuns: sizedFor({ thorough: 60, quick: 12 }), seed: 17 },
    );
    expect(read.alone).toBeGreaterThan(sizedFor({ thorough: 100, quick: 30 }));
  });

  const sharesParts = (before: ManifestFile, now: ManifestFile): boolean => {
    const [old, parts] = [before, now].map(it => (it.documents[0] as ParsedDocument | undefined)?.content.parts ?? []);
    return parts!.some((it, i) => it === old![i]);
  };

  function linesAfter(line: string, what: string, word: string): readonly string[] {
    const indent = /^ */.exec(line)![0];
    if (what === 'add' || what === 'replace') return [`${indent}${word}`];
    if (what === 'remove') return [];
    if (what === 'indent') return [`  ${line}`];
    return [what === 'append' ? `${line} ${word}` : line.replace(/^ {2}/, '')];
  }

  test('reads only the part of a long document that changed', () => {
    const before = parseManifests('a.yaml', inParts);
    const text = inParts.replace('minimum: 3', 'minimum: 33');
    const after = reparseManifests(before, text);
    const fieldsOf = (file: ManifestFile) => {
      const value = file.documents[0]!.value as { spec: { versions: { schema: { openAPIV3Schema: object } }[] } };
      return value.spec.versions.map(it => (it.schema.openAPIV3Schema as { properties: object }).properties);
    };
    const [old, now] = [fieldsOf(before), fieldsOf(after)];
    expect(Object.values(now[0]!).map((it, i) => it === Object.values(old[0]!)[i])).toEqual([
      ...[true, true, true, false],
    ]);
    expect(now[1]).toBe(old[1]);
    expect((after.documents[0] as ParsedDocument).content.parts.map(it => it.end - it.start)).toEqual(
      partsOfText(text).map(it => it.end - it.start),
    );
  });

  test('reads only the part that changed beside keys that YAML reads as something else', () => {
    const text = `on: 1\n${inParts.trimEnd()}\noff: 2\n`;
    const before = parseManifests('a.yaml', text);
    const after = reparseManifests(before, text.replace('minimum: 3', 'minimum: 33'));
    expect(sharesParts(before, after)).toBe(true);
    expect(visible(after)).toEqual(visible(parseManifests('a.yaml', after.text)));
    expect(after.documents[0]?.problems.map(it => [it.code, after.text.slice(it.span.start, it.span.end)])).toEqual([
      ['syntax/key-type', 'on'],
      ['syntax/key-type', 'off'],
    ]);
  });

  test('reuses unchanged documents', () => {
    const before = parseManifests('a.yaml', samples[0]!);
    const after = reparseManifests(before, samples[0]!.replace('name: b', 'name: bb'));
    const same = before.documents.map(
      (it, i) => it.objects[0]?.contentId === after.documents[i]?.objects[0]?.contentId,
    );
    expect(same).toEqual([true, false, true, true]);
  });

  test('reuses unchanged items of a List', () => {
    const before = parseManifests('a.yaml', samples[2]!).documents[0]!.objects;
    const file = reparseManifests(parseManifests('a.yaml', samples[2]!), samples[2]!);
    const next = reparseManifests(file, samples[2]!.replace('name: b', 'name: longer')).documents[0]!.objects;
    const old = file.documents[0]!.objects;
    expect(before.length).toBe(3);
    expect(next.map((it, i) => it.contentId === old[i]!.contentId)).toEqual([true, false, true]);
    expect(next[1]!.value.metadata).toEqual({ name: 'twice' });
  });

  /** Which items of a List are reused when one text replaces another. */
  function keptItems(list: string, from: string, to: string): readonly boolean[] {
    const before = parseManifests('a.yaml', list);
    const after = reparseManifests(before, list.replace(from, to));
    const known = new Set(before.documents.flatMap(it => it.objects.map(object => object.contentId)));
    return after.documents.flatMap(it => it.objects.map(object => known.has(object.contentId)));
  }
  const three = listOf(['a', 'b', 'c'].map(it => indented(plainItem(it))));

  test.each([
    ['an item that breaks', three, 'name: b', 'nam', [true, false, true]],
    ['an item that is mended', three.replace('name: b', 'nam'), 'nam\n', 'name: b\n', [true, false, true]],
    ['an unclosed quote', three, 'name: b', 'name: "b', [true, false, true]],
    ['an item that comes', three, '- apiVersion', '- kind: New\n- apiVersion', [false, false, true, true]],
    ['an item that goes', three, indented(plainItem('b')), '', [true, false]],
    ['items that are not last', `${three}metadata: {}\n`, 'name: c', 'nam', [true, true, false]],
    ['a field behind the items', `${three}metadata: {}\n`, 'metadata: {', 'metadat: {', [true, true, true]],
    ['a JSON List', lists['in JSON'], '"b"', '"longer"', [true, false, true]],
    ['an anchor elsewhere', lists['with anchors that other items use'], 'x: y', 'x: z', [false, false, false, true]],
    [
      'an item beside anchors',
      lists['with anchors that other items use'],
      'name: p',
      'name: q',
      [false, false, false, false],
    ],
  ])('carries over the other items of a List: %s', (_, list, from, to, expected) => {
    expect(keptItems(list, from, to)).toEqual(expected);
  });
});
