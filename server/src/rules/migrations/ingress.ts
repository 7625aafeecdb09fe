import type { JsonObject } from '../../base/json';
import { field, inField, inItems, renamed, withMissing, without } from './fields';

/** Ingress of extensions/v1beta1 and networking.k8s.io/v1beta1. Upstream: networking/v1beta1 Convert_… and SetDefaults_HTTPIngressPath. */
export function ingress(value: JsonObject): JsonObject {
  return inField(value, 'spec', spec => {
    const own = inField(renamed(spec, 'backend', 'defaultBackend'), 'defaultBackend', backend);
    return inItems(own, 'rules', rule => inField(rule, 'http', http => inItems(http, 'paths', path)));
  });
}

function path(it: JsonObject): JsonObject {
  return withMissing(inField(it, 'backend', backend), { pathType: 'ImplementationSpecific' });
}

function backend(it: JsonObject): JsonObject {
  const { serviceName, servicePort } = it;
  if (serviceName === undefined && servicePort === undefined) return it;
  const port = portOf(servicePort);
  const service = { ...field(it, 'serviceName', 'name'), ...(port && { port }) };
  return { ...without(it, 'serviceName', 'servicePort'), service };
}

function portOf(port: JsonObject[string] | undefined): JsonObject | undefined {
  if (typeof port === 'number') return { number: port };
  return typeof port === 'string' ? { name: port } : undefined;
}
