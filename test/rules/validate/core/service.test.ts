import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../server/src/base/json';
import { answer } from '../answers';

const service = (spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', ...metadata },
  spec: { ports: [{ port: 80 }], ...spec },
});

const accepted = { errors: [], dropped: [], warnings: [] };

describe('a Service', () => {
  test.each<[string, JsonObject]>([
    ['of the smallest kind', {}],
    ['without ports, as it is headless', { ports: [], clusterIP: 'None' }],
    ['whose name for the outside ends in a dot', { type: 'ExternalName', externalName: 'db.example.com.' }],
    ['with room around a source range', { type: 'LoadBalancer', loadBalancerSourceRanges: [' 10.0.0.0/8 '] }],
    ['of both families by its policy', { ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'PreferDualStack' }],
    [
      'with the same port under two protocols',
      { ports: ['TCP', 'UDP'].map(protocol => ({ name: protocol.toLowerCase(), port: 53, protocol })) },
    ],
  ])('%s is accepted', (_, spec) => {
    expect(answer(service(spec))).toEqual(accepted);
  });

  test.each<[string, JsonObject, readonly string[]]>([
    [
      'needs names for several ports, each port once',
      { ports: [{ port: 80 }, { port: 80 }] },
      ['spec.ports[0].name: Required', 'spec.ports[1].name: Required', 'spec.ports[1]: Duplicate'],
    ],
    [
      'has node ports only where its type uses them',
      { ports: [{ port: 80, nodePort: 30080 }] },
      ["spec.ports[0].nodePort: Forbidden may not be used when `type` is 'ClusterIP'"],
    ],
    [
      'is not headless as a LoadBalancer',
      { type: 'LoadBalancer', clusterIP: 'None' },
      ["spec.clusterIPs[0]: Invalid may not be set to 'None' for LoadBalancer services"],
    ],
    [
      'has no cluster IP as an ExternalName',
      { type: 'ExternalName', externalName: 'a.b', clusterIP: '10.0.0.1' },
      ['spec.clusterIPs: Forbidden may not be set for ExternalName services'],
    ],
    [
      'has no address of its own machine outside',
      { externalIPs: ['127.0.0.1', 'fe80::1', '010.0.0.1'] },
      [
        'spec.externalIPs[0]: Invalid may not be in the loopback range (127.0.0.0/8, ::1/128)',
        'spec.externalIPs[1]: Invalid may not be in the link-local range (169.254.0.0/16, fe80::/10)',
        'spec.externalIPs[2]: Invalid must not have leading 0s',
      ],
    ],
    [
      'has two families only under a policy for them',
      { ipFamilies: ['IPv4', 'IPv6'] },
      [
        "spec.ipFamilyPolicy: Invalid must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified",
      ],
    ],
    [
      'has addresses of the families that it names',
      { clusterIP: '::1', clusterIPs: ['::1'], ipFamilies: ['IPv4'] },
      ['spec.clusterIPs[0]: Invalid expected an IPv4 value as indicated by `ipFamilies[0]`'],
    ],
    [
      'speaks of an outer policy only when it can be reached from there',
      { externalTrafficPolicy: 'Local', healthCheckNodePort: 30000 },
      [
        'spec.externalTrafficPolicy: Invalid may only be set for externally-accessible services',
        "spec.healthCheckNodePort: Invalid may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
      ],
    ],
    [
      'limits sources only as a LoadBalancer',
      { loadBalancerSourceRanges: ['10.0.0.1/8'], loadBalancerClass: 'x', allocateLoadBalancerNodePorts: false },
      [
        "spec.LoadBalancerSourceRanges: Forbidden may only be used when `type` is 'LoadBalancer'",
        'spec.LoadBalancerSourceRanges[0]: Invalid must not have bits set beyond the prefix length',
        "spec.allocateLoadBalancerNodePorts: Forbidden may only be used when `type` is 'LoadBalancer'",
        "spec.loadBalancerClass: Forbidden may only be used when `type` is 'LoadBalancer'",
      ],
    ],
    [
      'keeps a client for at most a day',
      { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 86_401 } } },
      ['spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid must be greater than 0 and less than 86400'],
    ],
  ])('%s', (_, spec, errors) => {
    expect(answer(service(spec)).errors).toEqual(errors);
  });

  test('must have strict addresses since 1.36, with warnings before', () => {
    const old = service({ externalIPs: ['010.0.0.1'], loadBalancerSourceRanges: ['::01/128'], type: 'LoadBalancer' });
    const at = (minor: string) => answer(old, { minor });
    const later = 'will be considered invalid in a future Kubernetes release';
    expect(at('1.35')).toMatchObject({
      errors: [],
      warnings: [
        `spec.externalIPs[0]: non-standard IP address "010.0.0.1" ${later}: use "10.0.0.1"`,
        'spec.loadBalancerSourceRanges[0]: IPv6 CIDR value "::01/128" should be in RFC 5952 canonical format ("::1/128")',
      ],
    });
    expect(at('1.32')).toMatchObject({
      errors: [],
      warnings: [
        'spec.externalIPs[0]: IP address was accepted, but will be invalid in a future Kubernetes release: ParseAddr("010.0.0.1"): IPv4 field has octet with leading zero',
        'spec.loadBalancerSourceRanges[0]: IPv6 prefix "::01/128" is not in RFC 5952 canonical format ("::1/128"), which may cause controller apply-loops',
      ],
    });
    expect(answer(old, { gates: { StrictIPCIDRValidation: false } })).toMatchObject({
      errors: [],
      warnings: [
        'spec.externalIPs[0]: non-standard IP address "010.0.0.1" is invalid: use "10.0.0.1"',
        expect.stringContaining('spec.externalIPs is deprecated'),
        expect.anything(),
      ],
    });
  });

  test('may start with a digit since names are relaxed', () => {
    const named = service({}, { name: '1st' });
    expect(answer(named).errors).toEqual([]);
    expect(answer(named, { minor: '1.35' }).errors).toHaveLength(1);
  });

  test('has warnings for fields without effect', () => {
    const headless = service({ clusterIP: 'None', externalIPs: ['10.0.0.1'], externalName: 'a' });
    expect(answer(headless).warnings).toEqual([
      'spec.externalIPs is ignored for headless services',
      'spec.externalName is ignored when spec.type is not "ExternalName"',
    ]);
    expect(answer(service({ trafficDistribution: 'PreferClose' })).warnings).toEqual([
      'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
    ]);
  });
});
