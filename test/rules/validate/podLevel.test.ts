import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../server/src/base/json';
import { answer, type Server } from './answers';

const containers = [{ name: 'web', image: 'nginx' }];
const pod = (spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', ...metadata },
  spec: { containers, ...spec },
});
const template = (spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'PodTemplate',
  metadata: { name: 'web' },
  template: { metadata, spec: { containers, ...spec } },
});

/** Field and type of each error, without `spec.`. */
function errorsOf(object: JsonObject, server?: Server): readonly string[] {
  return answer(object, server).errors.map(it => it.replace(/^spec\./, '').replace(/^(.*?: \w+).*$/s, '$1'));
}

interface Case {
  readonly says: string;
  readonly spec: JsonObject;
  readonly errors: readonly string[];
  readonly server?: Server;
}

const cases: readonly Case[] = [
  {
    says: 'addresses in three forms that are no longer taken',
    spec: {
      dnsConfig: { nameservers: ['010.0.0.1', '::ffff:10.0.0.1', 'dns'] },
      hostAliases: [{ ip: '10.0.0' }],
    },
    errors: [
      'dnsConfig.nameservers[0]: Invalid',
      'dnsConfig.nameservers[1]: Invalid',
      'dnsConfig.nameservers[2]: Invalid',
      'hostAliases[0].ip: Invalid',
    ],
  },
  {
    says: 'addresses of old, with strictness off',
    spec: { dnsConfig: { nameservers: ['010.0.0.1', '::ffff:10.0.0.1', 'dns'] } },
    errors: ['dnsConfig.nameservers[2]: Invalid'],
    server: { gates: { StrictIPCIDRValidation: false } },
  },
  {
    says: 'search domains',
    spec: { dnsConfig: { searches: ['.', 'a_b.', '_tcp.a', 'Big', `${'x'.repeat(63)}.`.repeat(4)] } },
    errors: ['dnsConfig.searches[3]: Invalid', 'dnsConfig.searches[4]: Invalid'],
  },
  {
    says: 'search domains before their rules were relaxed',
    spec: { dnsConfig: { searches: ['.', 'a_b', 'a.'] } },
    errors: ['dnsConfig.searches[0]: Invalid', 'dnsConfig.searches[1]: Invalid'],
    server: { minor: '1.31' },
  },
  {
    says: 'too many search domains, too long in all',
    spec: { dnsConfig: { searches: Array.from({ length: 33 }, (_, i) => `${'x'.repeat(62)}${i % 10}`) } },
    errors: ['dnsConfig.searches: Invalid', 'dnsConfig.searches: Invalid'],
  },
  { says: 'no DNS at all', spec: { dnsPolicy: 'None' }, errors: ['dnsConfig: Required'] },
  {
    says: 'names',
    spec: {
      hostname: 'a.b',
      subdomain: 'A',
      runtimeClassName: '',
      hostnameOverride: 'x'.repeat(65),
      hostNetwork: true,
    },
    errors: [
      'hostnameOverride: Forbidden',
      'hostnameOverride: TooLong',
      'hostname: Invalid',
      'subdomain: Invalid',
      'runtimeClassName: Invalid',
    ],
  },
  {
    says: 'a user namespace and the host',
    spec: { hostUsers: false, hostNetwork: true, hostPID: true, hostIPC: true },
    errors: ['hostNetwork: Forbidden', 'HostPID: Forbidden', 'HostIPC: Forbidden'],
  },
  {
    says: 'a user namespace and the host network, where both go together',
    spec: { hostUsers: false, hostNetwork: true },
    errors: [],
    server: { gates: { UserNamespacesHostNetworkSupport: true } },
  },
  {
    says: 'two ways to share processes',
    spec: { hostPID: true, shareProcessNamespace: true },
    errors: ['shareProcessNamespace: Invalid'],
  },
  {
    says: 'two ways to share processes, before 1.37',
    spec: { hostPID: true, shareProcessNamespace: true },
    errors: ['securityContext.shareProcessNamespace: Invalid'],
    server: { minor: '1.36' },
  },
  {
    says: 'overhead that is no amount',
    spec: { overhead: { memory: '-1' } },
    errors: ['overhead.limits[memory]: Invalid'],
  },
  {
    says: 'claims',
    spec: { resourceClaims: [{ name: 'a' }, { name: 'a', resourceClaimName: 'x', resourceClaimTemplateName: 'y' }] },
    errors: ['resourceClaims[0]: Invalid', 'resourceClaims[1].name: Duplicate', 'resourceClaims[1]: Invalid'],
  },
  {
    says: 'a node that is said while a gate is closed',
    spec: { nodeName: 'n1', schedulingGates: [{ name: 'example.com/wait' }, { name: 'example.com/wait' }] },
    errors: ['schedulingGates[1]: Duplicate', 'nodeName: Forbidden'],
  },
  {
    says: 'comparing tolerations, which are off',
    spec: { tolerations: [{ key: 'a', operator: 'Gt', value: '5' }] },
    errors: ['tolerations[0].operator: NotSupported'],
  },
  {
    says: 'comparing tolerations, which are on',
    spec: { tolerations: ['5', '05', 'x', '9223372036854775808'].map(value => ({ key: 'a', operator: 'Gt', value })) },
    errors: [
      'tolerations[1].value: Invalid',
      'tolerations[2].value: Invalid',
      'tolerations[2].value: Invalid',
      'tolerations[3].value: Invalid',
    ],
    server: { gates: { TaintTolerationComparisonOperators: true } },
  },
  {
    says: 'a group of nothing beside responders',
    spec: { schedulingGroup: {}, evictionResponders: [{ name: 'k8s.io/x', priority: 5 }, { name: 'plain' }] },
    errors: [
      'schedulingGroup.podGroupName: Invalid',
      'schedulingGroup: Forbidden',
      'evictionResponders[0].name: Invalid',
      'evictionResponders[0].priority: Invalid',
      'evictionResponders[1].name: Invalid',
      'evictionResponders[1].priority: Required',
    ],
    server: { gates: { GenericWorkload: true, EvictionRequestAPI: true } },
  },
  {
    says: 'node affinity, whose preferred terms may have any value',
    spec: {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: 'a', operator: 'In', values: ['b c'] }] },
              { matchFields: [{ key: 'metadata.uid', operator: 'In', values: ['n'] }] },
            ],
          },
          preferredDuringSchedulingIgnoredDuringExecution: [
            {
              weight: 0,
              preference: {
                matchExpressions: [
                  { key: 'a', operator: 'in', values: ['b c'] },
                  { key: 'a', operator: 'Gt' },
                ],
              },
            },
          ],
        },
      },
    },
    errors: [
      'affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values[0]: Invalid',
      'affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[1].matchFields[0].key: Invalid',
      'affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid',
      'affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[0].operator: Invalid',
      'affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[1].values: Required',
    ],
  },
];

describe('the level of a Pod spec itself', () => {
  test.each(cases)('$says', ({ spec, errors, server }) => {
    expect(errorsOf(pod(spec), server)).toEqual(errors);
  });
});

describe('label keys', () => {
  const constraint = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', matchLabelKeys: ['app'] };
  const spread = (labelSelector: JsonObject) => ({ topologySpreadConstraints: [{ ...constraint, labelSelector }] });
  const labels = { app: 'web' };
  const selected = spread({ matchLabels: labels });

  test('a key that is merged into a selector that already has it is reported at the constraint', () => {
    expect(errorsOf(pod(selected, { labels }))).toEqual(['topologySpreadConstraints[0][0]: Invalid']);
    expect(errorsOf(pod(selected))).toEqual([]);
  });

  test('without the merge it is reported at the key', () => {
    const told = ['topologySpreadConstraints[0].matchLabelKeys[0]: Invalid'];
    const gates = { MatchLabelKeysInPodTopologySpreadSelectorMerge: false };
    expect(errorsOf(pod(selected, { labels }), { gates })).toEqual(told);
    expect(errorsOf(pod(selected), { minor: '1.31' })).toEqual(told);
  });

  test('a template is merged only when its Pods are created, so it is not reported there', () => {
    expect(errorsOf(template(selected, { labels }))).toEqual([]);
  });

  test('affinity terms get the values of labels, even invalid ones', () => {
    const term = { topologyKey: 'zone', labelSelector: {}, mismatchLabelKeys: ['app'] };
    const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
    expect(errorsOf(pod({ affinity }, { labels: { app: 'a b' } }))).toEqual([
      'metadata.labels: Invalid',
      'affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector.matchExpressions[0].values[0]: Invalid',
    ]);
  });
});

describe('annotations with a meaning', () => {
  const annotated = (key: string, value: string, spec: JsonObject = {}) =>
    answer(pod(spec, { annotations: { [key]: value } })).errors.map(it => it.replace(/: (\w+) .*$/s, ': $1'));
  const apparmor = 'container.apparmor.security.beta.kubernetes.io';
  const seccomp = 'seccomp.security.alpha.kubernetes.io/pod';

  test.each([
    ['-007', []],
    ['0', []],
    ['2147483647', []],
    ['2147483648', ['metadata.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid']],
    ['+1', ['metadata.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid']],
    ['', ['metadata.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid']],
  ])('a deletion cost of "%s"', (cost, expected) => {
    expect(annotated('controller.kubernetes.io/pod-deletion-cost', cost)).toEqual(expected);
  });

  test('a mirror Pod without a node, and one with claims', () => {
    const mirror = 'kubernetes.io/config.mirror';
    expect(annotated(mirror, 'x')).toEqual([`metadata.annotations[${mirror}]: Invalid`]);
    const resourceClaims = [{ name: 'gpu', resourceClaimName: 'gpu' }];
    expect(annotated(mirror, 'x', { nodeName: 'n1', resourceClaims })).toEqual(['[]: Forbidden']);
  });

  test('profiles', () => {
    expect(annotated(seccomp, 'localhost/../x')).toEqual([`metadata.annotations.${seccomp}: Invalid`]);
    expect(annotated(`${apparmor}/web`, 'runtime')).toEqual([`metadata.annotations[${apparmor}/web]: Invalid`]);
    expect(annotated(`${apparmor}/db`, 'unconfined')).toEqual([`metadata.annotations[${apparmor}/db]: Invalid`]);
  });

  test('an annotation and its field must agree, in templates, too', () => {
    const securityContext = { seccompProfile: { type: 'RuntimeDefault' } };
    const told = 'spec.securityContext.seccompProfile.type: Forbidden';
    expect(annotated(seccomp, 'unconfined', { securityContext })).toEqual([told]);
    expect(annotated(seccomp, 'docker/default', { securityContext })).toEqual([]);
    const annotations = { [seccomp]: 'unconfined' };
    expect(answer(template({ securityContext }, { annotations })).errors[0]).toContain(`template.${told}`);
  });

  test("an AppArmor annotation wins over the Pod's profile in a Pod, not in a template", () => {
    const securityContext = { appArmorProfile: { type: 'RuntimeDefault' } };
    expect(annotated(`${apparmor}/web`, 'unconfined', { securityContext })).toEqual([]);
    const annotations = { [`${apparmor}/web`]: 'unconfined' };
    expect(answer(template({ securityContext }, { annotations })).errors[0]).toContain(
      'template.spec.containers[0].securityContext.appArmorProfile.type: Forbidden',
    );
  });

  test('tolerations in JSON are read as Go reads them', () => {
    const key = 'scheduler.alpha.kubernetes.io/tolerations';
    expect(annotated(key, '[{"KEY":"a","operator":"Exists"}]')).toEqual([]);
    expect(annotated(key, '[{"key":"a","effect":"Never"}]')).toEqual([
      `metadata.annotations.${key}[0].effect: NotSupported`,
    ]);
    expect(answer(pod({}, { annotations: { [key]: '[{"key":1}]' } })).errors).toEqual([
      'metadata.annotations: Invalid json: cannot unmarshal number into Go struct field Toleration.Key of type string',
    ]);
  });
});
