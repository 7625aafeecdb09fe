import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../server/src/base/json';
import { supportedMinors } from '../../../server/src/kube/load';
import { definitionChanges } from '../../../server/src/rules/minors/definitionChanges';
import { applies, isAtLeast, type MinorChange } from '../../../server/src/rules/minors/minorChange';
import { minorChanges } from '../../../server/src/rules/minors/minorChanges';
import { networkChanges } from '../../../server/src/rules/minors/networkChanges';
import { diagnose } from '../../support/check';
import { answer } from './answers';

type Id = keyof typeof minorChanges;

const object = (apiVersion: string, kind: string, rest: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion,
  kind,
  metadata: { name: 'a', namespace: 'default', ...metadata },
  ...rest,
});
const cluster = (apiVersion: string, kind: string, rest: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion,
  kind,
  metadata: { name: 'a', ...metadata },
  ...rest,
});

const container = (rest: JsonObject = {}): JsonObject => ({ name: 'c', image: 'i', ...rest });
const pod = (spec: JsonObject, metadata: JsonObject = {}): JsonObject =>
  object('v1', 'Pod', { spec: { containers: [container()], ...spec } }, metadata);
const template = (spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  metadata: { labels: { a: 'b' }, ...metadata },
  spec: { containers: [container()], ...spec },
});
const workload = (kind: string, spec: JsonObject): JsonObject =>
  object('apps/v1', kind, { spec: { selector: { matchLabels: { a: 'b' } }, template: template({}), ...spec } });
const service = (spec: JsonObject): JsonObject => object('v1', 'Service', { spec: { ports: [{ port: 80 }], ...spec } });
const autoscaler = (spec: JsonObject): JsonObject =>
  object('autoscaling/v2', 'HorizontalPodAutoscaler', {
    spec: { maxReplicas: 1, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' }, ...spec },
  });
const claim = (version: string, devices: JsonObject): JsonObject =>
  object(`resource.k8s.io/${version}`, 'ResourceClaim', { spec: { devices } });
const slice = (version: string, spec: JsonObject): JsonObject =>
  cluster(`resource.k8s.io/${version}`, 'ResourceSlice', {
    spec: { driver: 'd.example', nodeName: 'n', pool: { name: 'p', resourceSliceCount: 1 }, ...spec },
  });
const exactly = { deviceClassName: 'c' };
const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
const expressions = [{ key: 'k', operator: 'In', values: ['-', 'x'.repeat(64)] }];
const future = 'will be considered invalid in a future Kubernetes release';

interface Case {
  readonly object: JsonObject;
  /** What the server says only where the change applies, and what it says only elsewhere. */
  readonly now?: string;
  readonly otherwise?: string;
  /** The minors to ask, where the fields are not in both minors around the change. */
  readonly minors?: readonly string[];
}

const cases: Readonly<Partial<Record<Id, Case>>> = {
  ownerReferencesIndexed: {
    object: pod({}, { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p' }] }),
    now: 'metadata.ownerReferences[0].uid: Required must not be empty',
    otherwise: 'metadata.ownerReferences.uid: Invalid must not be empty',
  },
  headlessServiceWarnings: {
    object: service({ clusterIP: 'None', externalIPs: ['1.2.3.4'] }),
    now: 'spec.externalIPs is ignored for headless services',
  },
  kubeletPortReserved: {
    object: service({ type: 'LoadBalancer', ports: [{ port: 10250 }] }),
    now: 'spec.ports[0]: Invalid may not expose port 10250 externally since it is used by kubelet',
  },
  podCidrsRepeated: {
    object: cluster('v1', 'Node', { spec: { podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24', '10.0.0.0/24'] } }),
    now: 'spec.podCIDRs[1]: Duplicate',
  },
  preferCloseDeprecated: {
    object: service({ trafficDistribution: 'PreferClose' }),
    now: 'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
  },
  externalIpsDeprecated: {
    object: service({ externalIPs: ['1.2.3.4'] }),
    now: 'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
  },
  addressWarnings: {
    object: pod({ dnsConfig: { nameservers: ['1.2.3.04'] } }),
    now: `spec.dnsConfig.nameservers[0]: non-standard IP address "1.2.3.04" ${future}: use "1.2.3.4"`,
  },
  addressesInvalid: {
    object: service({ loadBalancerIP: '1.2.3.04' }),
    now: 'spec.loadBalancerIP: non-standard IP address "1.2.3.04" is invalid: use "1.2.3.4"',
    otherwise: `spec.loadBalancerIP: non-standard IP address "1.2.3.04" ${future}: use "1.2.3.4"`,
  },
  nodePodCidrWarnings: {
    object: cluster('v1', 'Node', { spec: { podCIDR: '10.0.0.00/24', podCIDRs: ['10.0.0.00/24'] } }),
    now: `spec.podCIDRs[0]: non-standard CIDR value "10.0.0.00/24" ${future}: use "10.0.0.0/24"`,
  },
  requestsAboveLimits: {
    object: object('v1', 'ResourceQuota', { spec: { hard: { 'requests.cpu': '2', 'limits.cpu': '1n' } } }),
    now: 'ResourceQuota requests.cpu (2) should be less than limits.cpu (1m)',
  },
  handlerRequired: {
    object: cluster('node.k8s.io/v1', 'RuntimeClass', { handler: '' }),
    now: 'handler: Required',
    otherwise: 'handler: Invalid',
  },
  tolerationPath: {
    object: cluster('node.k8s.io/v1', 'RuntimeClass', {
      handler: 'h',
      scheduling: { tolerations: [{ key: '-', operator: 'Exists' }] },
    }),
    now: 'scheduling.tolerations[0].key: Invalid',
    otherwise: 'scheduling.tolerations.tolerations[0].key: Invalid',
  },
  imageReferenceInTemplate: {
    object: workload('Deployment', { template: template({ volumes: [{ name: 'v', image: {} }] }) }),
    now: 'spec.template.spec.volumes[0].image.reference: Required',
  },
  sharedProcessesAtField: {
    object: pod({ hostPID: true, shareProcessNamespace: true }),
    now: 'spec.shareProcessNamespace: Invalid',
    otherwise: 'spec.securityContext.shareProcessNamespace: Invalid',
  },
  resizeRestartOfPod: {
    object: pod({
      restartPolicy: 'Never',
      containers: [container({ resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] })],
    }),
    now: "must be 'NotRequired' when pod `restartPolicy` is 'Never'",
    otherwise: "must be 'NotRequired' when `restartPolicy` is 'Never'",
  },
  resizeRestartOfInitContainer: {
    object: pod({
      initContainers: [
        container({ name: 'i', resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] }),
      ],
    }),
    now: 'spec.initContainers[0].resizePolicy[0].restartPolicy: Invalid',
  },
  requiredTermValues: {
    object: pod({
      affinity: { nodeAffinity: { [required]: { nodeSelectorTerms: [{ matchExpressions: expressions }] } } },
    }),
    now: 'matchExpressions[0].values[0]: Invalid',
  },
  preferredTermValues: {
    object: pod({
      affinity: {
        nodeAffinity: { [preferred]: [{ weight: 1, preference: { matchExpressions: expressions } }] },
      },
    }),
    now: 'matchExpressions[0].values[0]: - is invalid, a valid label',
  },
  labelsInBytes: {
    object: pod({
      affinity: {
        nodeAffinity: { [preferred]: [{ weight: 1, preference: { matchExpressions: expressions } }] },
      },
    }),
    now: 'is invalid, must be no more than 63 bytes',
    otherwise: 'is invalid, must be no more than 63 characters',
  },
  blockDevicesOfUsers: {
    object: pod({ hostUsers: false, containers: [container({ volumeDevices: [{ name: 'v', devicePath: '/d' }] })] }),
    now: 'spec.containers[0].volumeDevices: Forbidden when `hostUsers` is false',
    minors: ['1.33', '1.34'],
  },
  virtualPaths: {
    object: pod({
      volumes: [
        {
          name: 'v',
          projected: {
            sources: [
              { secret: { name: 's', items: [{ key: 'k', path: 'p' }] } },
              { configMap: { name: 'c', items: [{ key: 'k', path: 'p' }] } },
            ],
          },
        },
      ],
    }),
    now: 'volume "v" (Projected): overlapping paths: "p"',
  },
  portNames: {
    object: pod({
      containers: [
        container({ ports: [{ name: 'p', containerPort: 1 }] }),
        container({ name: 'd', ports: [{ name: 'p', containerPort: 2 }] }),
      ],
    }),
    now: 'spec.containers[1].ports[0]: duplicate port name "p"',
  },
  appArmorComparedWithPod: {
    object: workload('Deployment', {
      template: template(
        { securityContext: { appArmorProfile: { type: 'Unconfined' } } },
        { annotations: { 'container.apparmor.security.beta.kubernetes.io/c': 'runtime/default' } },
      ),
    }),
    now: 'deprecated since v1.30; use the "appArmorProfile" field instead',
  },
  statefulSetTemplate: {
    object: workload('StatefulSet', { template: template({ containers: [{ name: 'c' }] }) }),
    now: 'spec.template.spec.containers[0].image: Required',
  },
  statefulSetClaims: {
    object: workload('StatefulSet', { volumeClaimTemplates: [{ metadata: { name: 'v' }, spec: {} }] }),
    now: 'spec.volumeClaimTemplates[0].spec.accessModes: Required',
  },
  statefulSetServiceName: {
    object: workload('StatefulSet', { serviceName: 'A' }),
    now: 'spec.serviceName: Invalid',
  },
  statefulSetHistoryWarning: {
    object: workload('StatefulSet', { revisionHistoryLimit: -1 }),
    now: 'spec.revisionHistoryLimit: a negative value retains all historical revisions',
  },
  reservedExpressionsDropped: {
    object: object('policy/v1', 'PodDisruptionBudget', {
      spec: {
        selector: {
          matchExpressions: [
            { key: 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match', operator: 'DoesNotExist' },
          ],
        },
      },
    }),
    now: 'spec.selector.matchExpressions',
  },
  replicasRequired: {
    object: autoscaler({ maxReplicas: 0 }),
    now: 'spec.maxReplicas: Required',
    otherwise: 'spec.maxReplicas: Invalid must be greater than 0',
  },
  replicasRequiredDeclaratively: {
    object: autoscaler({ maxReplicas: 0 }),
    otherwise: 'spec.maxReplicas: Required must be set and greater than 0',
  },
  scaleTargetVersion: {
    object: autoscaler({ scaleTargetRef: { apiVersion: 'v1', kind: 'Deployment', name: 'a' } }),
    now: 'spec.scaleTargetRef.apiVersion: Invalid apiVersion must specify API group',
  },
  attacherDeclared: {
    object: cluster('storage.k8s.io/v1', 'VolumeAttachment', {
      spec: { attacher: '-', nodeName: 'n', source: { persistentVolumeName: 'p' } },
    }),
    now: 'spec.attacher: Invalid an RFC 1123 subdomain',
    otherwise: 'spec.attacher: Invalid a lowercase RFC 1123 subdomain',
  },
  emptyDriverOnce: {
    object: cluster('storage.k8s.io/v1', 'CSINode', { spec: { drivers: [{ name: '', nodeID: 'n' }] } }),
    otherwise: 'spec.drivers[0].name: Invalid',
  },
  tokensInSecrets: {
    object: cluster('storage.k8s.io/v1', 'CSIDriver', { spec: { tokenRequests: [{ audience: 'a' }] } }),
    now: 'spec.serviceAccountTokenInSecrets is unset',
  },
  extendedNameDeclared: {
    object: cluster('resource.k8s.io/v1', 'DeviceClass', { spec: { extendedResourceName: 'a' } }),
    otherwise: 'spec.extendedResourceName: Invalid must be a valid extended resource name',
  },
  classNameDeclared: {
    object: cluster('resource.k8s.io/v1', 'DeviceClass', { spec: {} }, { name: 'a', generateName: 'A' }),
    otherwise: 'metadata.generateName: Invalid',
  },
  attributeNamesLowerCase: {
    object: claim('v1', { requests: [{ name: 'r', exactly }], constraints: [{ matchAttribute: 'D.example/a' }] }),
    now: 'spec.devices.constraints[0].matchAttribute: Invalid',
  },
  keysAtMap: {
    object: slice('v1', { devices: [{ name: 'd', attributes: { '-': { bool: true } } }] }),
    now: 'spec.devices[0].attributes: Invalid',
    otherwise: 'spec.devices[0].attributes[-]: Invalid',
  },
  emptyAttributeInvalid: {
    object: slice('v1', { devices: [{ name: 'd', attributes: { a: {} } }] }),
    now: 'spec.devices[0].attributes[a]: Invalid',
    otherwise: 'spec.devices[0].attributes[a]: Required exactly one value must be specified',
  },
  emptyNamesInvalid: {
    object: claim('v1', { requests: [{ name: 'r', exactly }], constraints: [{ matchAttribute: '/a' }] }),
    now: 'spec.devices.constraints[0].matchAttribute: Invalid prefix must not be empty',
    otherwise: 'spec.devices.constraints[0].matchAttribute: Required the domain must not be empty',
  },
  identifiersInvalid: {
    object: claim('v1beta2', { requests: [{ name: 'r', exactly }], constraints: [{ matchAttribute: 'd.example/-' }] }),
    now: 'spec.devices.constraints[0].matchAttribute: Invalid a valid C identifier',
    otherwise: 'spec.devices.constraints[0].matchAttribute: TypeInvalid a valid C identifier',
  },
  duplicatesAtItem: {
    object: claim('v1beta1', {
      requests: [
        { name: 'r', ...exactly },
        { name: 'r', ...exactly },
      ],
    }),
    now: 'spec.devices.requests[1]: Duplicate',
    otherwise: 'spec.devices.requests[1].name: Duplicate',
  },
  longListsSkipped: {
    object: claim('v1', { requests: Array.from({ length: 33 }, (_, i) => ({ name: `r${i}`, exactly: {} })) }),
    otherwise: 'spec.devices.requests[32].exactly.deviceClassName: Required',
  },
  bothRequestsRefused: {
    object: claim('v1', { requests: [{ name: 'r', exactly: {}, firstAvailable: [{ name: 's', ...exactly }] }] }),
    otherwise: 'spec.devices.requests[0].exactly.deviceClassName: Required',
  },
  deviceListsTooMany: {
    object: claim('v1alpha3', {
      requests: Array.from({ length: 33 }, (_, i) => ({ name: `r${i}`, deviceClassName: 'c', allocationMode: 'All' })),
    }),
    now: 'spec.devices.requests: TooMany',
    otherwise: 'spec.devices.requests: TooLong may not be longer than 32',
  },
  attributeDomainAtName: {
    object: claim('v1alpha3', { requests: [{ name: 'r', ...exactly }], constraints: [{ matchAttribute: 'a' }] }),
    now: 'spec.devices.constraints[0].matchAttribute: Invalid must include a domain',
    otherwise: 'spec.devices.constraints[0].matchAttribute.domain: Required must include a prefix',
  },
  keysAtEntry: {
    object: slice('v1alpha3', { devices: [{ name: 'd', basic: { attributes: { '-': { bool: true } } } }] }),
    now: 'spec.devices[0].basic.attributes[-]: TypeInvalid',
    otherwise: 'spec.devices[0].basic.attributes: TypeInvalid',
  },
  templatesDropGated: {
    object: object('resource.k8s.io/v1alpha3', 'ResourceClaimTemplate', {
      spec: { spec: { devices: {}, controller: '-' } },
    }),
    otherwise: 'spec.spec.controller: Invalid',
  },
  taintEffectNone: {
    object: cluster('resource.k8s.io/v1alpha3', 'DeviceTaintRule', { spec: { taint: { key: 'k', effect: 'None' } } }),
    otherwise: 'spec.taint.effect: NotSupported',
  },
  candidateStrategyOne: {
    object: object('coordination.k8s.io/v1alpha1', 'LeaseCandidate', {
      spec: { leaseName: 'l', binaryVersion: '1.0.0', preferredStrategies: ['None', 'OldestEmulationVersion'] },
    }),
    otherwise: 'spec.preferredStrategies[0].strategy: NotSupported',
    minors: ['1.31'],
  },
  rangesOneByOne: {
    object: cluster('networking.k8s.io/v1beta1', 'ServiceCIDR', { spec: { cidrs: ['fd00:1234::/108', '1'] } }),
    now: 'spec.cidrs[1]: Invalid',
    otherwise: 'spec.cidrs: Invalid',
  },
  controllerNameDeclared: {
    object: object(
      'v1',
      'ReplicationController',
      { spec: { selector: { a: 'b' }, template: template({}) } },
      { generateName: 'A' },
    ),
    otherwise: 'metadata.generateName: Invalid',
  },
  taintsByClass: {
    object: cluster('resource.k8s.io/v1alpha3', 'DeviceTaintRule', {
      spec: {
        deviceSelector: { deviceClassName: 'No Name', selectors: [{}] },
        taint: { key: 'k', effect: 'NoExecute' },
      },
    }),
    now: 'spec.deviceSelector.deviceClassName: Invalid',
  },
  selectorsLimited: {
    object: claim('v1alpha3', {
      requests: [{ name: 'r', ...exactly, selectors: [{ cel: { expression: `true${' '.repeat(10_240)}` } }] }],
    }),
    now: 'spec.devices.requests[0].selectors[0].cel.expression: TooLong',
  },
  sliceTermValues: {
    object: slice('v1alpha3', {
      nodeName: '',
      nodeSelector: { nodeSelectorTerms: [{ matchExpressions: expressions }] },
    }),
    now: 'spec.nodeSelector.nodeSelectorTerms[0].matchExpressions[0].values[0]: Invalid',
  },
  requestsNested: {
    object: claim('v1beta1', { requests: [{ name: 'r', allocationMode: 'All' }] }),
    now: 'spec.devices.requests[0].exactly.deviceClassName: Required',
    otherwise: 'spec.devices.requests[0].deviceClassName: Required',
  },
  endpointAddressWarnings: {
    object: object('discovery.k8s.io/v1', 'EndpointSlice', {
      addressType: 'IPv4',
      endpoints: [{ addresses: ['1.2.3.04'] }],
    }),
    now: `endpoints[0].addresses[0]: non-standard IP address "1.2.3.04" ${future}`,
  },
  sliceAddressFamily: {
    object: object('discovery.k8s.io/v1', 'EndpointSlice', {
      addressType: 'IPv4',
      endpoints: [{ addresses: ['2001:db8::1'] }],
    }),
    otherwise: 'endpoints[0].addresses[0]: Invalid must be a valid IPv4 address',
  },
  eventNamespaceTwice: {
    object: object('v1', 'Event', { involvedObject: { namespace: 'A' } }, { namespace: 'A' }),
    now: '"namespace: Invalid',
  },
  verbsRequiredDeclaratively: {
    object: object('rbac.authorization.k8s.io/v1', 'Role', { rules: [{ apiGroups: [''], resources: ['pods'] }] }),
    otherwise: 'rules[0].verbs: Required verbs must contain at least one value',
  },
  mountableSecretsDeprecated: {
    object: object('v1', 'ServiceAccount', {}, { annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' } }),
    now: 'deprecated in v1.32+',
  },
  compositeTemplates: {
    object: object('scheduling.k8s.io/v1alpha2', 'Workload', { spec: { podGroupTemplates: [] } }),
    otherwise: 'spec.podGroupTemplates: Required',
    minors: ['1.36'],
  },
  partsOfUnknownLevels: {
    object: cluster('flowcontrol.apiserver.k8s.io/v1', 'PriorityLevelConfiguration', {
      spec: { type: 'Other', limited: {} },
    }),
    now: 'spec.limited: Forbidden',
  },
  responsesOfOtherLevels: {
    object: cluster('flowcontrol.apiserver.k8s.io/v1', 'PriorityLevelConfiguration', {
      spec: { type: 'Exempt', limited: { limitResponse: { type: 'Reject', queuing: {} } } },
    }),
    now: 'spec.limited.limitResponse.queuing: Forbidden',
  },
  levelTypeRequired: {
    object: cluster('flowcontrol.apiserver.k8s.io/v1', 'PriorityLevelConfiguration', { spec: {} }),
    now: 'spec.type: Required',
    otherwise: 'spec.type: NotSupported',
  },
  bindingMatchSpelling: {
    object: cluster('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicyBinding', {
      spec: { policyName: 'p', validationActions: ['Deny'], matchResources: { matchPolicy: 'Other' } },
    }),
    now: 'spec.matchResources.matchPolicy: NotSupported',
    otherwise: 'spec.matchResouces.matchPolicy: NotSupported',
  },
  migratedResources: {
    object: cluster('storagemigration.k8s.io/v1beta1', 'StorageVersionMigration', {
      spec: { resource: { resource: 'No Name' } },
    }),
    now: 'spec.resource.resource: Invalid',
    minors: ['1.35'],
  },
  cronJobFailureStatus: {
    object: object('batch/v1', 'CronJob', {
      spec: {
        schedule: '0 * * * *',
        jobTemplate: {
          spec: {
            podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }] },
            template: template({ restartPolicy: 'Never' }),
          },
        },
      },
    }),
    otherwise: 'spec.jobTemplate.spec.podFailurePolicy.rules[0].onPodConditions[0].status: Required',
  },
  driverCaseWarning: {
    object: slice('v1', { driver: 'D.example' }),
    now: 'spec.driver: driver names should be lowercase',
  },
};

/** Changes that no object of a create request shows with the gates of the minors around them, and why. */
const elsewhere: Readonly<Partial<Record<Id, string>>> = {
  adminNamespaces: 'depends on the Namespace: below',
  alphaPoliciesDeprecated: 'a warning of the version: below',
  attacherRequiredOnce: 'how often: below',
  capacityRatioOfType: 'kube-scheduler: below',
  distinctErrors: 'how often: below',
  distinctErrorsOfGroups: 'how often: test/rules/validate/dra/scheduling',
  embeddedStructsNamed: 'a decoding error: below',
  exitCodesTooMany: 'TooMany for TooLong: test/rules/validate/containers',
  fractionsCounted: 'test/rules/validate/dra/resourceSlice',
  imageVolumesWhole: 'needs a gate: below',
  relaxedSearches: 'the gate is on by default before',
  requestsDeclared: 'test/rules/validate/dra/claim',
  stubRequests: 'another field: test/rules/validate/control',
  trustBundlesProlonged: 'a warning of the version: below',
  zeroSleep: 'the gate is on by default before',
};

describe('what the server says from a minor on, or until one', () => {
  const minorsAround = ({ since, until }: MinorChange): readonly string[] => {
    const i = supportedMinors.indexOf(since ?? until ?? '');
    return supportedMinors.slice(i - 1, i + 1);
  };

  test.each(Object.entries(cases))('%s', (id, { object: asked, now, otherwise, minors }) => {
    const change: MinorChange = minorChanges[id as Id];
    for (const minor of minors ?? minorsAround(change)) {
      const { errors, dropped, warnings } = answer(asked, { minor });
      const said = JSON.stringify([errors, dropped, warnings]).replaceAll('\\"', '"');
      const isNow = applies(change, { minor });
      if (now !== undefined) expect(said.includes(now), `${minor}: ${said}`).toBe(isNow);
      if (otherwise !== undefined) expect(said.includes(otherwise), `${minor}: ${said}`).toBe(!isNow);
    }
  });

  test('every change has a case; those of networks and custom resources have theirs in the tests of these kinds', () => {
    const known = { ...cases, ...elsewhere, ...networkChanges, ...definitionChanges };
    expect(Object.keys(minorChanges).filter(it => !Object.hasOwn(known, it))).toEqual([]);
  });

  test('an error that two checks find is told once since 1.37', () => {
    const set = workload('StatefulSet', { template: template({}, { annotations: { '-': 'x' } }) });
    const count = (minor: string) => answer(set, { minor }).errors.filter(it => it.includes('annotations')).length;
    expect(['1.36', '1.37'].map(count)).toEqual([2, 1]);
  });

  test('the name of an attribute that is too long is cut at entries, and only there', () => {
    const key = 'a'.repeat(200);
    const devices = (version: string) => [
      {
        name: 'd',
        ...(version === 'v1alpha3' ? { basic: { attributes: { [key]: {} } } } : { attributes: { [key]: {} } }),
      },
    ];
    const told = (minor: string, version: string) =>
      answer(slice(version, { devices: devices(version) }), { minor }).errors.filter(it =>
        it.includes('exactly one value'),
      );
    expect(told('1.31', 'v1alpha3')).toEqual([expect.stringContaining(`attributes[${key}]`)]);
    expect(told('1.34', 'v1')).toEqual([expect.stringMatching(/attributes\[a{47}\.\.\.a{46}\]/)]);
  });

  test('a request of the older shape with a field whose gate is off is still an exact one', () => {
    const { errors, dropped } = answer(claim('v1beta1', { requests: [{ name: 'r', capacity: { requests: {} } }] }), {
      minor: '1.34',
    });
    expect(errors.map(it => it.split(' ')[0])).toEqual([
      'spec.devices.requests[0].exactly.deviceClassName:',
      'spec.devices.requests[0].exactly.allocationMode:',
    ]);
    expect(dropped).toEqual([]);
  });

  test('admin access needs a label of the namespace since 1.33, in each version of a claim', () => {
    const told = (minor: string, version: string, request: JsonObject) =>
      diagnose(JSON.stringify(claim(version, { requests: [{ name: 'r', ...request }] })), {
        minor,
        gates: { DRAAdminAccess: true },
      }).flatMap(it => (it.code === 'apiserver/admin-access' ? [it.fieldPath] : []));
    const flat = { ...exactly, adminAccess: true };
    expect(told('1.32', 'v1beta1', flat)).toEqual([]);
    expect(told('1.33', 'v1beta1', flat)).toEqual(['spec.devices.requests[0].adminAccess']);
    expect(told('1.34', 'v1', { exactly: flat })).toEqual(['spec.devices.requests[0].adminAccess']);
  });

  test('only formats of text are warned of before 1.36', () => {
    const text = (type: string) =>
      JSON.stringify({
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'as.a.example' },
        spec: {
          group: 'a.example',
          names: { kind: 'A', plural: 'as' },
          scope: 'Namespaced',
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              schema: { openAPIV3Schema: { type: 'object', properties: { a: { type, format: 'odd' } } } },
            },
          ],
        },
      });
    const isTold = (type: string, minor: string) =>
      diagnose(text(type), { minor }).some(it => it.message.includes('unrecognized format "odd"'));
    expect(['1.33', '1.34', '1.35', '1.36'].map(it => isTold('string', it))).toEqual([false, true, true, true]);
    expect(['1.33', '1.34', '1.35', '1.36'].map(it => isTold('integer', it))).toEqual([false, false, false, true]);
  });

  test('a missing attacher is told once since 1.36', () => {
    const attachment = cluster('storage.k8s.io/v1', 'VolumeAttachment', {
      spec: { nodeName: 'n', source: { persistentVolumeName: 'p' } },
    });
    const count = (minor: string) => answer(attachment, { minor }).errors.filter(it => it.includes('Required')).length;
    expect(['1.35', '1.36'].map(count)).toEqual([2, 1]);
  });

  test('an image volume is mounted as a whole until 1.33', () => {
    const mounted = pod({
      containers: [container({ volumeMounts: [{ name: 'v', mountPath: '/a', subPath: 'b' }] })],
      volumes: [{ name: 'v', image: { reference: 'r' } }],
    });
    const errors = (minor: string) => answer(mounted, { minor, gates: { ImageVolume: true } }).errors;
    expect(errors('1.32')).toEqual([
      'spec.containers[0].volumeMounts[0].subPath: Invalid not allowed in image volume sources',
    ]);
    expect(errors('1.33')).toEqual([]);
  });

  test('kube-scheduler asks for the shape of RequestedToCapacityRatio since 1.36', () => {
    const problems = (strategy: string, minor: string) =>
      diagnose(
        'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n' +
          `  - pluginConfig: [{ name: NodeResourcesFit, args: { scoringStrategy: ${strategy} } }]\n`,
        { minor },
      ).flatMap(it => (it.severity === 'error' ? [it.message.replace(/.*scoringStrategy/, '')] : []));
    const asked = [
      '{ type: RequestedToCapacityRatio }',
      '{ type: LeastAllocated, requestedToCapacityRatio: { shape: [] } }',
    ];
    expect(asked.map(it => problems(it, '1.36'))).toEqual([
      ['.requestedToCapacityRatio: Required value: must be specified when type is RequestedToCapacityRatio'],
      ['.requestedToCapacityRatio: Forbidden: must be nil when type is not RequestedToCapacityRatio'],
    ]);
    expect(asked.map(it => problems(it, '1.35'))).toEqual([
      [],
      ['.shape: Required value: at least one point must be specified'],
    ]);
  });

  test('a decoding error names embedded structs since 1.35', () => {
    const text = 'apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nspec:\n  volumes: [{ name: v, nfs: 1 }]\n';
    const paths = ['1.34', '1.35'].map(minor =>
      diagnose(text, { minor }).flatMap(it => (it.code === 'decode/type-mismatch' ? [it.fieldPath] : [])),
    );
    expect(paths).toEqual([['spec.volumes[0].nfs'], ['spec.volumes[0].VolumeSource.nfs']]);
  });
});

test('a migration needs a resource and a version before their form is checked', () => {
  const migration = cluster('storagemigration.k8s.io/v1alpha1', 'StorageVersionMigration', { spec: { resource: {} } });
  expect(answer(migration, { minor: '1.34' }).errors).toEqual([
    'spec.resource.resource: Required resource is required',
    'spec.resource.version: Required version is required',
  ]);
});

test.each([
  ['certificates.k8s.io/v1alpha1', 'ClusterTrustBundle', ['is deprecated in v1.29+, unavailable in v1.32+']],
  ['admissionregistration.k8s.io/v1alpha1', 'ValidatingAdmissionPolicy', []],
])('1.31 warns of %s %s as its own code says', (apiVersion, kind, texts) => {
  const told = diagnose(JSON.stringify(cluster(apiVersion, kind, { spec: {} })), { minor: '1.31' });
  const warnings = told.flatMap(it => (it.code === 'warning/deprecated-api' ? [it.message] : []));
  expect(warnings).toEqual(texts.map(it => `${apiVersion} ${kind} ${it}`));
});

test.each([
  ['1.33', 'storage.k8s.io/v1alpha1 VolumeAttributesClass is deprecated in v1.32+, unavailable in v1.35+'],
  [
    '1.34',
    'storage.k8s.io/v1alpha1 VolumeAttributesClass is deprecated in v1.32+, unavailable in v1.35+; use storage.k8s.io/v1 VolumeAttributesClass',
  ],
])('%s names the replacement of a version only if it has that', (minor, warning) => {
  const object = cluster('storage.k8s.io/v1alpha1', 'VolumeAttributesClass', {
    driverName: 'a',
    parameters: { a: 'b' },
  });
  expect(diagnose(JSON.stringify(object), { minor }).map(it => it.message)).toContain(warning);
});

describe('the table', () => {
  test('is where minors are named: no check of the server does', () => {
    const root = join(import.meta.dirname, '../../../server/src/rules');
    const files = ['apiserver', 'decode'].flatMap(room =>
      readdirSync(join(root, room), { recursive: true }).map(it => join(root, room, String(it))),
    );
    const naming = files.filter(it => it.endsWith('.ts') && /'1\.\d\d'|isAtLeast/.test(readFileSync(it, 'utf8')));
    expect(files.length).toBeGreaterThan(100);
    expect(naming).toEqual([]);
  });

  test.each(Object.entries(minorChanges))(
    '%s has one boundary among the supported minors',
    (_, change: MinorChange) => {
      const between = supportedMinors.slice(1);
      expect(between).toContain(change.since ?? change.until);
      if (change.since !== undefined && change.until !== undefined)
        expect(isAtLeast(change.since, change.until)).toBe(false);
      expect(change.change).toMatch(/^\p{Lu}.*\.$/u);
    },
  );
});
