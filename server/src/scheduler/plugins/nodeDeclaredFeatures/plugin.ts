import type { PodModel } from '../../../cluster/pods/podModel';
import type { PluginFactory, SchedulerGates } from '../../framework/interface';
import { definePlugin } from '../../framework/plugin';
import { skip, success, unresolvable } from '../../framework/status';

const RESTART_ALL = 'RestartAllContainersOnContainerExits';
const USER_NAMESPACES_HOST_NETWORK = 'UserNamespacesHostNetworkSupport';
const BIND_MOUNT_OPTIONS = 'VolumeBindMountOptions';

/** Upstream: pkg/scheduler/framework/plugins/nodedeclaredfeatures with component-helpers/nodedeclaredfeatures. */
export const nodeDeclaredFeatures: PluginFactory = ({ gates }) =>
  definePlugin<readonly string[]>({
    name: 'NodeDeclaredFeatures',
    shares: { dependsOn: 'node', sign: pod => requiredBy(pod, gates).join() },
    preFilter(pod) {
      const requiredFeatures = requiredBy(pod, gates);
      return requiredFeatures.length === 0 ? { status: skip } : { status: success, state: requiredFeatures };
    },
    filter: (requiredFeatures, _pod, { node }) =>
      requiredFeatures.every(it => node.declaredFeatures.has(it))
        ? success
        : unresolvable("node(s) didn't match Pod's required features"),
  });

function requiredBy(pod: PodModel, gates: SchedulerGates): readonly string[] {
  if (!gates.isOn('NodeDeclaredFeatures')) return [];
  const own = featuresOf(pod);
  // Without the gate the API server drops the options from a new Pod.
  return gates.volumeBindMountOptions && hasBindMountOptions(pod) ? [...own, BIND_MOUNT_OPTIONS] : own;
}

function featuresOf(pod: PodModel): readonly string[] {
  const res: string[] = [];
  const containers = [...(pod.spec.containers ?? []), ...(pod.spec.initContainers ?? [])];
  const rules = containers.flatMap(it => (it.restartPolicyRules ?? []) as readonly { readonly action?: string }[]);
  if (rules.some(it => it.action === 'RestartAllContainers')) res.push(RESTART_ALL);
  if (pod.spec.hostNetwork === true && pod.spec.hostUsers === false) res.push(USER_NAMESPACES_HOST_NETWORK);
  return res;
}

function hasBindMountOptions({ spec }: PodModel): boolean {
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? []), ...(spec.ephemeralContainers ?? [])];
  const mounts = containers.flatMap(
    it => (it.volumeMounts ?? []) as readonly { readonly bindMountOptions?: unknown }[],
  );
  return mounts.some(({ bindMountOptions: options }) => Array.isArray(options) && options.length > 0);
}
