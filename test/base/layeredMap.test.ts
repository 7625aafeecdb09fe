import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyListOf, keysFrom, type LayeredMap, layeredMap } from '../../server/src/base/layeredMap';
import { parseManifests } from '../../server/src/manifest/parse';
import { filesChangedBetween } from '../../server/src/workspace/filesVersion';
import { emptySnapshot, withFiles } from '../../server/src/workspace/snapshot';
import type { Snapshot } from '../../server/src/workspace/workspace';
import { sizedFor } from '../support/thorough';

const RUNS = { numRuns: sizedFor({ thorough: 100, quick: 40 }) };

describe('a layered map', () => {
  it('equals a plain map after any changes, and the previous map stays', () => {
    const change = fc.tuple(fc.integer({ min: 0, max: 40 }), fc.option(fc.integer(), { nil: undefined }));
    fc.assert(
      fc.property(fc.array(fc.array(change, { maxLength: 90 }), { maxLength: 8 }), rounds => {
        let map = layeredMap<number, number>();
        const plain = new Map<number, number>();
        for (const changes of rounds) {
          const before = [...map].sort();
          const after = map.with(changes);
          expect([...map].sort()).toEqual(before);
          map = after;
          for (const [key, value] of changes) {
            if (value === undefined) plain.delete(key);
            else plain.set(key, value);
          }
          expect([...map].sort()).toEqual([...plain].sort());
          expect([map.size, [...map.keys()].length, [...map.values()].length]).toEqual([
            plain.size,
            plain.size,
            plain.size,
          ]);
          const keys = Array.from({ length: 41 }, (_, key) => key);
          expect(keys.filter(it => map.get(it) !== plain.get(it) || map.has(it) !== plain.has(it))).toEqual([]);
        }
      }),
      RUNS,
    );
  });

  it('tells between any two of a row at which keys they may differ, and keeps one list of the same keys', () => {
    const change = fc.tuple(fc.integer({ min: 0, max: 50 }), fc.option(fc.integer(), { nil: undefined }));
    const many = Array.from({ length: 40 }, (_, i): [number, number] => [i, i]);
    fc.assert(
      fc.property(fc.array(fc.array(change, { maxLength: 5 }), { maxLength: 7 }), rounds => {
        const maps: LayeredMap<number, number>[] = [layeredMap(many)];
        for (const changes of rounds) maps.push(maps.at(-1)!.with(changes));
        for (const a of maps) {
          for (const b of maps) {
            const changed = a.changedSince(b) ?? new Set([...a.keys(), ...b.keys()]);
            for (let key = 0; key <= 50; key++) if (a.get(key) !== b.get(key)) expect(changed.has(key)).toBe(true);
            const [own, other] = [keyListOf(a), keyListOf(b)];
            expect(own).toEqual([...a].map(([key]) => key));
            if (own === other) expect([...a].map(([key]) => key)).toEqual([...b].map(([key]) => key));
          }
        }
      }),
      RUNS,
    );
  });

  it('looks at what was changed alone to tell the differences, and lists the keys of equal ones once', () => {
    const map = layeredMap(Array.from({ length: 10_000 }, (_, i): [number, number] => [i, i]));
    let [now, keys] = [map, keyListOf(map)];
    for (let i = 0; i < 100; i++) {
      const before = now;
      now = now.with([[i, -i]]);
      expect(now.changedSince(before)?.size).toBeLessThan(200);
      expect(keyListOf(now)).toBe(keys);
    }
    now = now.with([[10_001, 1]]);
    keys = keyListOf(now);
    expect(keys).toHaveLength(10_001);
  });

  it('finds the keys that begin with a text', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', '/', 'é', '😀'), maxLength: 4 });
    fc.assert(
      fc.property(fc.uniqueArray(name), fc.array(name), name, (names, removed, start) => {
        const map = layeredMap(names.map(it => [it, 1] as const)).with(removed.map(it => [it, undefined] as const));
        const expected = [...map.keys()].filter(it => it.startsWith(start)).sort();
        expect(keysFrom(map, start)).toEqual(expected);
      }),
      RUNS,
    );
  });

  it('keeps the place of a key whose value changes', () => {
    const map = layeredMap<string, number>([
      ['a', 1],
      ['b', 2],
    ]).with([
      ['a', 3],
      ['c', 4],
    ]);
    expect([...map.keys()]).toEqual(['a', 'b', 'c']);
  });
});

describe('a snapshot after several changes', () => {
  const names = ['a', 'b', 'c'];
  const texts = [
    undefined,
    'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: x }\n',
    'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: y }\n---\napiVersion: v1\nkind: Secret\nmetadata: { name: x }\n',
    'apiVersion: v1\nkind: Pod\nmetadata: { name: p, labels: { app: p } }\nspec: { volumes: [{ name: v, configMap: { name: x } }] }\n',
    'apiVersion: apps/v1\nkind: StatefulSet\nmetadata: { name: s }\nspec: { template: { metadata: { labels: { app: p } } }, volumeClaimTemplates: [{ metadata: { name: d } }] }\n',
    'apiVersion: v1\nkind: Service\nmetadata: { name: x }\nspec: { selector: { app: p } }\n',
    'apiVersion: kyverno.io/v1\nkind: Policy\nmetadata: { name: x }\n---\napiVersion: kyverno.io/v1\nkind: ClusterPolicy\nmetadata: { name: y }\n',
  ];
  const empty = emptySnapshot(() => true);
  const file = (name: string, text: string | undefined) => ({
    uri: name,
    file: text === undefined ? undefined : parseManifests(name, text),
  });

  /** Every lookup of a snapshot, in order. */
  const answers = (it: Snapshot) => {
    const { references } = it;
    const configMap = { group: '', kind: 'ConfigMap', namespace: 'default', name: 'x' };
    const claim = {
      to: 'object',
      group: '',
      kind: 'PersistentVolumeClaim',
      namespace: 'default',
      name: 'd-s-0',
      scope: 'known',
    } as const;
    const inWords = (all: readonly { readonly object: { readonly manifest: { readonly uri: string } } }[]) =>
      all.map(({ object }) => object.manifest.uri);
    return {
      kinds: ['ConfigMap', 'Secret', 'Pod', 'Service'].map(kind => it.objectsOf('', kind).map(object => object.name)),
      groups: it.objectsOfGroup('kyverno.io').map(object => [object.manifest.uri, object.name]),
      found: it.find('', 'ConfigMap', 'default', 'x').map(object => object.manifest.uri),
      uses: inWords(references.to(configMap)),
      selectors: inWords(references.selectors()),
      pods: inWords(references.podsIn('default')),
      labelled: inWords(references.podsWith('default', 'app', 'p')),
      made: inWords(references.generatorsOf(claim)),
      namespaces: references.namespacesOfPods(),
    };
  };

  it('equals one that is built at once', () => {
    const step = fc.uniqueArray(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...texts)), {
      minLength: 1,
      selector: ([name]) => name,
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), steps => {
        const now = new Map<string, string | undefined>();
        let snapshot = empty;
        for (const changed of steps) {
          for (const [name, text] of changed) now.set(name, text);
          snapshot = withFiles(
            snapshot,
            changed.map(([name, text]) => file(name, text)),
          );
          expect(answers(snapshot)).toEqual(
            answers(
              withFiles(
                empty,
                [...now].map(([it, its]) => file(it, its)),
              ),
            ),
          );
        }
      }),
      RUNS,
    );
  });

  it('names the files that differ from any earlier one, also those that have another role', () => {
    const kustomization = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\npatches: [{ path: a }]\n';
    const step = fc.uniqueArray(
      fc.tuple(fc.constantFrom(...names, 'kustomization.yaml'), fc.constantFrom(...texts, kustomization)),
      { minLength: 1, selector: ([name]) => name },
    );
    const seen = (it: Snapshot, uri: string) => [it.objectsIn(uri), it.files.get(uri), it.roles.of(it.files.get(uri)!)];
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), steps => {
        const all = [
          withFiles(
            empty,
            [...names, 'd', 'e', 'f', 'g', 'h'].map(it => file(it, texts[1])),
          ),
        ];
        for (const changed of steps)
          all.push(
            withFiles(
              all.at(-1)!,
              changed.map(([name, text]) => file(name, text)),
            ),
          );
        const last = all.at(-1)!;
        for (const earlier of all) {
          const changed = filesChangedBetween(earlier.version(), last.version());
          if (changed === undefined) continue;
          for (const uri of last.files.keys()) {
            const isSame = earlier.files.has(uri) && seen(earlier, uri).every((it, i) => it === seen(last, uri)[i]);
            if (!isSame) expect(changed).toContain(uri);
          }
        }
      }),
      RUNS,
    );
  });
});
