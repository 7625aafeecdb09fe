import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../server/src/base/json';
import { answer } from './answers';

const metadata = { name: 'web' };
const ingress = (spec: JsonObject, annotations: JsonObject = {}): JsonObject => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: { name: 'web', annotations },
  spec,
});
const backend = { service: { name: 'web', port: { number: 80 } } };
const withPath = (path: JsonObject): JsonObject =>
  ingress({ rules: [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend, ...path }] } }] });
const withBackend = (of: JsonObject): JsonObject => ingress({ defaultBackend: of });
const PATH = 'spec.rules[0].http.paths[0]';

const policy = (spec: JsonObject): JsonObject => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata,
  spec: { podSelector: {}, ...spec },
});
const from = (...peers: JsonObject[]): JsonObject => policy({ ingress: [{ from: peers }] });
const block = (cidr: string, ...except: string[]): JsonObject => from({ ipBlock: { cidr, except } });
const port = (of: JsonObject): JsonObject => policy({ egress: [{ ports: [of] }] });
const BLOCK = 'spec.ingress[0].from[0].ipBlock';

const ingressClass = (parameters: JsonObject, controller = 'example.com/ingress'): JsonObject => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'IngressClass',
  metadata,
  spec: { controller, parameters: { kind: 'Config', name: 'main', ...parameters } },
});

const cidrs = (...of: string[]): JsonObject => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'ServiceCIDR',
  metadata,
  spec: { cidrs: of },
});

const ipAddress = (name: JsonObject, parentRef: JsonValue): JsonObject => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'IPAddress',
  metadata: name,
  spec: { parentRef },
});
const parent = { resource: 'services', name: 'web' };

const endpoints = (...subsets: JsonObject[]): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Endpoints',
  metadata,
  subsets,
});
const slice = (of: JsonObject): JsonObject => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata,
  addressType: 'IPv4',
  endpoints: [{ addresses: ['10.0.0.1'] }],
  ...of,
});
const addresses = (addressType: string, ...of: string[]) => slice({ addressType, endpoints: [{ addresses: of }] });

/** `field: type` of each error. */
const errorsOf = (object: JsonObject): readonly string[] =>
  answer(object).errors.map(it => it.split(' ').slice(0, 2).join(' '));

describe('the server refuses', () => {
  const cases: readonly (readonly [string, JsonObject, readonly string[]])[] = [
    ['an Ingress without rules', ingress({}), ['spec: Invalid']],
    ['no Ingress with a default backend', withBackend(backend), []],
    ['an IP address as host', ingress({ rules: [{ host: '10.0.0.1' }] }), ['spec.rules[0].host: Invalid']],
    ['a wildcard inside of a host', ingress({ rules: [{ host: 'a.*.com' }] }), ['spec.rules[0].host: Invalid']],
    ['no wildcard in front', ingress({ rules: [{ host: '*.example.com' }] }), []],
    ['a rule without paths', ingress({ rules: [{ http: {} }] }), ['spec.rules[0].http.paths: Required']],
    [
      'a path without type, whose backend is not looked at',
      withPath({ pathType: null, backend: {} }),
      [`${PATH}.pathType: Required`],
    ],
    ['an unknown type of path', withPath({ pathType: 'prefix' }), [`${PATH}.pathType: NotSupported`]],
    ['a relative path', withPath({ path: 'a' }), [`${PATH}.path: Invalid`]],
    ['a path with a step back', withPath({ path: '/a/..' }), [`${PATH}.path: Invalid`]],
    ['no such path for the implementation', withPath({ path: '/a/..', pathType: 'ImplementationSpecific' }), []],
    ['a backend of two kinds', withBackend({ ...backend, resource: parent }), ['spec.defaultBackend: Invalid']],
    ['a backend of no kind', withBackend({}), ['spec.defaultBackend: Invalid']],
    ['a backend without port', withBackend({ service: { name: 'web' } }), ['spec.defaultBackend: Required']],
    [
      'a backend with two ports',
      withBackend({ service: { name: 'web', port: { name: 'a', number: 1 } } }),
      ['spec.defaultBackend: Invalid'],
    ],
    [
      'a port out of range',
      withBackend({ service: { name: 'web', port: { number: 70000 } } }),
      ['spec.defaultBackend.service.port.number: Invalid'],
    ],
    ['no service that starts with a digit', withBackend({ service: { name: '1web', port: { number: 80 } } }), []],
    [
      'a resource without kind',
      withBackend({ resource: { name: 'a' } }),
      ['spec.defaultBackend.resource.kind: Required'],
    ],
    [
      'a host in tls',
      ingress({ defaultBackend: backend, tls: [{ hosts: ['A.b'] }] }),
      ['spec.tls[0].hosts[0]: Invalid'],
    ],
    [
      'two classes at odds',
      ingress({ defaultBackend: backend, ingressClassName: 'a' }, { 'kubernetes.io/ingress.class': 'b' }),
      ['annotations.kubernetes.io/ingress.class: Invalid'],
    ],
    ['a controller without path', ingressClass({}, 'example.com'), ['spec.controller: Invalid']],
    ['a controller that is too long', ingressClass({}, `example.com/${'a'.repeat(240)}`), ['spec.controller: TooLong']],
    ['a namespace of cluster parameters', ingressClass({ namespace: 'a' }), ['spec.parameters.namespace: Forbidden']],
    ['namespaced parameters without it', ingressClass({ scope: 'Namespace' }), ['spec.parameters.namespace: Required']],
    ['an unknown scope', ingressClass({ scope: 'All' }), ['spec.parameters.scope: NotSupported']],
    ['an empty peer', from({}), ['spec.ingress[0].from[0]: Required']],
    [
      'a block with a selector',
      from({ podSelector: {}, ipBlock: { cidr: '10.0.0.0/8' } }),
      ['spec.ingress[0].from[0]: Forbidden'],
    ],
    ['no two selectors', from({ podSelector: {}, namespaceSelector: {} }), []],
    ['a block without cidr', block(''), [`${BLOCK}.cidr: Required`]],
    ['bits beyond the prefix', block('10.0.0.1/8'), [`${BLOCK}.cidr: Invalid`]],
    ['an exception outside of the block', block('10.0.0.0/8', '11.0.0.0/16'), [`${BLOCK}.except[0]: Invalid`]],
    ['an exception as large as the block', block('10.0.0.0/8', '10.0.0.0/8'), [`${BLOCK}.except[0]: Invalid`]],
    ['an exception of the other family', block('::/0', '10.0.0.0/8'), [`${BLOCK}.except[0]: Invalid`]],
    ['no exception inside of the block', block('10.0.0.0/8', '10.1.0.0/16'), []],
    ['a range without start', port({ endPort: 90 }), ['spec.egress[0].ports[0].endPort: Invalid']],
    ['a range of a named port', port({ port: 'web', endPort: 90 }), ['spec.egress[0].ports[0].endPort: Invalid']],
    [
      'a range that ends before it starts',
      port({ port: 91, endPort: 90 }),
      ['spec.egress[0].ports[0].endPort: Invalid'],
    ],
    ['a number as text', port({ port: '80' }), ['spec.egress[0].ports[0].port: Invalid']],
    ['an unknown protocol', port({ protocol: 'ICMP' }), ['spec.egress[0].ports[0].protocol: NotSupported']],
    ['an unknown policy type', policy({ policyTypes: ['ingress'] }), ['spec.policyTypes[0]: NotSupported']],
    ['three policy types', policy({ policyTypes: ['a', 'b', 'c'] }), ['spec.policyTypes: Invalid']],
    ['no range of Services', cidrs(), ['spec.cidrs: Required']],
    ['two ranges of one family', cidrs('10.0.0.0/24', '10.1.0.0/24'), ['spec.cidrs: Invalid']],
    ['three ranges, which are not looked at', cidrs('a', 'b', 'c'), ['spec.cidrs: Invalid']],
    ['a range with bits beyond its prefix', cidrs('10.0.0.1/24'), ['spec.cidrs[0]: Invalid']],
    ['an address without owner', ipAddress({ name: '10.0.0.1' }, null), ['spec.parentRef: Required']],
    [
      'an owner without name',
      ipAddress({ name: '10.0.0.1' }, { resource: 'services' }),
      ['spec.parentRef.name: Required'],
    ],
    ['no prefix that is an address', ipAddress({ generateName: '10.0.0.1' }, parent), []],
    ['a subset without addresses', endpoints({}), ['subsets[0]: Required']],
    ['a loopback address', endpoints({ addresses: [{ ip: '127.0.0.1' }] }), ['subsets[0].addresses[0].ip: Invalid']],
    [
      'two ports without names',
      endpoints({ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 1 }, { port: 2, name: 'b' }] }),
      ['subsets[0].ports[0].name: Required'],
    ],
    [
      'an address of another family, at the list',
      addresses('IPv4', '2001:db8::1'),
      ['endpoints[0].addresses: Invalid'],
    ],
    ['a host among addresses', addresses('IPv6', 'example.com'), ['endpoints[0].addresses[0]: Invalid']],
    ['a domain with one segment', addresses('FQDN', 'example'), ['endpoints[0].addresses[0]: Invalid']],
    [
      '101 addresses',
      addresses('IPv4', ...Array.from({ length: 101 }, (_, i) => `10.0.0.${i + 1}`)),
      ['endpoints[0].addresses: TooMany'],
    ],
    ['an unknown type of address', addresses('ipv4', 'a'), ['addressType: NotSupported']],
    ['two ports with an empty name', slice({ ports: [{ port: 1 }, { port: 2 }] }), ['ports[1].name: Duplicate']],
    [
      'nine hints of zones',
      slice({
        endpoints: [
          { addresses: ['10.0.0.1'], hints: { forZones: Array.from({ length: 9 }, (_, i) => ({ name: `z${i}` })) } },
        ],
      }),
      ['endpoints[0].hints.forZones: TooMany'],
    ],
  ];
  test.each(cases)('%s', (_, object, expected) => {
    expect(errorsOf(object)).toEqual(expected);
  });
});

describe('the server', () => {
  test('warns of the old annotation of the class, but not beside the same class', () => {
    const annotations = { 'kubernetes.io/ingress.class': 'a' };
    expect(answer(ingress({ defaultBackend: backend }, annotations)).warnings).toHaveLength(1);
    expect(answer(ingress({ defaultBackend: backend, ingressClassName: 'a' }, annotations)).warnings).toEqual([]);
  });

  test('drops the status of an Ingress and the old topology of an endpoint', () => {
    expect(
      answer({ ...withBackend(backend), status: { loadBalancer: { ingress: [{ ip: '10.0.0.1' }] } } }).dropped,
    ).toEqual(['status']);
    const old = { addresses: ['10.0.0.1'], deprecatedTopology: { a: 'b' } };
    expect(answer(slice({ endpoints: [old] })).dropped).toEqual(['endpoints[0].deprecatedTopology']);
  });

  test('accepts old forms of addresses with a warning before 1.36, and refuses them then', () => {
    const old = answer(block('010.0.0.0/8'), { minor: '1.35' });
    expect([old.errors, old.warnings.length]).toEqual([[], 1]);
    const now = answer(block('010.0.0.0/8'));
    expect([now.errors.length, now.warnings]).toEqual([1, []]);
  });

  test('warns of domains as endpoints', () => {
    expect(answer(addresses('FQDN', 'a.example.com')).warnings).toEqual([
      'spec.addressType: FQDN endpoints are deprecated',
    ]);
  });

  test('tells the wrong family at the address before 1.33, and warns of old forms since', () => {
    const old = answer(addresses('IPv4', '2001:db8::1'), { minor: '1.32' });
    expect(old.errors).toEqual(['endpoints[0].addresses[0]: Invalid must be a valid IPv4 address']);
    const warned = (minor: string) => answer(addresses('IPv4', '10.0.0.04'), { minor }).warnings.length;
    expect(['1.32', '1.33'].map(warned)).toEqual([0, 1]);
  });
});

test('a port that is an object is answered', () => {
  expect(answer(port({ port: { toString: null } })).errors).toEqual([
    expect.stringContaining('spec.egress[0].ports[0].port: Invalid'),
  ]);
});
