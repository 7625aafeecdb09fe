import type { Bounds } from '../../disk/within';

/** A file that was asked for, with its text or why there is none. */
export type Collected =
  | { readonly path: string; readonly text: string; readonly problem?: string }
  | { readonly path: string; readonly failure: string };

/** A path that a file names: it may lead no further than the bounds. */
export interface BoundedPath {
  readonly path: string;
  readonly bounds: Bounds;
}
