import { t } from '../../base/l10n';
import type { Problem } from './problem';

/** Equal for problems that are one. Of an overlay the object's own name does not count. */
export function sameKeyOf(problem: Problem): string {
  return problem.overlays === undefined ? exactKeyOf(problem) : namelessKeyOf(problem);
}

/**
 * Equal for a problem of a source and the same one of an overlay, which adds prefixes, suffixes and hashes to names. Of a
 * field that is underlined with its value only the key is known of what is rendered, so that the end does not count.
 */
export function namelessKeyOf({ code, span, message, fieldPath = '', object }: Problem): string {
  const text = object?.name ? message.replaceAll(object.name, '') : message;
  return `nameless ${code} ${span.start} ${fieldPath} ${text}`;
}

export function exactKeyOf({ code, span, message }: Problem): string {
  return `${code} ${span.start} ${span.end} ${message}`;
}

/** All overlays of some problems that are one; undefined if there are none. */
export function allOverlays(problems: readonly Problem[]): Problem['overlays'] {
  const all = problems.flatMap(it => it.overlays ?? []);
  if (all.length === 0) return undefined;
  return { names: [...new Set(all.flatMap(it => it.names))], of: Math.max(...all.map(it => it.of)) };
}

/** A clause that names the overlays; undefined if all that share the base have the problem. */
export function overlayWords({ names, of }: NonNullable<Problem['overlays']>): string | undefined {
  if (names.length >= of) return undefined;
  const all = [...names].sort().join(', ');
  return names.length === 1 ? t`overlay ${all}` : t`overlays ${all}`;
}
