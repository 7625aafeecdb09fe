import type {
  Container,
  ContainerPort,
  LabelSelector,
  Pod,
  PodAffinity,
  PodAffinityTerm,
  PodSpec,
  PriorityClass,
  ResourceRequirements,
  RuntimeClass,
  StringMap,
  Toleration,
} from '../kube/types';
import { isPodLevelResource, isSidecar } from './resources';

/** What admission looks up. */
export interface AdmissionFacts {
  readonly priorityClasses: ReadonlyMap<string, PriorityClass>;
  readonly runtimeClasses: ReadonlyMap<string, RuntimeClass>;
}

export type Admitted = { readonly spec: PodSpec } | { readonly rejected: string };

/** The classes every cluster has. Upstream: scheduling.SystemPriorityClasses. */
export const SYSTEM_PRIORITY_CLASSES: readonly PriorityClass[] = [
  { metadata: { name: 'system-node-critical' }, value: 2_000_001_000 },
  { metadata: { name: 'system-cluster-critical' }, value: 2_000_000_000 },
];

/** The API server's defaults that placement reads. Upstream: SetDefaults_Pod. */
export function withDefaults(spec: PodSpec): PodSpec {
  const onHost = spec.hostNetwork === true;
  return {
    ...spec,
    ...(spec.containers && { containers: spec.containers.map(it => containerWithDefaults(it, onHost)) }),
    ...(spec.initContainers && { initContainers: spec.initContainers.map(it => containerWithDefaults(it, onHost)) }),
  };
}

function containerWithDefaults(container: Container, onHost: boolean): Container {
  const limits = container.resources?.limits;
  const ports = container.ports;
  return {
    ...container,
    ...(limits && {
      resources: { ...container.resources, requests: { ...limits, ...container.resources?.requests } },
    }),
    ...(onHost && ports && { ports: ports.map(withHostPort) }),
  };
}

function withHostPort(port: ContainerPort): ContainerPort {
  if (port.hostPort || port.containerPort === undefined) return port;
  return { ...port, hostPort: port.containerPort };
}

/** What the Pod strategy does on create that placement sees. Upstream: podStrategy.PrepareForCreate. */
export function prepareForCreate(spec: PodSpec, labels: StringMap): PodSpec {
  return {
    ...spec,
    ...(spec.resources && { resources: podLevelDefaults(spec, spec.resources) }),
    ...(spec.affinity && {
      affinity: {
        ...spec.affinity,
        ...(spec.affinity.podAffinity && { podAffinity: mergeLabelKeys(spec.affinity.podAffinity, labels) }),
        ...(spec.affinity.podAntiAffinity && {
          podAntiAffinity: mergeLabelKeys(spec.affinity.podAntiAffinity, labels),
        }),
      },
    }),
    ...(spec.topologySpreadConstraints && {
      topologySpreadConstraints: spec.topologySpreadConstraints.map(it =>
        it.matchLabelKeys && it.labelSelector
          ? { ...it, labelSelector: withLabelKeys(it.labelSelector, it.matchLabelKeys, 'In', labels) }
          : it,
      ),
    }),
  };
}

/** Requests of the whole Pod are filled from what the containers ask for, then from its limits. */
function podLevelDefaults(spec: PodSpec, resources: ResourceRequirements): ResourceRequirements {
  const { requests, limits } = resources;
  if (!requests && !limits) return resources;
  // Containers that ask for the resource keep it at their sum, which is what the requests of the Pod are without a Pod-level value.
  const asked = new Set(
    [...(spec.containers ?? []), ...(spec.initContainers ?? [])].flatMap(it =>
      Object.keys(it.resources?.requests ?? {}),
    ),
  );
  const fromLimits = Object.entries(limits ?? {}).filter(
    ([name]) => isPodLevelResource(name) && !(asked.has(name) && !name.startsWith('hugepages-')),
  );
  return { ...resources, requests: { ...Object.fromEntries(fromLimits), ...requests } };
}

function mergeLabelKeys(affinity: PodAffinity, labels: StringMap): PodAffinity {
  const required = affinity.requiredDuringSchedulingIgnoredDuringExecution;
  const preferred = affinity.preferredDuringSchedulingIgnoredDuringExecution;
  return {
    ...(required && { requiredDuringSchedulingIgnoredDuringExecution: required.map(it => termWithKeys(it, labels)) }),
    ...(preferred && {
      preferredDuringSchedulingIgnoredDuringExecution: preferred.map(it =>
        it.podAffinityTerm ? { ...it, podAffinityTerm: termWithKeys(it.podAffinityTerm, labels) } : it,
      ),
    }),
  };
}

function termWithKeys(term: PodAffinityTerm, labels: StringMap): PodAffinityTerm {
  if (!term.labelSelector || !(term.matchLabelKeys || term.mismatchLabelKeys)) return term;
  const matched = withLabelKeys(term.labelSelector, term.matchLabelKeys ?? [], 'In', labels);
  return { ...term, labelSelector: withLabelKeys(matched, term.mismatchLabelKeys ?? [], 'NotIn', labels) };
}

function withLabelKeys(
  selector: LabelSelector,
  keys: readonly string[],
  operator: string,
  labels: StringMap,
): LabelSelector {
  const more = keys
    .filter(key => labels[key] !== undefined)
    .map(key => ({ key, operator, values: [labels[key] ?? ''] }));
  if (more.length === 0) return selector;
  return { ...selector, matchExpressions: [...(selector.matchExpressions ?? []), ...more] };
}

/** The Priority admission plugin. A Pod that already has a number is taken as admitted. */
export function admitPriority(pod: Pod, spec: PodSpec, facts: AdmissionFacts): Admitted {
  if (spec.priority !== undefined) return { spec };
  const name = spec.priorityClassName;
  const found = name ? facts.priorityClasses.get(name) : defaultClass(facts);
  if (name && !found) {
    return {
      rejected: `pods "${pod.metadata?.name ?? ''}" is forbidden: no PriorityClass with name ${name} was found`,
    };
  }
  const policy = found?.preemptionPolicy ?? 'PreemptLowerPriority';
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== policy) {
    return {
      rejected: `pods "${pod.metadata?.name ?? ''}" is forbidden: the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`,
    };
  }
  const className = found?.metadata?.name;
  return {
    spec: {
      ...spec,
      priority: found?.value ?? 0,
      preemptionPolicy: policy,
      ...(className !== undefined && { priorityClassName: className }),
    },
  };
}

function defaultClass(facts: AdmissionFacts): PriorityClass | undefined {
  const candidates = [...facts.priorityClasses.values()].filter(it => it.globalDefault === true);
  return candidates.reduce<PriorityClass | undefined>(
    (best, it) => (best === undefined || (it.value ?? 0) < (best.value ?? 0) ? it : best),
    undefined,
  );
}

const NOT_READY = 'node.kubernetes.io/not-ready';
const UNREACHABLE = 'node.kubernetes.io/unreachable';

/** The DefaultTolerationSeconds admission plugin: five minutes on a node that is not ready or cannot be reached. */
export function admitTolerations(spec: PodSpec): PodSpec {
  const tolerations = spec.tolerations ?? [];
  const covers = (key: string) => (it: Toleration) =>
    (!it.key || it.key === key) && (!it.effect || it.effect === 'NoExecute');
  const more = [NOT_READY, UNREACHABLE]
    .filter(key => !tolerations.some(covers(key)))
    .map((key): Toleration => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }));
  return more.length === 0 ? spec : { ...spec, tolerations: [...tolerations, ...more] };
}

/** The RuntimeClass admission plugin: overhead, nodeSelector and tolerations of the class. */
export function admitRuntimeClass(pod: Pod, spec: PodSpec, facts: AdmissionFacts): Admitted {
  const name = spec.runtimeClassName;
  if (!name) return { spec };
  const forbidden = `pods "${pod.metadata?.name ?? ''}" is forbidden:`;
  const found = facts.runtimeClasses.get(name);
  if (!found) return { rejected: `${forbidden} pod rejected: RuntimeClass "${name}" not found` };
  const overhead = found.overhead?.podFixed;
  const selector = found.scheduling?.nodeSelector ?? {};
  for (const [key, value] of Object.entries(selector)) {
    const own = spec.nodeSelector?.[key];
    if (own !== undefined && own !== value) {
      return {
        rejected: `${forbidden} conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own}`,
      };
    }
  }
  const hasOwnOverhead = Object.keys(spec.overhead ?? {}).length > 0;
  const tolerations = found.scheduling?.tolerations ?? [];
  return {
    spec: {
      ...spec,
      ...(overhead && !hasOwnOverhead && { overhead }),
      ...(Object.keys(selector).length > 0 && { nodeSelector: { ...spec.nodeSelector, ...selector } }),
      ...(tolerations.length > 0 && { tolerations: [...(spec.tolerations ?? []), ...tolerations] }),
    },
  };
}

/** Ports of containers and sidecars that a node can give only once. */
export function hostPortsOf(spec: PodSpec): readonly { ip: string; protocol: string; port: number }[] {
  const holders = [...(spec.containers ?? []), ...(spec.initContainers ?? []).filter(isSidecar)];
  return holders.flatMap(it =>
    (it.ports ?? [])
      .filter(port => (port.hostPort ?? 0) > 0)
      .map(port => ({ ip: port.hostIP || '0.0.0.0', protocol: port.protocol || 'TCP', port: port.hostPort ?? 0 })),
  );
}
