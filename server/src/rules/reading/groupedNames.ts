import { grouped } from '../../base/multiMap';
import type { FieldPath } from '../../manifest/fieldPath';
import type { ApiEntry, ApiNames } from './apiNames';

/** What an object names by lists of API groups, versions and names: each name may be in each group. */
export interface GroupedNames {
  readonly groups: readonly string[];
  readonly groupsAt: FieldPath;
  /** Absent where all versions are meant. */
  readonly versions?: readonly string[];
  readonly versionsAt?: FieldPath;
  /** Kinds, or resources with or without a subresource behind a slash. */
  readonly names: readonly string[];
  readonly namesAt: FieldPath;
  readonly use: NamePurpose;
  /** Where one group and one name are one key: `count/deployments.apps`. */
  readonly key?: FieldPath;
}

/**
 * What the names are for: rights know no star for the subresources of one resource. What mutators are applied to is one list
 * and what they match is another: an object must be in both.
 */
export type NamePurpose = 'rights' | 'matching' | 'application' | 'exemption' | 'count';

/** Why a name stands for nothing. */
export type NameMistake =
  /** It is another word for `meant`, of one of the groups. */
  | { readonly is: 'misnamed'; readonly meant: ApiEntry }
  /** It is `meant`, or another word for it, of a group that is not named. */
  | { readonly is: 'elsewhere'; readonly meant: ApiEntry }
  /** This minor has it no more in `group`; it has `meant`, which nothing else in the object names. */
  | { readonly is: 'gone'; readonly group: string; readonly meant: ApiEntry }
  /** The group has it, in `versions` alone. */
  | { readonly is: 'other version'; readonly group: string; readonly versions: readonly string[] }
  /** The text is no group, and probably means another one. */
  | { readonly is: 'no group'; readonly meant: string }
  | { readonly is: 'no star' }
  /** The resource has no such subresource; `meant` is the one that it has. */
  | { readonly is: 'no part'; readonly meant: string }
  | { readonly is: 'unknown' };

/** A mistake at an item of a list. */
export interface FoundMistake {
  readonly mistake: NameMistake;
  readonly index: number;
  /** What is written there, a resource without its subresource. */
  readonly name: string;
  /** The subresource with its slash. */
  readonly rest: string;
  /** Whether the object names what is meant elsewhere, as it should. */
  readonly isHarmless: boolean;
}

/** What the groups of a list are to the names. */
export interface NamedGroups {
  /** Groups whose names are known, or of which some are. */
  readonly known: ReadonlySet<string>;
  readonly isAll: boolean;
  /** Whether there may be names that are not known. */
  readonly isOpen: boolean;
  /** Items that are no group, and the groups that they mean. */
  readonly wrong: readonly { readonly index: number; readonly meant: string }[];
}

/** Reads the groups. Items that are no group name nothing, so that the others count. */
export function groupsOf({ groups }: GroupedNames, names: ApiNames): NamedGroups {
  const known = new Set<string>();
  const wrong: { readonly index: number; readonly meant: string }[] = [];
  let isOpen = false;
  for (const [index, group] of groups.entries()) {
    const meant = meantGroup(group, names);
    if (meant !== undefined) wrong.push({ index, meant });
    else {
      if (!names.ownGroups.has(group)) isOpen = true;
      if (names.ownGroups.has(group) || names.ofGroup(group).length > 0) known.add(group);
    }
  }
  return { known, isAll: groups.includes('*'), isOpen, wrong };
}

/** The group that a text means that cannot be one: `core`, `v1`, `apps/v1`, `networking`. */
function meantGroup(text: string, names: ApiNames): string | undefined {
  if (names.ownGroups.has(text) || names.ofGroup(text).length > 0) return undefined;
  const [, group = '', version] = /^([a-z][a-z0-9.-]*)(\/[a-z0-9]+)?$/.exec(text) ?? [];
  if (group === 'core' || (version === undefined && /^v\d+$/.test(group))) return '';
  if (version !== undefined && names.ownGroups.has(group)) return group;
  const longer = group === '' ? [] : [...names.ownGroups].filter(it => it.startsWith(`${group}.`));
  return longer.length === 1 ? longer[0] : undefined;
}

/** The names of a list that stand for nothing. */
export function* mistakesIn(
  list: GroupedNames,
  groups: NamedGroups,
  names: ApiNames,
  { isCovered, isVirtual, meantPart }: KnownBesides,
): Iterable<FoundMistake> {
  const isForRights = list.use === 'rights';
  if (list.names.includes('*') || (!isForRights && list.names.includes('*/*'))) return;
  for (const [index, written] of list.names.entries()) {
    const [, name = '', rest = ''] = /^([A-Za-z][\w.-]*|\*(?=\/\*$))(\/.*)?$/s.exec(written) ?? [];
    if (name === '') continue;
    const isNamedToo = (it: ApiEntry): boolean => isCovered(list.use, it, rest);
    const mistake =
      rest === '/*' && isForRights
        ? { is: 'no star' as const }
        : (mistakeOf(name, list, groups, names, { isNamedToo, isVirtual }) ??
          partMistake(name, rest.slice(1), groups, names, meantPart));
    if (mistake === undefined) continue;
    const isHarmless =
      mistake.is === 'no part'
        ? list.names.includes(`${name}/${mistake.meant}`)
        : 'meant' in mistake && isNamedToo(mistake.meant);
    yield { mistake, index, name, rest, isHarmless };
  }
}

/** What is known besides the names. */
interface KnownBesides {
  readonly isCovered: IsCovered;
  readonly isVirtual: IsVirtual;
  readonly meantPart: MeantPart;
}

/** Names that authorizers or clients know, and no API has. */
export type IsVirtual = (group: string, name: string) => boolean;

/** The subresource that a text means which is none. */
export type MeantPart = (group: string, name: string, written: string) => string | undefined;

/** Of groups of Kubernetes alone: the server of another one may have any subresource. */
function partMistake(
  name: string,
  written: string,
  { known, isAll, isOpen }: NamedGroups,
  names: ApiNames,
  meantPart: MeantPart,
): Extract<NameMistake, { readonly is: 'no part' }> | undefined {
  if (written === '' || isOpen) return undefined;
  const [there] = names.named(name).filter(it => names.ownGroups.has(it.group) && (isAll || known.has(it.group)));
  const meant = there && meantPart(there.group, name, written);
  return meant === undefined ? undefined : { is: 'no part', meant };
}

function mistakeOf(
  name: string,
  { versions }: GroupedNames,
  { known, isAll, isOpen }: NamedGroups,
  names: ApiNames,
  { isNamedToo, isVirtual }: { readonly isNamedToo: (entry: ApiEntry) => boolean; readonly isVirtual: IsVirtual },
): Exclude<NameMistake, { readonly is: 'no group' }> | undefined {
  const isNamed = ({ group }: ApiEntry): boolean => isAll || known.has(group);
  const there = names.named(name).filter(isNamed);
  if (there.length > 0) return isOpen ? undefined : versionMistake(there, versions ?? ['*'], names, isNamedToo);
  const [misnamed] = names.meant(name).filter(isNamed);
  if (misnamed !== undefined) return { is: 'misnamed', meant: misnamed };
  const groups = [...known];
  if (isOpen || groups.some(it => isVirtual(it, name))) return undefined;
  if (groups.some(it => names.life(it, name) === 'to come')) return undefined;
  const goneFrom = groups.find(it => names.ofGroup(it).length === 0 || names.life(it, name) === 'gone');
  const [same] = names.named(name);
  if (goneFrom !== undefined) {
    return same === undefined || isNamedToo(same) ? undefined : { is: 'gone', group: goneFrom, meant: same };
  }
  const [meant] = same === undefined ? names.meant(name) : [same];
  return meant === undefined ? { is: 'unknown' } : { is: 'elsewhere', meant };
}

function versionMistake(
  there: readonly ApiEntry[],
  versions: readonly string[],
  names: ApiNames,
  isCovered: (entry: ApiEntry) => boolean,
): Extract<NameMistake, { readonly is: 'other version' }> | undefined {
  const isNamed = ({ version }: ApiEntry): boolean => versions.includes(version) || versions.includes('*');
  const [first] = there;
  if (first === undefined || there.some(isNamed)) return undefined;
  const { group, name } = first;
  const lives = versions.map(it => names.life(group, name, it));
  if (lives.includes('to come') || (lives.includes('gone') && isCovered(first))) return undefined;
  const served = there.filter(it => it.group === group).map(it => it.version);
  return { is: 'other version', group, versions: [...new Set(served)] };
}

/** Whether an object names an entry, or one of its subresources, as it is called: the first argument is the use. */
export type IsCovered = (use: NamePurpose, entry: ApiEntry, rest: string) => boolean;

/** What the lists of an object cover, in any version that is there. Each text is looked for once in a group. */
export function coverage(lists: readonly GroupedNames[], names: ApiNames): IsCovered {
  const named = lists.flatMap(list => {
    const sets = { groups: new Set(list.groups), versions: list.versions && new Set(list.versions) };
    return list.names.map(name => ({ ...sets, key: `${list.use} ${name}` }));
  });
  const byName = grouped(named, it => it.key);
  const known = new Map<string, boolean>();
  return (use, { group, name }, rest) => {
    const isNamed = (text: string): boolean => {
      const key = JSON.stringify([use, group, name, text]);
      const answer = known.get(key);
      if (answer !== undefined) return answer;
      const versions = names.named(name).flatMap(it => (it.group === group ? it.version : []));
      const found = (byName.get(`${use} ${text}`) ?? []).some(
        it =>
          (it.groups.has(group) || it.groups.has('*')) &&
          (it.versions === undefined || it.versions.has('*') || versions.some(version => it.versions?.has(version))),
      );
      known.set(key, found);
      return found;
    };
    const wide = use === 'rights' ? ['*', `*${rest}`] : [`*${rest}`, `${name}/*`, '*/*'];
    return [`${name}${rest}`, ...wide].some(isNamed);
  };
}
