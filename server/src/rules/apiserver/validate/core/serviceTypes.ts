import { type GoFields, items, text, texts } from '../../../../kube/goFields';

/** Whether a Service is headless. Upstream: isHeadlessService of pkg/apis/core/validation. */
export function isHeadless(spec: GoFields): boolean {
  const ips = texts(spec, 'clusterIPs');
  return ips.length === 1 && ips[0] === 'None';
}

/** Whether a Service is reachable from outside the cluster. Upstream: pkg/api/service.ExternallyAccessible. */
export function isExternallyAccessible(spec: GoFields): boolean {
  const type = text(spec, 'type');
  if (type === 'LoadBalancer' || type === 'NodePort') return true;
  return type === 'ClusterIP' && items(spec, 'externalIPs').length > 0;
}
