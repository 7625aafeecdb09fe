import type { Span } from '../../../text/span';

export interface Location {
  readonly uri: string;
  readonly span: Span;
}

/** A span of a text with the locations that it refers to. */
export interface Link {
  readonly span: Span;
  readonly locations: readonly Location[];
}

/** The distinct locations. */
export function distinctLocations(places: readonly Location[]): readonly Location[] {
  return [...new Map(places.map(it => [`${it.uri} ${it.span.start}`, it])).values()];
}
