import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layeredMap } from '../../server/src/base/layeredMap';
import { parseManifests } from '../../server/src/manifest/parse';
import { emptySnapshot, withFiles } from '../../server/src/workspace/snapshot';
import type { Snapshot } from '../../server/src/workspace/workspace';

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
          for (let key = 0; key <= 40; key++)
            expect([map.get(key), map.has(key)]).toEqual([plain.get(key), plain.has(key)]);
        }
      }),
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
    );
  });
});
