import { t } from '../../base/l10n';
import { largest } from '../../base/manyItems';
import type { Problem } from './problem';

/** Equal for problems that are one. Of an overlay the name and the namespace of the object do not count. */
export function sameKeyOf(problem: Problem): string {
  return problem.overlays === undefined ? exactKeyOf(problem) : namelessKeyOf(problem);
}

/**
 * Equal for a problem of a source and the same one of an overlay, which adds prefixes, suffixes and hashes to names and sets the
 * namespace. Of a field that is underlined with its value only the key is known of what is rendered, so that the end does not count.
 */
export function namelessKeyOf({ code, span, message, fieldPath = '', object }: Problem): string {
  const { name, namespace } = object ?? {};
  const text = [name, namespace].reduce<string>((text, it) => (it ? text.replaceAll(it, '') : text), message);
  return `nameless ${code} ${span.start} ${fieldPath} ${text}`;
}

export function exactKeyOf({ code, span, message }: Problem): string {
  return `${code} ${span.start} ${span.end} ${message}`;
}

/** All overlays of some problems that are one; undefined if there are none. */
export function allOverlays(problems: readonly Problem[]): Problem['overlays'] {
  const all = problems.flatMap(it => it.overlays ?? []);
  const [first] = all;
  if (first === undefined) return undefined;
  const names = [...new Set(all.flatMap(it => it.names))];
  // The message of the first tells its namespace.
  const isOfFirst = first.isOfFirst === true || isNamespaceTold(problems);
  return { names, of: largest(all.map(it => it.of)), ...(isOfFirst && names.length > 1 && { isOfFirst }) };
}

/** Whether the message of the first of some problems names its namespace, and others have another one. */
function isNamespaceTold(problems: readonly Problem[]): boolean {
  const [first, ...others] = problems.filter(it => it.overlays !== undefined);
  const namespace = first?.object?.namespace;
  if (namespace === undefined || !first?.message.includes(namespace)) return false;
  return others.some(it => it.object?.namespace !== namespace);
}

/** So many overlays are named. */
const MOST_NAMED = 5;

/** A clause that names the overlays; undefined if all that share the base have the problem. */
export function overlayWords({ names, of, isOfFirst }: NonNullable<Problem['overlays']>): string | undefined {
  if (isOfFirst) return t`overlay ${names[0]}, and the same in ${names.length - 1} more`;
  if (names.length >= of) return undefined;
  const sorted = [...names].sort();
  if (sorted.length > MOST_NAMED)
    return t`overlays ${sorted.slice(0, MOST_NAMED).join(', ')} and ${sorted.length - MOST_NAMED} more`;
  const all = sorted.join(', ');
  return names.length === 1 ? t`overlay ${all}` : t`overlays ${all}`;
}
