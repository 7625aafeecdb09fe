import { asList, asText } from '../../base/json';
import { fieldAt } from '../../manifest/valueAt';
import type { WorkspaceObject } from '../../workspace/object';
import { holdsGroup, objectsOfGroups } from '../../workspace/objectsOfGroups';
import type { Snapshot } from '../../workspace/workspace';
import { type ObjectsAmong, objectsAmong } from '../policySet';
import { codeOf, isReferential } from './templateCode';

const TEMPLATES = 'templates.gatekeeper.sh';
const CONSTRAINTS = 'constraints.gatekeeper.sh';
const MUTATIONS = 'mutations.gatekeeper.sh';
const CONFIG = 'config.gatekeeper.sh';
const SYNC_SET = 'syncset.gatekeeper.sh';

/** API groups of Gatekeeper's own objects. They are not reviewed. */
export const OWN_GROUPS: ReadonlySet<string> = new Set([
  TEMPLATES,
  CONSTRAINTS,
  MUTATIONS,
  CONFIG,
  SYNC_SET,
  'connection.gatekeeper.sh',
  'expansion.gatekeeper.sh',
  'externaldata.gatekeeper.sh',
  'gvkmanifest.gatekeeper.sh',
  'status.gatekeeper.sh',
  'test.gatekeeper.sh',
]);

/** The engine's input, by the engine's list names. */
export interface GatekeeperLists {
  readonly configs: readonly WorkspaceObject[];
  readonly templates: readonly WorkspaceObject[];
  readonly constraints: readonly WorkspaceObject[];
  readonly mutators: readonly WorkspaceObject[];
  readonly expansions: readonly WorkspaceObject[];
  readonly providers: readonly WorkspaceObject[];
}

/** How many templates, and how many constraints, are loaded. Gatekeeper has no such limit. */
export const MOST_TEMPLATES = 500;
export const MOST_CONSTRAINTS = 2_000;

export interface GatekeeperPolicies {
  readonly lists: GatekeeperLists;
  /** Templates and constraints that are in no list: those after the most that are loaded, and constraints of such templates. */
  readonly surplus: readonly WorkspaceObject[];
  readonly syncSets: readonly WorkspaceObject[];
  readonly namespaces: readonly WorkspaceObject[];
  /** Contents of `data.inventory`; empty unless some template reads it. */
  readonly inventory: readonly WorkspaceObject[];
  readonly objects: ObjectsAmong;
}

/** undefined when the workspace has no Gatekeeper policies. */
export function gatekeeperPoliciesOf(snapshot: Snapshot): GatekeeperPolicies | undefined {
  if (!holdsGroup(snapshot, OWN_GROUPS)) return undefined;
  const own = objectsOfGroups(snapshot, OWN_GROUPS).filter(it => it.name !== undefined);
  if (own.length === 0) return undefined;
  const ofGroup = (group: string) => own.filter(it => it.group === group);
  const templates = ofGroup(TEMPLATES);
  const unloaded = new Set(templates.slice(MOST_TEMPLATES).map(it => it.name));
  const constraints = ofGroup(CONSTRAINTS);
  const loadable = unloaded.size === 0 ? constraints : constraints.filter(it => !unloaded.has(it.kind.toLowerCase()));
  const lists: GatekeeperLists = {
    configs: ofGroup(CONFIG),
    templates: templates.slice(0, MOST_TEMPLATES),
    constraints: loadable.slice(0, MOST_CONSTRAINTS),
    mutators: ofGroup(MUTATIONS),
    expansions: ofGroup('expansion.gatekeeper.sh'),
    providers: ofGroup('externaldata.gatekeeper.sh'),
  };
  const isLoaded = new Set([...lists.templates, ...lists.constraints]);
  const surplus = [...templates, ...constraints].filter(it => !isLoaded.has(it));
  const syncSets = ofGroup(SYNC_SET);
  if (Object.values(lists).every(it => it.length === 0)) return undefined;
  const objects = objectsAmong(snapshot, isReviewed);
  const synced = syncedKinds(lists.configs, syncSets);
  return {
    lists,
    surplus,
    syncSets,
    namespaces: snapshot.objectsOf('', 'Namespace'),
    inventory: lists.templates.some(it => codeOf(it).some(isReferential))
      ? objects().filter(it => synced === undefined || synced.has(kindKey(it)))
      : [],
    objects,
  };
}

const isReviewed = ({ group, kind, name }: WorkspaceObject): boolean =>
  !OWN_GROUPS.has(group) && kind !== '' && name !== undefined;

interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export const kindKey = ({ group, version, kind }: GroupVersionKind): string => `${group}/${version} ${kind}`;

/**
 * The kinds that Gatekeeper syncs to `data.inventory`, by `kindKey`; undefined when the workspace names none, since
 * the Config or SyncSet may then be elsewhere.
 */
export function syncedKinds(
  configs: readonly WorkspaceObject[],
  syncSets: readonly WorkspaceObject[],
): ReadonlySet<string> | undefined {
  const listed = [
    ...configs.flatMap(it => asList(fieldAt(it.manifest.value, 'spec', 'sync', 'syncOnly'))),
    ...syncSets.flatMap(it => asList(fieldAt(it.manifest.value, 'spec', 'gvks'))),
  ];
  if (listed.length === 0) return undefined;
  const text = (it: (typeof listed)[number], name: string) => asText(fieldAt(it, name)) ?? '';
  return new Set(
    listed.map(it => kindKey({ group: text(it, 'group'), version: text(it, 'version'), kind: text(it, 'kind') })),
  );
}
