/** A Pod by its name, or by a place in the text of the object that is it or makes it. */
export interface PodAt {
  readonly uri: string;
  readonly offset: number;
  /** NAMESPACE/NAME; wins over the place. */
  readonly pod?: string;
}
