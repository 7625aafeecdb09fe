import { byteLength } from '../../../../base/byteLength';
import type { JsonObject } from '../../../../base/json';
import { repeatedAt } from '../../../../base/repeated';
import {
  entries,
  type GoFields,
  get,
  has,
  int,
  items,
  mapField,
  optionalInt,
  optionalText,
  record,
  records,
  text,
  texts,
  withDefaults,
} from '../../../../kube/goFields';
import type { Kube } from '../../../../kube/kube';
import { dns1123SubdomainErrors, qualifiedNameErrors } from '../../../../kube/names';
import { FieldPath } from '../../../../manifest/fieldPath';
import { applies } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  invalids,
  type KindStrategy,
  notAmong,
  notSupported,
  required,
  type Validation,
} from '../errors';
import { isEnabled } from '../gates';
import { validateLabelSelector, validateNameFn, validateObjectMeta } from '../metadata';
import { dropStatus } from '../shared/drops';
import { deprecatedExpressionKeys, deprecatedNodeLabel } from '../shared/labels';
import { nonNegativeErrors } from '../shared/resources';
import { driverNameErrors } from './csiSources';
import { withSourceDefaults } from './sourceDefaults';
import { volumeSpecErrors } from './volume';

const fsGroupPolicies = ['File', 'None', 'ReadWriteOnceWithFSType'];
const lifecycleModes = ['Persistent', 'Ephemeral'];

function tokenErrors(spec: GoFields, at: FieldPath): readonly FieldError[] {
  const requests = records(spec, 'tokenRequests');
  const repeated = repeatedAt(requests.map(it => text(it, 'audience')));
  return requests.flatMap((it, i) => {
    const audience = text(it, 'audience');
    if (repeated.has(i)) {
      return [duplicate(at.index(i).child('audience'), audience)];
    }
    const seconds = optionalInt(it, 'expirationSeconds');
    const secondsAt = at.index(i).child('expirationSeconds');
    if (seconds === undefined) return [];
    if (seconds < 600) return [invalid(secondsAt, seconds, 'may not specify a duration less than 10 minutes')];
    if (seconds > 2 ** 32) return [invalid(secondsAt, seconds, 'may not specify a duration larger than 2^32 seconds')];
    return [];
  });
}

/** Upstream: validateCSIDriverSpec. */
function driverErrors(spec: GoFields, at: FieldPath): readonly FieldError[] {
  const policy = optionalText(spec, 'fsGroupPolicy');
  const period = optionalInt(spec, 'nodeAllocatableUpdatePeriodSeconds');
  const inSecrets = get(spec, 'serviceAccountTokenInSecrets');
  const periodAt = at.child('nodeAllocatableUpdatePeriodSeconds');
  const secretsAt = at.child('serviceAccountTokenInSecrets');
  const noTokens = 'serviceAccountTokenInSecrets is set but no tokenRequests are specified';
  return [
    ...(policy === undefined || fsGroupPolicies.includes(policy)
      ? []
      : [notSupported(at.child('fsGroupPolicy'), policy, fsGroupPolicies)]),
    ...tokenErrors(spec, at.child('tokenRequests')),
    ...texts(spec, 'volumeLifecycleModes')
      .filter(it => !lifecycleModes.includes(it))
      .map(it => notAmong(at.child('volumeLifecycleModes'), it, lifecycleModes)),
    ...(period !== undefined && period < 10
      ? [invalid(periodAt, period, 'must be greater than or equal to 10 seconds')]
      : []),
    ...(inSecrets !== undefined && items(spec, 'tokenRequests').length === 0
      ? [invalid(secretsAt, inSecrets, noTokens)]
      : []),
  ];
}

/** Upstream: SetDefaults_CSIDriver. */
const DRIVER_DEFAULTS: JsonObject = {
  attachRequired: true,
  podInfoOnMount: false,
  requiresRepublish: false,
  seLinuxMount: false,
  storageCapacity: false,
};

export const driverStrategy: KindStrategy = {
  defaults: object =>
    mapField(object, 'spec', spec => {
      const modes = items(spec, 'volumeLifecycleModes').length === 0 ? { volumeLifecycleModes: ['Persistent'] } : {};
      // A pointer to an empty text is set.
      const policy = has(spec, 'fsGroupPolicy') ? {} : { fsGroupPolicy: 'ReadWriteOnceWithFSType' };
      return withDefaults({ ...spec, ...modes, ...policy }, DRIVER_DEFAULTS);
    }),
  validate: object => [
    ...validateObjectMeta(object, 'cluster', validateNameFn.subdomain),
    ...driverErrors(record(object, 'spec'), FieldPath.of('spec')),
  ],
  warn: (object, validation) => {
    const spec = record(object, 'spec');
    if (items(spec, 'tokenRequests').length === 0 || has(spec, 'serviceAccountTokenInSecrets')) return [];
    if (!applies(minorChanges.tokensInSecrets, validation.kube)) return [];
    if (!isEnabled('CSIServiceAccountTokenSecrets', validation.kube)) return [];
    return [
      'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes',
    ];
  },
};

function nodeDriverErrors(driver: JsonObject, isRepeated: boolean, at: FieldPath, kube: Kube): readonly FieldError[] {
  const name = text(driver, 'name');
  const id = text(driver, 'nodeID');
  const count = int(record(driver, 'allocatable'), 'count');
  const keys = texts(driver, 'topologyKeys');
  const repeated = repeatedAt(keys);
  return [
    ...driverNameErrors(name, at.child('name'), kube),
    ...(id === '' ? [required(at.child('nodeID'))] : []),
    ...(byteLength(id) > 256 ? [invalid(at.child('nodeID'), id, 'must be 256 characters or less')] : []),
    ...(count < 0 ? [invalid(at.child('allocatable', 'count'), count, 'must be greater than or equal to 0')] : []),
    ...(isRepeated ? [duplicate(at.child('name'), name)] : []),
    ...keys.flatMap((key, i) => [
      ...(key === '' ? [required(at)] : []),
      ...(repeated.has(i) ? [duplicate(at, key)] : []),
      ...invalids(at, key, qualifiedNameErrors(key)),
    ]),
  ];
}

export const nodeStrategy: KindStrategy = {
  drop: dropStatus,
  validate: (object, { kube }) => {
    const drivers = records(record(object, 'spec'), 'drivers');
    const repeated = repeatedAt(drivers.map(it => text(it, 'name')));
    return [
      ...validateObjectMeta(object, 'cluster', validateNameFn.subdomain),
      ...drivers.flatMap((it, i) => nodeDriverErrors(it, repeated.has(i), FieldPath.of('spec', 'drivers', i), kube)),
    ];
  },
};

export const capacityStrategy: KindStrategy = {
  validate: object => {
    const className = text(object, 'storageClassName');
    return [
      ...validateObjectMeta(object, 'namespaced', validateNameFn.subdomain),
      ...validateLabelSelector(record(object, 'nodeTopology'), FieldPath.of('nodeTopology')),
      ...invalids(FieldPath.of('storageClassName'), className, dns1123SubdomainErrors(className)),
      ...(has(object, 'capacity') ? nonNegativeErrors(get(object, 'capacity'), FieldPath.of('capacity')) : []),
    ];
  },
  warn: object => {
    const topology = record(object, 'nodeTopology');
    return [
      ...deprecatedExpressionKeys(topology, FieldPath.of('nodeTopology')),
      ...entries(topology, 'matchLabels').flatMap(([key]) => {
        const message = deprecatedNodeLabel(key);
        return message === undefined ? [] : [`nodeTopology.matchLabels.${key}: ${message}`];
      }),
    ];
  },
};

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain = `${label}(\\.${label})*`;

function attacherErrors(name: string, { kube }: Validation, at: FieldPath): readonly FieldError[] {
  if (name === '' && !applies(minorChanges.attacherRequiredOnce, kube)) {
    return [required(at), ...driverNameErrors(name, at, kube)];
  }
  if (name === '' || !applies(minorChanges.attacherDeclared, kube)) return driverNameErrors(name, at, kube);
  const size = byteLength(name);
  const rule =
    "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and end with an " +
    `alphanumeric character (e.g. 'Example.com', regex used for validation is '${subdomain}')`;
  return [
    ...(size > 63 ? [{ type: 'FieldValueTooLong', at, detail: 'may not be more than 63 characters' } as const] : []),
    ...(size > 253 ? [invalid(at, name, 'must be no more than 253 bytes')] : []),
    ...(new RegExp(`^${subdomain}$`, 'i').test(name) ? [] : [invalid(at, name, rule)]),
  ];
}

function attachedErrors(source: GoFields, at: FieldPath, kube: Kube): readonly FieldError[] {
  const name = optionalText(source, 'persistentVolumeName');
  const inline = record(source, 'inlineVolumeSpec');
  const one = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  const nameAt = at.child('persistentVolumeName');
  const nameErrors = name === undefined ? [] : invalids(nameAt, name, dns1123SubdomainErrors(name));
  if (inline !== undefined && name !== undefined) return [forbidden(at, one), ...nameErrors];
  if (inline !== undefined) return volumeSpecErrors(inline, '', 'inline', at.child('inlineVolumeSpec'), kube);
  if (name === undefined) return [required(at, one)];
  return [...(name === '' ? [required(nameAt, 'must specify non empty persistentVolumeName')] : []), ...nameErrors];
}

export const attachmentStrategy: KindStrategy = {
  defaults: object =>
    mapField(object, 'spec', spec =>
      mapField(spec, 'source', source => mapField(source, 'inlineVolumeSpec', withSourceDefaults)),
    ),
  drop: dropStatus,
  validate: (object, validation) => {
    const spec = record(object, 'spec');
    const node = text(spec, 'nodeName');
    return [
      ...validateObjectMeta(object, 'cluster', validateNameFn.subdomain),
      ...attacherErrors(text(spec, 'attacher'), validation, FieldPath.of('spec', 'attacher')),
      ...attachedErrors(record(spec, 'source'), FieldPath.of('spec', 'source'), validation.kube),
      ...invalids(FieldPath.of('spec', 'nodeName'), node, dns1123SubdomainErrors(node)),
    ];
  },
};
