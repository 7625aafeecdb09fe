import type { JsonObject } from '../../../../base/json';
import { flag, int, mapField, mapItems, record, text, withDefaults } from '../../../../kube/goFields';
import { defaultAmounts, defaultResourceList } from '../amounts';
import type { Validation } from '../errors';
import { defaultContainer, defaultHostPorts, defaultHttpProtocol, requestLimits } from './containers/containerDefaults';
import { CONTAINER_LISTS } from './containers/containerLists';
import { defaultPodResources } from './podResources';
import { defaultVolume } from './volumes/volumeDefaults';

/** Upstream: SetDefaults_PodSpec and the defaults of its fields. */
export function defaultPodSpec(spec: JsonObject): JsonObject {
  const account = text(spec, 'serviceAccountName') || text(spec, 'serviceAccount');
  const filled = withDefaults(spec, {
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    securityContext: {},
    terminationGracePeriodSeconds: 30,
    schedulerName: 'default-scheduler',
    ...(account !== '' && { serviceAccountName: account }),
  });
  const volumes = mapItems(filled, 'volumes', defaultVolume);
  const containers = mapContainers(volumes, CONTAINER_LISTS, defaultContainer);
  return mapField(mapField(containers, 'overhead', defaultResourceList), 'resources', defaultAmounts);
}

/**
 * A Pod's spec with its defaults, some of which a template does not get. The amounts of the containers are summed
 * before they are rounded, unless a gate delays the sum until everything is defaulted. Upstream: SetDefaults_Pod,
 * pod.DefaultPodLevelResources.
 */
export function defaultPod(spec: JsonObject, validation: Validation): JsonObject {
  const isLate = validation.isOn('PodLevelResourcesFixDefaulting');
  const patient = int(spec, 'terminationGracePeriodSeconds') < 0 ? { ...spec, terminationGracePeriodSeconds: 1 } : spec;
  const requested = mapContainers(patient, RUN_BY_AUTHORS, requestLimits);
  const sized = isLate ? requested : defaultPodResources(requested, validation);
  const open = flag(spec, 'hostNetwork') === true ? mapContainers(sized, RUN_BY_AUTHORS, defaultHostPorts) : sized;
  const probed = validation.isOn('H2CContainerProbe')
    ? mapContainers(open, CONTAINER_LISTS, defaultHttpProtocol)
    : open;
  const filled = defaultPodSpec(withDefaults(probed, { enableServiceLinks: true }));
  return isLate ? defaultPodResources(filled, validation) : filled;
}

const RUN_BY_AUTHORS = ['containers', 'initContainers'];

function mapContainers(
  spec: JsonObject,
  lists: readonly string[],
  change: (container: JsonObject) => JsonObject,
): JsonObject {
  return lists.reduce((it, name) => mapItems(it, name, change), spec);
}

/** The object with defaults in its template, which has `metadata` and `spec`. */
export function defaultTemplate(template: JsonObject): JsonObject {
  return { ...template, spec: defaultPodSpec(record(template, 'spec') ?? {}) };
}
