import type { ApiLife } from './kube';
import { REMOVED_APIS, removedApi } from './removedApis';

/** An entry of the pack: the lifecycle that upstream declares, and the minors that have the version. */
export type PackedLife = Omit<ApiLife, 'gone' | 'advice'>;

/** The lives of API versions, each computed once. Texts that are no API version are not kept: people type them. */
export function apiLives(
  lives: Readonly<Record<string, PackedLife>>,
  minors: readonly string[],
): (apiVersion: string, kind: string) => ApiLife | undefined {
  const made = new Map<string, ApiLife>();
  return (apiVersion, kind) => {
    const key = `${apiVersion} ${kind}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    const life = apiLifeOf(lives, key, minors);
    if (life !== undefined) made.set(key, life);
    return life;
  };
}

/** The keys of all lives. */
export const apiLifeKeys = (lives: Readonly<Record<string, PackedLife>>): readonly string[] => [
  ...new Set([...Object.keys(lives), ...REMOVED_APIS]),
];

/**
 * The life of an API version: upstream's declared lifecycle, completed where it says nothing. A version may be gone long
 * before, or never have come in, the minor that its lifecycle declares, so `gone` is what the minors have.
 */
function apiLifeOf(
  lives: Readonly<Record<string, PackedLife>>,
  key: string,
  minors: readonly string[],
): ApiLife | undefined {
  const packed = Object.hasOwn(lives, key) ? lives[key] : undefined;
  const more = removedApi(key);
  if (packed === undefined && more === undefined) return undefined;
  const { served, ...declared }: PackedLife = packed ?? { served: {} };
  const having = minors.filter(it => served[it] !== undefined);
  const [first] = having;
  const introduced = declared.introduced ?? (first === minors[0] ? undefined : first);
  const life = { ...(introduced !== undefined && { introduced }), ...declared, ...more, served };
  const gone = having.length === 0 ? life.removed : minors[minors.indexOf(having.at(-1) ?? '') + 1];
  return { ...life, ...(gone !== undefined && { gone }) };
}
