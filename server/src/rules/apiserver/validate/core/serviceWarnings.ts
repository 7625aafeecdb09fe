import type { JsonObject } from '../../../../base/json';
import { has, items, record, text, texts } from '../../../../kube/goFields';
import { cidrWarnings, ipWarnings } from '../../../../kube/ip';
import { FieldPath } from '../../../../manifest/fieldPath';
import { annotationsOf } from '../shared/labels';

const SPEC = FieldPath.of('spec');

/** Upstream: pkg/api/service.GetWarningsForService. */
export function serviceWarnings(object: JsonObject): readonly string[] {
  const spec = record(object, 'spec') ?? {};
  const isExternalName = text(spec, 'type') === 'ExternalName';
  const isHeadless = text(spec, 'type') === 'ClusterIP' && text(spec, 'clusterIP') === 'None';
  const hasClusterIp = text(spec, 'clusterIP') !== '' && text(spec, 'clusterIP') !== 'None';
  const hasExternalIps = items(spec, 'externalIPs').length > 0;
  const about = (field: string, warningsOf: (value: string) => readonly string[]) =>
    texts(spec, field).flatMap((it, i) => warningsOf(it).map(warning => `${SPEC.child(field).index(i)}: ${warning}`));
  const ignored = (field: string) => `spec.${field} is ignored for headless services`;
  const hints =
    'annotation service.kubernetes.io/topology-aware-hints is deprecated, please use service.kubernetes.io/topology-mode instead';
  const preferred = 'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"';
  return [
    ...(has(annotationsOf(object), 'service.kubernetes.io/topology-aware-hints') ? [hints] : []),
    ...(hasClusterIp ? about('clusterIPs', ipWarnings) : []),
    ...(isHeadless && text(spec, 'loadBalancerIP') !== '' ? [ignored('loadBalancerIP')] : []),
    ...(isHeadless && hasExternalIps ? [ignored('externalIPs')] : []),
    ...(isHeadless && text(spec, 'sessionAffinity') !== 'None' ? [ignored('SessionAffinity')] : []),
    ...about('externalIPs', ipWarnings),
    ...(hasExternalIps && !isHeadless && !isExternalName
      ? ['spec.externalIPs is deprecated and may no longer be implemented in some clusters']
      : []),
    ...ipWarnings(text(spec, 'loadBalancerIP')).map(it => `spec.loadBalancerIP: ${it}`),
    ...about('loadBalancerSourceRanges', cidrWarnings),
    ...(isExternalName && hasExternalIps ? ['spec.externalIPs is ignored when spec.type is "ExternalName"'] : []),
    ...(!isExternalName && text(spec, 'externalName') !== ''
      ? ['spec.externalName is ignored when spec.type is not "ExternalName"']
      : []),
    ...(text(spec, 'trafficDistribution') === 'PreferClose' ? [preferred] : []),
  ];
}
