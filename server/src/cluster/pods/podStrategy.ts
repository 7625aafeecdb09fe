import type {
  Container,
  ContainerPort,
  LabelSelector,
  PodAffinity,
  PodAffinityTerm,
  PodSpec,
  StringMap,
} from '../../kube/types';
import { isSidecar } from '../resources/resources';
import { podLevelDefaults } from './podLevelResources';

/** The API server's defaults that placement reads. Upstream: SetDefaults_Pod. */
export function withDefaults(spec: PodSpec): PodSpec {
  const onHost = spec.hostNetwork === true;
  const lacks = (it: Container): boolean => it.resources?.limits !== undefined || (onHost && it.ports !== undefined);
  // Most Pods of a large cluster need no defaults, and are not copied.
  if (!spec.containers?.some(lacks) && !spec.initContainers?.some(lacks)) return spec;
  return {
    ...spec,
    ...(spec.containers && { containers: spec.containers.map(it => containerWithDefaults(it, spec)) }),
    ...(spec.initContainers && { initContainers: spec.initContainers.map(it => containerWithDefaults(it, spec)) }),
  };
}

function containerWithDefaults(container: Container, { hostNetwork }: PodSpec): Container {
  const limits = container.resources?.limits;
  const ports = container.ports;
  return {
    ...container,
    ...(limits && {
      resources: { ...container.resources, requests: { ...limits, ...container.resources?.requests } },
    }),
    ...(hostNetwork === true && ports && { ports: ports.map(withHostPort) }),
  };
}

function withHostPort(port: ContainerPort): ContainerPort {
  if (port.hostPort || port.containerPort === undefined) return port;
  return { ...port, hostPort: port.containerPort };
}

/** The effects of the Pod strategy on create that placement reads. Upstream: podStrategy.PrepareForCreate. */
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
    .filter(key => Object.hasOwn(labels, key))
    .map(key => ({ key, operator, values: [labels[key] ?? ''] }));
  if (more.length === 0) return selector;
  return { ...selector, matchExpressions: [...(selector.matchExpressions ?? []), ...more] };
}

/** Host ports of containers and sidecars, of which a node has each only once. */
export function hostPortsOf(spec: PodSpec): readonly { ip: string; protocol: string; port: number }[] {
  const opens = (it: Container): boolean => it.ports !== undefined;
  if (!spec.containers?.some(opens) && !spec.initContainers?.some(opens)) return NO_PORTS;
  const holders = [...(spec.containers ?? []), ...(spec.initContainers ?? []).filter(isSidecar)];
  return holders.flatMap(it =>
    (it.ports ?? [])
      .filter(port => (port.hostPort ?? 0) > 0)
      .map(port => ({ ip: port.hostIP || '0.0.0.0', protocol: port.protocol || 'TCP', port: port.hostPort ?? 0 })),
  );
}

const NO_PORTS: readonly never[] = [];
