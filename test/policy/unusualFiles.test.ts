import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseManifests } from '../../server/src/manifest/parse';
import { unusualFiles } from '../../server/src/policy/conftest/unusualFiles';
import { emptySnapshot, withFiles } from '../../server/src/workspace/snapshot';
import { type FileSubset, snapshotSubset } from '../../server/src/workspace/view';
import type { Snapshot } from '../../server/src/workspace/workspace';
import { sizedFor } from '../support/thorough';

const POD = 'apiVersion: v1\nkind: Pod\nmetadata: { name: a }\n';
/** Conftest reads these object by object, or not at all. */
const USUAL = [undefined, '', POD, `${POD}---\n${POD}`, 'a: b\n'];
/** A List is one document, and so is one without an object. */
const UNUSUAL = [
  'apiVersion: v1\nkind: List\nitems: [{ apiVersion: v1, kind: Pod }]\n',
  `${POD}---\na: b\n`,
  `${POD}---\n${POD}---\n`,
];

const PART: FileSubset = { includes: uri => uri !== 'b' };

const unusualIn = (snapshot: Snapshot, owner: object) => unusualFiles(snapshot, owner).map(it => it.file.text);

test('unusual files after several changes are those of a look at all files, in the whole and in a part', () => {
  const change = fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom(...USUAL, ...UNUSUAL));
  const steps = fc.array(fc.uniqueArray(change, { selector: ([uri]) => uri }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(steps, changes => {
      const owner = {};
      let snapshot = withFiles(
        emptySnapshot(() => true),
        ['d', 'e', 'f', 'g', 'h'].map(uri => ({ uri, file: parseManifests(uri, UNUSUAL[0]!) })),
      );
      for (const files of changes) {
        snapshot = withFiles(
          snapshot,
          files.map(([uri, text]) => ({ uri, file: text === undefined ? undefined : parseManifests(uri, text) })),
        );
        for (const seen of [snapshot, snapshotSubset(snapshot, PART)])
          expect(unusualIn(seen, owner)).toEqual(unusualIn(seen, {}));
        const wanted = ['a', 'b', 'c'].filter(uri => UNUSUAL.includes(snapshot.files.get(uri)?.text ?? ''));
        expect(unusualFiles(snapshot, owner).map(it => it.file.uri)).toEqual([...wanted, 'd', 'e', 'f', 'g', 'h']);
      }
    }),
    { numRuns: sizedFor({ thorough: 100, quick: 50 }) },
  );
});
