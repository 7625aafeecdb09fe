import type { JsonObject } from '../../../../base/json';
import { has, items, record, text, texts } from '../../../../kube/goFields';
import type { Kube } from '../../../../kube/kube';
import { FieldPath } from '../../../../manifest/fieldPath';
import { applies } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';
import { addressWarningsOf } from '../shared/addresses';
import { annotationsOf } from '../shared/labels';

const SPEC = FieldPath.of('spec');

/** Upstream: pkg/api/service.GetWarningsForService. */
export function serviceWarnings(object: JsonObject, kube: Kube): readonly string[] {
  const spec = record(object, 'spec') ?? {};
  const isExternalName = text(spec, 'type') === 'ExternalName';
  const isHeadless = text(spec, 'type') === 'ClusterIP' && text(spec, 'clusterIP') === 'None';
  const hasClusterIp = text(spec, 'clusterIP') !== '' && text(spec, 'clusterIP') !== 'None';
  const isWarned = isHeadless && applies(minorChanges.headlessServiceWarnings, kube);
  const warningsOf = addressWarningsOf(kube);
  const hasExternalIps = items(spec, 'externalIPs').length > 0;
  const about = (field: string, warningsOf: (value: string) => readonly string[]) =>
    texts(spec, field).flatMap((it, i) => warningsOf(it).map(warning => `${SPEC.child(field).index(i)}: ${warning}`));
  const ignored = (field: string) => `spec.${field} is ignored for headless services`;
  const hints =
    'annotation service.kubernetes.io/topology-aware-hints is deprecated, please use service.kubernetes.io/topology-mode instead';
  const preferred = 'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"';
  return [
    ...(has(annotationsOf(object), 'service.kubernetes.io/topology-aware-hints') ? [hints] : []),
    ...(hasClusterIp ? about('clusterIPs', warningsOf.ip) : []),
    ...(isWarned && text(spec, 'loadBalancerIP') !== '' ? [ignored('loadBalancerIP')] : []),
    ...(isWarned && hasExternalIps ? [ignored('externalIPs')] : []),
    ...(isWarned && text(spec, 'sessionAffinity') !== 'None' ? [ignored('SessionAffinity')] : []),
    ...about('externalIPs', warningsOf.ip),
    ...(hasExternalIps && !isHeadless && !isExternalName && applies(minorChanges.externalIpsDeprecated, kube)
      ? ['spec.externalIPs is deprecated and may no longer be implemented in some clusters']
      : []),
    ...(text(spec, 'loadBalancerIP') === '' ? [] : warningsOf.ip(text(spec, 'loadBalancerIP'))).map(
      it => `spec.loadBalancerIP: ${it}`,
    ),
    ...about('loadBalancerSourceRanges', warningsOf.cidr),
    ...(isExternalName && hasExternalIps ? ['spec.externalIPs is ignored when spec.type is "ExternalName"'] : []),
    ...(!isExternalName && text(spec, 'externalName') !== ''
      ? ['spec.externalName is ignored when spec.type is not "ExternalName"']
      : []),
    ...(text(spec, 'trafficDistribution') === 'PreferClose' && applies(minorChanges.preferCloseDeprecated, kube)
      ? [preferred]
      : []),
  ];
}
