import type { ContainerView } from './pod';

/** Upstream: policy.joinQuote. */
export function joinQuote(items: readonly string[]): string {
  return items.map(it => `"${it}"`).join(', ');
}

/** Upstream: policy.pluralize. */
export function pluralize(singular: string, plural: string, count: number): string {
  return count === 1 ? singular : plural;
}

/** `container "a"`, `containers "a", "b"`. */
export function containersNamed(containers: readonly ContainerView[]): string {
  return `${pluralize('container', 'containers', containers.length)} ${joinQuote(containers.map(it => it.name))}`;
}

/** Where a bad value is set: `pod`, `container "a"`, `pod and containers "a", "b"`. */
export function setters({ isPod, containers }: Setters): string {
  return [...(isPod ? ['pod'] : []), ...(containers.length > 0 ? [containersNamed(containers)] : [])].join(' and ');
}

export interface Setters {
  readonly isPod: boolean;
  readonly containers: readonly ContainerView[];
}

/** The distinct texts in Go's order of ASCII strings. Upstream: sets.String.List. */
export function sortedSet(texts: Iterable<string>): readonly string[] {
  return [...new Set(texts)].sort();
}
