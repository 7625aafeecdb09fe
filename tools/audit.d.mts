export interface Finding {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  /** NAME VERSION */
  readonly component: string;
  /** The packages of a Go module that it speaks of; none: all. */
  readonly imports: readonly string[];
}

export function affected(
  components: readonly { readonly name: string; readonly version: string; readonly purl: string }[],
  advisories: Iterable<object>,
): readonly Finding[];
export function compare(a: string, b: string): number;
