import { asObject, type JsonObject } from '../../base/json';
import { flag, type GoFields, get, int, record, records, text } from '../../kube/goFields';
import { podTemplatePath } from '../../kube/podTemplates';
import { FieldPath } from '../../manifest/fieldPath';
import { valueAt } from '../../manifest/valueAt';
import { dropGatedFields } from '../apiserver/validate/gatedFields';
import { CONTAINER_LISTS } from '../apiserver/validate/podSpec/containers/containerLists';
import { APP_ARMOR_PREFIX, appArmorProfile } from '../apiserver/validate/podSpec/prepare';
import type { RuleContext, RuleTarget } from '../framework/rule';
import { isAtLeast } from '../minors/minorChange';

/** A container for the checks, from any of the lists. */
export interface ContainerView {
  readonly name: string;
  readonly at: FieldPath;
  readonly value: JsonObject;
  readonly context: GoFields;
}

/** A Pod or a Pod template for the checks. */
export interface PodView {
  readonly annotations: FieldPath;
  readonly annotation: readonly (readonly [string, string])[];
  readonly at: FieldPath;
  readonly spec: JsonObject;
  readonly context: GoFields;
  readonly contextAt: FieldPath;
  /** Init containers, containers, ephemeral containers. Upstream: policy.visitContainers. */
  readonly containers: readonly ContainerView[];
  readonly isWindows: boolean;
  /** Whether the Pod or one of its containers is a process of its Windows node. */
  readonly isHostProcess: boolean;
  /** `hostUsers: false`. Upstream: policy.relaxPolicyForUserNamespacePod. */
  readonly isInUserNamespace: boolean;
  /** Until 1.34 a gate relaxes every version of some checks for a Pod in a user namespace. */
  readonly isRelaxedByGate: boolean;
  readonly knowsImageVolumes: boolean;
}

/** The Pod of an object as admission sees it; undefined if the object has none. */
export function podViewOf(target: RuleTarget, { kube }: RuleContext): PodView | undefined {
  const path = podTemplatePath(target.object.kind);
  if (path === undefined) return undefined;
  const { kind, value } = target;
  const gated = kind && kube.gatedFields(kind.schema.definition);
  const template = FieldPath.of(...path);
  const whole = asObject(valueAt(dropGatedFields(value, gated).object, template));
  const spec = record(whole, 'spec');
  if (whole === undefined || spec === undefined) return undefined;
  const at = template.child('spec');
  const annotation = Object.entries(record(record(whole, 'metadata'), 'annotations') ?? {}).map(
    ([key, it]) => [key, typeof it === 'string' ? it : ''] as const,
  );
  const context = record(spec, 'securityContext');
  const isInUserNamespace = flag(spec, 'hostUsers') === false;
  const containers = CONTAINER_LISTS.flatMap(list =>
    records(spec, list).map((it, i) => containerView(it, at.child(list).index(i))),
  );
  const pod: PodView = {
    annotations: template.child('metadata', 'annotations'),
    annotation,
    at,
    spec,
    context,
    contextAt: at.child('securityContext'),
    containers,
    isWindows: text(record(spec, 'os'), 'name') === 'windows',
    isHostProcess: [context, ...containers.map(it => it.context)].some(isHostProcess),
    isInUserNamespace,
    isRelaxedByGate: isInUserNamespace && kube.isGateOn('UserNamespacesPodSecurityStandards'),
    knowsImageVolumes: isAtLeast(kube.minor, '1.33'),
  };
  return target.object.kind === 'Pod' ? asServerMakesIt(pod) : pod;
}

/** Whether a security context makes a process a host process on Windows. */
export function isHostProcess(context: GoFields): boolean {
  return flag(record(context, 'windowsOptions'), 'hostProcess') === true;
}

function containerView(value: JsonObject, at: FieldPath): ContainerView {
  return { name: text(value, 'name'), at, value, context: record(value, 'securityContext') };
}

/**
 * A Pod, unlike a template, has by then received host ports from its host network and AppArmor fields from its
 * annotations. Upstream: SetDefaults_Pod and applyAppArmorVersionSkew.
 */
function asServerMakesIt(pod: PodView): PodView {
  const isHostNetwork = flag(pod.spec, 'hostNetwork') === true;
  const profiles = new Map(pod.isWindows ? [] : pod.annotation.filter(([key]) => key.startsWith(APP_ARMOR_PREFIX)));
  if (!isHostNetwork && profiles.size === 0) return pod;
  const ofPod = record(pod.context, 'appArmorProfile');
  return {
    ...pod,
    containers: pod.containers.map(it => {
      const open = isHostNetwork && !it.at.toString().includes('.ephemeralContainers') ? withHostPorts(it) : it;
      const profile = appArmorProfile(profiles.get(`${APP_ARMOR_PREFIX}${it.name}`) ?? '');
      if (profile === undefined || get(it.context, 'appArmorProfile') !== undefined) return open;
      const isOfPod = ['type', 'localhostProfile'].every(field => text(profile, field) === text(ofPod, field));
      return isOfPod ? open : { ...open, context: { ...it.context, appArmorProfile: profile } };
    }),
  };
}

function withHostPorts(container: ContainerView): ContainerView {
  const ports = records(container.value, 'ports').map(it =>
    int(it, 'hostPort') === 0 ? { ...it, hostPort: int(it, 'containerPort') } : it,
  );
  return ports.length === 0 ? container : { ...container, value: { ...container.value, ports } };
}
