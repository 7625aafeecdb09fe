import { firstDefinitionOf } from '../../../workspace/references/definitions';
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
      // An editor follows a link to one place, and there may be hundreds of one name.
      const first = firstDefinitionOf(snapshot, { object, reference });
      if (first === undefined) return [];
      return [{ span: object.manifest.spanOf(reference.at, 'value'), locations: [locationOfDefinition(first)] }];
    }),
  );
  return [...links, ...kustomizeLinksOf(snapshot, uri)].sort((a, b) => a.span.start - b.span.start);
}
