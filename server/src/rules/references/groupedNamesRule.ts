import { t } from '../../base/l10n';
import { lazy } from '../../base/lazy';
import { quoted } from '../../base/quoted';
import type { Kube } from '../../kube/kube';
import type { FieldPath } from '../../manifest/fieldPath';
import type { WorkspaceObject } from '../../workspace/object';
import type { Fix } from '../framework/problem';
import type { EditTools, Finding, Rule, RuleMeta, RuleTarget } from '../framework/rule';
import type { ApiEntry, ApiNames } from '../reading/apiNames';
import {
  coverage,
  type FoundMistake,
  type GroupedNames,
  groupsOf,
  type IsCovered,
  type IsVirtual,
  type MeantPart,
  mistakesIn,
  type NamedGroups,
  type NamePurpose,
} from '../reading/groupedNames';
import { nearest } from './missing';

export interface GroupedNamesOptions {
  readonly meta: RuleMeta;
  readonly on: readonly string[] | 'any';
  readonly noun: 'resource' | 'kind';
  readonly namesOf: (kube: Kube) => ApiNames;
  readonly read: (target: RuleTarget) => readonly GroupedNames[];
  readonly isVirtual?: IsVirtual;
  readonly meantPart?: MeantPart;
}

export interface NameFacts extends FoundMistake {
  readonly list: GroupedNames;
  readonly groups: NamedGroups;
}

/**
 * A rule about names that their API groups do not have. Kubernetes' own groups are known to the last name; of other groups
 * nothing is said but what definitions among the manifests make certain.
 */
export function groupedNamesRule(options: GroupedNamesOptions): Rule<NameFacts> {
  const { meta, on, noun, namesOf, read, isVirtual = () => false, meantPart = () => undefined } = options;
  return {
    meta,
    on,

    *check(target, { kube }) {
      const lists = read(target);
      if (lists.length === 0) return;
      const names = namesOf(kube);
      const covered = lazy(() => coverage(lists, names));
      const also = { isCovered: (...entry: Parameters<IsCovered>) => covered()(...entry), isVirtual, meantPart };
      for (const list of lists) {
        const groups = groupsOf(list, names);
        if (groups.wrong.length === list.groups.length) {
          for (const { index, meant } of groups.wrong) {
            const mistake = { is: 'no group' as const, meant };
            const facts = { mistake, index, name: list.groups[index] ?? '', rest: '', isHarmless: false, list, groups };
            yield { ...placeOf(list, list.groupsAt, index), facts };
          }
          continue;
        }
        for (const { mistake, index, name, rest, isHarmless } of mistakesIn(list, groups, names, also)) {
          const facts = { mistake, index, name, rest, isHarmless, list, groups };
          // A policy about what is gone may be there to find it.
          const mayBeMeant = mistake.is === 'gone' && list.use !== 'rights';
          const severity = (isHarmless || mayBeMeant) && { severity: 'info' as const };
          yield { ...placeOf(list, list.namesAt, index), facts, ...severity };
        }
      }
    },

    message: ({ facts }, { kube }) => {
      const hint = hintOf(
        facts,
        lazy(() => namesOf(kube)),
      );
      return `${withEffect(factIn(facts, noun, kube), facts.list.use)}${hint}`;
    },

    fixes: ({ at, facts }, { object }, { kube }, edit) => fixesOf(at, facts, object, namesOf(kube), edit),
  };
}

function placeOf({ key }: GroupedNames, at: FieldPath, index: number): Pick<Finding<unknown>, 'at' | 'part'> {
  return key === undefined ? { at: at.index(index), part: 'value' } : { at: key, part: 'key' };
}

function withEffect(fact: string, use: NamePurpose): string {
  if (use === 'rights') return t`${fact}, so this gives no right`;
  if (use === 'count') return t`${fact}, so nothing is counted`;
  return use === 'exemption' ? t`${fact}, so this exempts nothing` : t`${fact}, so this matches nothing`;
}

/** How many groups or versions a message lists. */
const MOST_LISTED = 4;

const listed = (words: readonly string[]): string =>
  words.length > MOST_LISTED ? `${words.slice(0, MOST_LISTED).join(', ')}, …` : words.join(', ');

function factIn({ mistake, name, rest, list }: NameFacts, noun: GroupedNamesOptions['noun'], kube: Kube): string {
  const { groups, versions = [] } = list;
  if (mistake.is === 'no group') return t`there is no API group ${quoted(name)}`;
  if (mistake.is === 'no star') return t('roles have no star for subresources');
  if (mistake.is === 'no part') return t`${quoted(name)} has no subresource ${quoted(rest.slice(1))}`;
  if (mistake.is === 'gone')
    return t`Kubernetes ${kube.minor} no longer has ${quoted(name)} in ${groupText(mistake.group)}`;
  if (mistake.is === 'other version')
    return t`${groupText(mistake.group)} has ${quoted(name)} in ${listed(mistake.versions)}, not in ${listed(versions)}`;
  if (groups.includes('*'))
    return noun === 'resource'
      ? t`no API group has a resource ${quoted(name)}`
      : t`no API group has a kind ${quoted(name)}`;
  const [group = ''] = groups;
  if (groups.length === 1)
    return noun === 'resource'
      ? t`${groupText(group)} has no resource ${quoted(name)}`
      : t`${groupText(group)} has no kind ${quoted(name)}`;
  const all = listed(groups.slice(0, MOST_LISTED + 1).map(quoted));
  return noun === 'resource'
    ? t`none of the API groups ${all} has a resource ${quoted(name)}`
    : t`none of the API groups ${all} has a kind ${quoted(name)}`;
}

const groupText = (group: string): string => (group === '' ? t('the core API group') : t`API group ${quoted(group)}`);

function hintOf({ mistake, name: written, groups }: NameFacts, names: () => ApiNames): string {
  if (mistake.is === 'no star' || mistake.is === 'other version') return '';
  if (mistake.is === 'no group')
    return mistake.meant === '' ? t('; the core group is ""') : t`; did you mean ${quoted(mistake.meant)}?`;
  if (mistake.is === 'no part') return t`; did you mean ${quoted(`${written}/${mistake.meant}`)}?`;
  if (mistake.is === 'misnamed') return t`; did you mean ${quoted(mistake.meant.name)}?`;
  if (mistake.is === 'unknown') {
    const [near] = nearNames(written, groups, names());
    return near === undefined ? '' : t`; did you mean ${quoted(near)}?`;
  }
  const { name, group } = mistake.meant;
  return name === written
    ? t`; it is in ${groupText(group)}`
    : t`; did you mean ${quoted(name)} of ${groupText(group)}?`;
}

const nearNames = (name: string, { known }: NamedGroups, names: ApiNames): readonly string[] =>
  nearest(
    name,
    [...known].flatMap(it => names.ofGroup(it)).map(it => it.name),
  );

function fixesOf(
  at: FieldPath,
  facts: NameFacts,
  object: WorkspaceObject,
  names: ApiNames,
  edit: EditTools,
): readonly Fix[] {
  const { mistake, name, rest, list, groups } = facts;
  const changed = (where: FieldPath, text: string): Fix => ({
    title: t`Change to ${text === '' ? '""' : text}`,
    safety: 'unsafe',
    edits: [edit.write(object, where, text)],
  });
  if (list.key !== undefined)
    return meantEntries(facts, names)
      .map(countKey)
      .filter(it => !object.manifest.has(at.parent!.key(it)))
      .map(it => ({ title: t`Change to ${it}`, safety: 'unsafe', edits: [edit.renameKey(object, at, it)] }));
  switch (mistake.is) {
    case 'no group':
      return [changed(at, mistake.meant)];
    case 'no star':
      return [];
    case 'no part':
      return [changed(at, `${name}/${mistake.meant}`)];
    case 'misnamed':
      return [changed(at, `${mistake.meant.name}${rest}`)];
    case 'unknown':
      return nearNames(name, groups, names).map(it => changed(at, `${it}${rest}`));
    case 'other version': {
      const [version] = mistake.versions;
      if (list.versions?.length !== 1 || list.versionsAt === undefined || version === undefined) return [];
      return [changed(list.versionsAt.index(0), version)];
    }
    default:
      return groupFix(at, mistake.meant, facts, object, names, edit);
  }
}

const countKey = ({ group, name }: Pick<ApiEntry, 'group' | 'name'>): string =>
  group === '' ? `count/${name}` : `count/${name}.${group}`;

/** What a key of a quota may mean. */
function meantEntries(
  { mistake, name, list, groups }: NameFacts,
  names: ApiNames,
): readonly Pick<ApiEntry, 'group' | 'name'>[] {
  const [group = ''] = list.groups;
  switch (mistake.is) {
    case 'no group':
      return list.names.map(it => ({ group: mistake.meant, name: it }));
    case 'misnamed':
    case 'elsewhere':
    case 'gone':
      return [mistake.meant];
    case 'unknown':
      return nearNames(name, groups, names).map(it => ({ group, name: it }));
    default:
      return [];
  }
}

/** So many names are looked at for whether all are of another group. */
const MOST_COMPARED = 100;

/** Names the group of what is meant: in place of one that serves no name, else beside the others. */
function groupFix(
  at: FieldPath,
  meant: ApiEntry,
  { name, rest, list, groups: { wrong } }: NameFacts,
  object: WorkspaceObject,
  names: ApiNames,
  edit: EditTools,
): readonly Fix[] {
  const { groups, groupsAt, versions } = list;
  const isServed = (it: ApiEntry): boolean =>
    it.group === meant.group && (versions === undefined || versions.includes('*') || versions.includes(it.version));
  if (!names.named(meant.name).some(isServed)) return [];
  const renamed = meant.name === name ? [] : [edit.write(object, at, `${meant.name}${rest}`)];
  const isMoved = (it: string): boolean => it === `${name}${rest}` || names.named(it.split('/', 1)[0]!).some(isServed);
  const isOnly = groups.length === 1 && list.names.length <= MOST_COMPARED && list.names.every(isMoved);
  const replaced = isOnly ? 0 : wrong.find(it => it.meant === meant.group)?.index;
  const group = meant.group === '' ? '""' : meant.group;
  const grouped =
    replaced === undefined
      ? edit.append(object, groupsAt, meant.group)
      : edit.write(object, groupsAt.index(replaced), meant.group);
  const title = replaced === undefined ? t`Add the API group ${group}` : t`Change the API group to ${group}`;
  return [{ title, safety: 'unsafe', edits: [grouped, ...renamed] }];
}
