import { asList, asObject, asText, type JsonObject, type JsonValue } from '../../../base/json';
import { lazyByObject } from '../../../base/lazy';
import { grouped, push } from '../../../base/multiMap';
import { fieldAt } from '../../../manifest/valueAt';
import { podSpecOf, writtenPodSpec } from '../../reading/podSpec';
import type { IssueFunction } from './issueFunction';

/** Users of one claim that are compared; it bounds the time for a claim that very many Pods use. */
const USERS_AT_MOST = 100;

/**
 * Whether a volume is a claim that containers of this Pod mount under several SELinux levels.
 * Upstream: volume util.GetMountSELinuxLabel, which fails before it asks the driver.
 */
export const isMountedAtSeveralLevels: IssueFunction = (self, target) => {
  const spec = podSpecOf(target)?.spec;
  return spec !== undefined && claimOf(self) !== undefined && levelsOf(spec, self).size > 1;
};

/**
 * Whether a volume is a claim that this Pod mounts under an SELinux level, and another of the workspace under none or
 * another one. Upstream: desiredStateOfWorld.AddPodToVolume. The type of a process is no part of the label of a file.
 */
export const isMountedAtOtherLevelElsewhere: IssueFunction = (self, target, { snapshot }) => {
  const name = claimOf(self);
  const own = podSpecOf(target)?.spec;
  const level = own && mountLevelOf(own, self);
  if (name === undefined || !level) return false;
  const namespace = target.object.namespace ?? 'default';
  const uses = snapshot.references.to({ group: '', kind: 'PersistentVolumeClaim', namespace, name });
  return uses.slice(0, USERS_AT_MOST).some(({ object }) => {
    const spec = writtenPodSpec(object);
    const volumes = spec && volumesByClaim(spec).get(name);
    return spec !== undefined && volumes?.some(it => isMounted(spec, it) && mountLevelOf(spec, it) !== level);
  });
};

const volumesByClaim = lazyByObject(
  (spec: JsonObject): ReadonlyMap<string | undefined, readonly JsonValue[]> => grouped(asList(spec.volumes), claimOf),
);

const claimOf = (volume: JsonValue): string | undefined =>
  asText(fieldAt(volume, 'persistentVolumeClaim', 'claimName'));

/** The level with which the kubelet mounts a volume; empty where the runtime sets labels file by file. */
function mountLevelOf(spec: JsonObject, volume: JsonValue): string {
  if (fieldAt(spec, 'securityContext', 'seLinuxChangePolicy') === 'Recursive') return '';
  const [level = '', ...others] = levelsOf(spec, volume);
  return others.length > 0 ? '' : level;
}

/** The levels of the containers that mount a volume; the options of a container replace those of its Pod. */
function levelsOf(spec: JsonObject, volume: JsonValue): ReadonlySet<string> {
  const ofPod = fieldAt(spec, 'securityContext', 'seLinuxOptions');
  const options = mounting(spec, volume).map(it => fieldAt(it, 'securityContext', 'seLinuxOptions') ?? ofPod);
  return new Set(options.flatMap(it => asText(asObject(it)?.level) || []));
}

const isMounted = (spec: JsonObject, volume: JsonValue): boolean => mounting(spec, volume).length > 0;

const mounting = (spec: JsonObject, volume: JsonValue): readonly JsonValue[] => {
  const name = fieldAt(volume, 'name');
  return name === undefined ? [] : (containersByMount(spec).get(name) ?? []);
};

/** The containers that mount each volume. */
const containersByMount = lazyByObject((spec: JsonObject): ReadonlyMap<JsonValue, readonly JsonValue[]> => {
  const byName = new Map<JsonValue, JsonValue[]>();
  for (const it of [...asList(spec.initContainers), ...asList(spec.containers)]) {
    const names = new Set(asList(fieldAt(it, 'volumeMounts')).map(mount => fieldAt(mount, 'name')));
    for (const name of names) if (name !== undefined) push(byName, name, it);
  }
  return byName;
});
