import { byteLength } from '../../../../base/byteLength';
import type { JsonObject } from '../../../../base/json';
import { mapField, mapItems, record, text } from '../../../../kube/goFields';
import type { Validation } from '../errors';
import { CONTAINER_LISTS } from './containers/containerLists';
import { mergeLabelKeys } from './labelKeys';
import { mergesSpreadKeys } from './spread';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

/** A Pod (not a template) as the API server rewrites it before validation. Upstream: podStrategy.PrepareForCreate. */
export function preparePod(pod: JsonObject, validation: Validation): JsonObject {
  const metadata = record(pod, 'metadata');
  const annotations = record(metadata, 'annotations');
  const labels = record(metadata, 'labels');
  return mapField(pod, 'spec', spec =>
    withAppArmorFields(withSpreadKeys(withAffinityKeys(spec, labels), labels, validation), annotations),
  );
}

/** Upstream: mutatePodAffinity. */
function withAffinityKeys(spec: JsonObject, labels: JsonObject | undefined): JsonObject {
  const merge = (term: JsonObject) => mergeLabelKeys(term, labels);
  return mapField(spec, 'affinity', affinity =>
    ['podAffinity', 'podAntiAffinity'].reduce(
      (whole, type) =>
        mapField(whole, type, terms =>
          mapItems(mapItems(terms, REQUIRED, merge), PREFERRED, it => mapField(it, 'podAffinityTerm', merge)),
        ),
      affinity,
    ),
  );
}

/** Upstream: mutateTopologySpreadConstraints. */
function withSpreadKeys(spec: JsonObject, labels: JsonObject | undefined, validation: Validation): JsonObject {
  if (!mergesSpreadKeys(validation)) return spec;
  return mapItems(spec, 'topologySpreadConstraints', it => mergeLabelKeys(it, labels));
}

/** Upstream: applyAppArmorVersionSkew. */
function withAppArmorFields(spec: JsonObject, annotations: JsonObject | undefined): JsonObject {
  if (annotations === undefined || text(record(spec, 'os'), 'name') === 'windows') return spec;
  const ofPod = record(record(spec, 'securityContext'), 'appArmorProfile');
  return CONTAINER_LISTS.reduce(
    (whole, list) => mapItems(whole, list, it => withAppArmorField(it, annotations, ofPod)),
    spec,
  );
}

function withAppArmorField(container: JsonObject, annotations: JsonObject, ofPod: JsonObject | undefined): JsonObject {
  const context = record(container, 'securityContext');
  const profile = appArmorProfile(text(annotations, `${APP_ARMOR_PREFIX}${text(container, 'name')}`));
  if (profile === undefined || record(context, 'appArmorProfile') !== undefined) return container;
  const isOfPod = ['type', 'localhostProfile'].every(it => text(profile, it) === text(ofPod, it));
  return isOfPod ? container : { ...container, securityContext: { ...context, appArmorProfile: profile } };
}

/** The prefix of annotations that once set the AppArmor profile of a container; the container's name follows. */
export const APP_ARMOR_PREFIX = 'container.apparmor.security.beta.kubernetes.io/';

const LOCALHOST = 'localhost/';
const LONGEST_PROFILE = 4095;

/** The field that is equivalent to an annotation, if there is one. Upstream: pkg/api/pod.ApparmorFieldForAnnotation. */
export function appArmorProfile(annotation: string): JsonObject | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  if (!annotation.startsWith(LOCALHOST)) return undefined;
  const localhostProfile = annotation.slice(LOCALHOST.length);
  const isValid = localhostProfile.trim() === localhostProfile && byteLength(localhostProfile) <= LONGEST_PROFILE;
  return localhostProfile !== '' && isValid ? { type: 'Localhost', localhostProfile } : undefined;
}
