import { shortenedName } from '../base/shortened';

/** A step into an object: a field name, a list index, or a key of a map (printed `[key]`, as by the API server). */
export type Segment = string | number | { readonly key: string };

/**
 * The path of a value inside one object, printed as by the API server: `spec.containers[0].image`,
 * `metadata.labels[app]`. Upstream: k8s.io/apimachinery/pkg/util/validation/field.Path.
 */
export class FieldPath {
  static readonly root = new FieldPath();

  static of(...segments: Segment[]): FieldPath {
    return segments.reduce<FieldPath>((path, it) => new FieldPath(path, it), FieldPath.root);
  }

  #segments: readonly Segment[] | undefined;
  #text: string | undefined;

  /** One step and the path before it: validation creates a path for every field and prints hardly any. */
  private constructor(
    private readonly before?: FieldPath,
    private readonly last?: Segment,
  ) {}

  get segments(): readonly Segment[] {
    if (this.#segments === undefined) {
      const res: Segment[] = [];
      for (let it: FieldPath | undefined = this; it?.last !== undefined; it = it.before) res.push(it.last);
      this.#segments = res.reverse();
    }
    return this.#segments;
  }

  child(...names: readonly string[]): FieldPath {
    let path: FieldPath = this;
    for (const it of names) path = new FieldPath(path, it);
    return path;
  }

  index(i: number): FieldPath {
    return new FieldPath(this, i);
  }

  key(key: string): FieldPath {
    return new FieldPath(this, { key });
  }

  get parent(): FieldPath | undefined {
    return this.before;
  }

  toString(): string {
    if (this.before === undefined || this.last === undefined) return '';
    // The items of a long list all begin with the same text.
    this.before.#text ??= this.before.segments.reduce(printed, '');
    return printed(this.before.#text, this.last);
  }
}

function printed(before: string, it: Segment): string {
  if (typeof it === 'number') return `${before}[${it}]`;
  if (typeof it === 'object') return `${before}[${shortenedName(it.key)}]`;
  return before === '' ? shortenedName(it) : `${before}.${shortenedName(it)}`;
}

/** Which text of a field is meant: its key, its value or both. For a missing field it is the key of the nearest field above it. */
export type SpanPart = 'key' | 'value' | 'entry';
