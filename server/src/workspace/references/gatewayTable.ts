import { NAMED, names } from './kinds';
import type { Bundle, KindName, PartRow, ReferenceRow } from './row';

/** References in objects of the Gateway API. */

const GROUP = 'gateway.networking.k8s.io';

/** Kinds with `parentRefs` and `rules[].backendRefs`. */
export const ROUTES: readonly string[] = ['GRPCRoute', 'HTTPRoute', 'TCPRoute', 'TLSRoute', 'UDPRoute'];

const typed = (at: string, defaultKind: KindName, parts?: readonly PartRow[]): ReferenceRow => ({
  at,
  aim: { to: 'typed', groupField: 'group', namespaceField: 'namespace', defaultKind },
  ...(parts && { parts }),
});

const SERVICE_PORT: readonly PartRow[] = [{ at: 'port', what: 'port', names: ['spec.ports[].port'] }];
const LISTENER: readonly PartRow[] = [{ at: 'sectionName', what: 'listener', names: ['spec.listeners[].name'] }];

const route: readonly ReferenceRow[] = [
  typed('spec.parentRefs[].name', NAMED.gateway, LISTENER),
  typed('spec.rules[].backendRefs[].name', NAMED.service, SERVICE_PORT),
  ...['spec.rules[].filters[]', 'spec.rules[].backendRefs[].filters[]'].map(it =>
    typed(`${it}.requestMirror.backendRef.name`, NAMED.service, SERVICE_PORT),
  ),
];

const gateway: readonly ReferenceRow[] = [
  names('spec.gatewayClassName', NAMED.gatewayClass),
  typed('spec.listeners[].tls.certificateRefs[].name', NAMED.secret),
];

const of = (kind: string): Bundle['places'][number] => ({ group: GROUP, kind, path: '' });

export const GATEWAY_BUNDLES: readonly Bundle[] = [
  { places: ROUTES.map(of), rows: route },
  { places: [of('Gateway')], rows: gateway },
];
