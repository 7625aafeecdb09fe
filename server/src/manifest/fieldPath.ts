/** A step into an object: a field name, a list index, or a key of a map (printed as the API server prints it, `[key]`). */
export type Segment = string | number | { readonly key: string };

/**
 * Where a value sits inside one object, printed as the API server prints it: `spec.containers[0].image`,
 * `metadata.labels[app]`. Upstream: k8s.io/apimachinery/pkg/util/validation/field.Path.
 */
export class FieldPath {
  static readonly root = new FieldPath([]);

  static of(...segments: Segment[]): FieldPath {
    return new FieldPath(segments);
  }

  private constructor(readonly segments: readonly Segment[]) {}

  child(...names: string[]): FieldPath {
    return new FieldPath([...this.segments, ...names]);
  }

  index(i: number): FieldPath {
    return new FieldPath([...this.segments, i]);
  }

  key(key: string): FieldPath {
    return new FieldPath([...this.segments, { key }]);
  }

  get parent(): FieldPath | undefined {
    return this.segments.length === 0 ? undefined : new FieldPath(this.segments.slice(0, -1));
  }

  toString(): string {
    return this.segments.reduce<string>((acc, it) => {
      if (typeof it === 'number') return `${acc}[${it}]`;
      if (typeof it === 'object') return `${acc}[${it.key}]`;
      return acc === '' ? it : `${acc}.${it}`;
    }, '');
  }
}
