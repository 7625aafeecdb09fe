import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ManifestFile } from '../../server/src/manifest/manifest';
import { parseManifests } from '../../server/src/manifest/parse';
import { reparseManifests } from '../../server/src/manifest/reparse';

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
  ),
  fc.constantFrom('', 'a', 'ima', 'image: ngi', '\n  x: y\n', '\n- a: b\n', '|', '>', '&a', '*a', '...', '\r', '\r\n'),
  fc.constantFrom('# berth-ignore a/b: c', 'kind: List', 'items:', '\n...\n', '{{ .x }}', '\0', '\ud800'),
);
const edits = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 0, max: 12 }), snippet), {
  minLength: 1,
  maxLength: 5,
});

/** Everything a user of a parsed file can see. */
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

/** The paths and spans at every offset of the objects. */
function places(file: ManifestFile) {
  return file.documents.flatMap(document =>
    document.objects.map(object => {
      const at = [];
      for (let offset = object.span.start; offset <= object.span.end; offset += 3) {
        const found = object.pathAt(offset);
        at.push(
          found && [found.path.toString(), found.part, object.spanOf(found.path, 'entry'), object.has(found.path)],
        );
      }
      return at;
    }),
  );
}

describe('reading again after an edit', () => {
  test('gives what reading the new text gives', () => {
    fc.assert(
      fc.property(fc.constantFrom(...samples), edits, (sample, changes) => {
        let text = sample;
        let file = parseManifests('a.yaml', text);
        for (const [where, length, inserted] of changes) {
          const at = Math.floor(where * text.length);
          text = text.slice(0, at) + inserted + text.slice(at + length);
          file = reparseManifests(file, text);
          const fresh = parseManifests('a.yaml', text);
          expect(visible(file)).toEqual(visible(fresh));
          expect(places(file)).toEqual(places(fresh));
        }
      }),
      { numRuns: 600, seed: 7 },
    );
  });

  test('carries over the documents that did not change', () => {
    const before = parseManifests('a.yaml', samples[0]!);
    const after = reparseManifests(before, samples[0]!.replace('name: b', 'name: bb'));
    const same = before.documents.map(
      (it, i) => it.objects[0]?.contentId === after.documents[i]?.objects[0]?.contentId,
    );
    expect(same).toEqual([true, false, true, true]);
  });

  test('carries over the items of a List that did not change', () => {
    const before = parseManifests('a.yaml', samples[2]!).documents[0]!.objects;
    const file = reparseManifests(parseManifests('a.yaml', samples[2]!), samples[2]!);
    const next = reparseManifests(file, samples[2]!.replace('name: b', 'name: longer')).documents[0]!.objects;
    const old = file.documents[0]!.objects;
    expect(before.length).toBe(3);
    expect(next.map((it, i) => it.contentId === old[i]!.contentId)).toEqual([true, false, true]);
    expect(next[1]!.value.metadata).toEqual({ name: 'twice' });
  });
});
