import type { Span } from '../../../text/span';

export interface Place {
  readonly uri: string;
  readonly span: Span;
}

/** What stands at a place of a text and where it leads. */
export interface Link {
  readonly span: Span;
  readonly places: readonly Place[];
}

/** Places of which each is told once. */
export function distinctPlaces(places: readonly Place[]): readonly Place[] {
  return [...new Map(places.map(it => [`${it.uri} ${it.span.start}`, it])).values()];
}
