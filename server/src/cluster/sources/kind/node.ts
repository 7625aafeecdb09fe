import type { UnknownObject } from '../../../base/json';
import { printed } from '../../../base/printed';
import { formatQuantity, parseQuantity, subtractQuantities } from '../../../kube/quantity';
import type { Node, StringMap, Taint } from '../../../kube/types';
import { type KubernetesVersion, versionText } from '../../../kube/version';
import { fieldsOf } from '../../decode/fields';
import type { KindNode } from './config';
import { type Patching, parsePairs, parseTaints, patched, type Registration } from './kubeadm';

/**
 * Every node container of kind reports the whole host machine, which is unknown here; this size is assumed. The kubelet
 * of kind reserves nothing, so all of it is allocatable except for what a patch reserves.
 */
export const ASSUMED_MACHINE: StringMap = { cpu: '8', memory: '16Gi', 'ephemeral-storage': '100Gi', pods: '110' };

const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane';
const NO_BALANCER = 'node.kubernetes.io/exclude-from-external-load-balancers';

export interface NodeFacts {
  readonly node: KindNode;
  /** Whether `kubeadm init` or `kubeadm join` makes the node. */
  readonly bootstrap: 'init' | 'join';
  /** kind removes the control plane's taint from a single node. */
  readonly company: 'alone' | 'others';
  readonly version: Patching['version'];
  /** What the node's image says that it runs. */
  readonly image: KubernetesVersion | undefined;
  /** The documents of the node's patches, parsed. */
  readonly patches: readonly UnknownObject[];
  /** KubeletConfiguration after the patches of the first control plane; kubeadm uses it for all nodes. */
  readonly kubelet: Readonly<Record<string, unknown>>;
  readonly onNote: (message: string) => void;
}

/** The Node that kubeadm and the kubelet of a kind node register. */
export function kindNodeObject(facts: NodeFacts): Node {
  const { node, kubelet, image } = facts;
  const registration = registrationOf(facts);
  const labels = labelsOf(facts, registration);
  const taints = taintsOf(facts, registration);
  const allocatable = allocatableOf(kubelet, registration.args);
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: node.name, labels },
    spec: { ...(taints.length > 0 && { taints }) },
    status: {
      capacity: { ...ASSUMED_MACHINE, pods: allocatable.pods ?? '110' },
      allocatable,
      conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }],
      nodeInfo: {
        operatingSystem: 'linux',
        architecture: 'amd64',
        ...(image?.patch !== undefined && { kubeletVersion: `v${versionText(image)}` }),
      },
    },
  };
}

function registrationOf({ node, bootstrap, version, patches, onNote }: NodeFacts): Registration {
  const labels = Object.entries(node.labels).map(([key, value]) => `${key}=${value}`);
  const written: Registration = { args: new Map(labels.length > 0 ? [['node-labels', labels.join(',')]] : []) };
  const kind = bootstrap === 'init' ? 'InitConfiguration' : 'JoinConfiguration';
  return patches.reduce((sum, it) => patched(sum, it, { kind, version, onNote }), written);
}

/** Upstream: Kubelet.initialNode, markControlPlaneNode of kubeadm. */
function labelsOf({ node, company, onNote }: NodeFacts, { args }: Registration): StringMap {
  const own = parsePairs(args.get('node-labels') ?? '');
  for (const key of Object.keys(own).filter(it => !mayKubeletSet(it))) {
    onNote(`the kubelet refuses to start with the label ${key}, as it may not set labels of kubernetes.io`);
  }
  return {
    'kubernetes.io/hostname': node.name,
    'kubernetes.io/os': 'linux',
    'kubernetes.io/arch': 'amd64',
    'beta.kubernetes.io/os': 'linux',
    'beta.kubernetes.io/arch': 'amd64',
    ...own,
    ...(node.role === 'control-plane' && {
      [CONTROL_PLANE]: '',
      ...(company === 'others' && { [NO_BALANCER]: '' }),
    }),
  };
}

const KUBELET_LABELS =
  /^(?:kubernetes\.io\/(?:hostname|os|arch)|beta\.kubernetes\.io\/(?:os|arch|instance-type)|(?:topology|failure-domain\.beta)\.kubernetes\.io\/(?:zone|region)|(?:[^/]+\.)?(?:kubelet|node)\.kubernetes\.io\/.*)$/;

/** Upstream: options.ValidateKubeletFlags, apis.IsKubeletLabel. */
function mayKubeletSet(key: string): boolean {
  return !/^(?:[^/]+\.)?(?:kubernetes|k8s)\.io\//.test(key) || KUBELET_LABELS.test(key);
}

/** Upstream: SetNodeRegistrationDynamicDefaults and markControlPlaneNode of kubeadm; kind's kubeadminit action. */
function taintsOf({ node, company, kubelet }: NodeFacts, { taints, args }: Registration): readonly Taint[] {
  const flag = args.get('register-with-taints');
  const registered = flag === undefined ? ((kubelet.registerWithTaints ?? []) as readonly Taint[]) : parseTaints(flag);
  if (node.role === 'worker') return flag === undefined ? (taints ?? registered) : registered;
  const marked = taints ?? [{ key: CONTROL_PLANE, effect: 'NoSchedule' }];
  const all = [...marked, ...registered.filter(it => !marked.some(other => isSame(it, other)))];
  return company === 'alone' ? all.filter(it => it.key !== CONTROL_PLANE) : all;
}

const isSame = (a: Taint, b: Taint): boolean =>
  a.key === b.key && (a.value ?? '') === (b.value ?? '') && a.effect === b.effect;

/** Upstream: containerManagerImpl.GetNodeAllocatableReservation. */
function allocatableOf(kubelet: NodeFacts['kubelet'], args: Registration['args']): StringMap {
  const reserved = [
    reservedBy(args.get('kube-reserved'), kubelet.kubeReserved),
    reservedBy(args.get('system-reserved'), kubelet.systemReserved),
  ];
  const pods = printed(args.get('max-pods') ?? kubelet.maxPods ?? ASSUMED_MACHINE.pods);
  const rest = Object.entries(ASSUMED_MACHINE).map(([name, amount]) => [name, reserved.reduce(without(name), amount)]);
  return { ...(Object.fromEntries(rest) as StringMap), pods };
}

function reservedBy(flag: string | undefined, field: unknown): StringMap {
  return flag === undefined ? (fieldsOf(field) as StringMap) : parsePairs(flag);
}

const without =
  (name: string) =>
  (amount: string, reserved: StringMap): string => {
    const [whole, part] = [parseQuantity(amount), parseQuantity(printed(reserved[name] ?? ''))];
    return whole && part ? formatQuantity(subtractQuantities(whole, part)) : amount;
  };
