import { definitionsOf } from '../../../workspace/references/definitions';
import type { Snapshot } from '../../../workspace/workspace';
import { locationOfDefinition } from './definition';
import { kustomizeLinksOf } from './kustomizeLinks';
import type { Link } from './location';

/** References of one file to other objects, with the locations of these, in text order. */
export function documentLinksOf(snapshot: Snapshot, uri: string): readonly Link[] {
  const links = snapshot.objectsIn(uri).flatMap(object =>
    snapshot.references.of(object).flatMap((reference): readonly Link[] => {
      const { to } = reference.target;
      if (to === 'local' || to === 'pods') return [];
      const places = definitionsOf(snapshot, { object, reference }).map(locationOfDefinition);
      return places.length === 0 ? [] : [{ span: object.manifest.spanOf(reference.at, 'value'), locations: places }];
    }),
  );
  return [...links, ...kustomizeLinksOf(snapshot, uri)].sort((a, b) => a.span.start - b.span.start);
}
