import type { Span } from '../../../text/span';

export interface Location {
  readonly uri: string;
  readonly span: Span;
}

/** What stands at a place of a text and where it leads. */
export interface Link {
  readonly span: Span;
  readonly locations: readonly Location[];
}

/** Places of which each is told once. */
export function distinctLocations(places: readonly Location[]): readonly Location[] {
  return [...new Map(places.map(it => [`${it.uri} ${it.span.start}`, it])).values()];
}
