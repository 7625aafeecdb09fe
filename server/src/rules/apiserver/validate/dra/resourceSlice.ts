import { byteLength } from '../../../../base/byteLength';
import { asList, asObject, type JsonObject, type JsonValue } from '../../../../base/json';
import { repeatedAt } from '../../../../base/repeated';
import type { Kube } from '../../../../kube/kube';
import { dns1123SubdomainErrors } from '../../../../kube/names';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { applies } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';
import {
  duplicate,
  type FieldError,
  invalid,
  type KindStrategy,
  notFound,
  required,
  tooLong,
  type Validation,
} from '../errors';
import { validateLabelName } from '../metadata';
import { validateNodeSelector } from '../podSpec/scheduling';
import { type Counting, deviceCapacity } from './capacity';
import {
  type Check,
  cIdentifier,
  fields,
  fullyQualifiedName,
  hasItems,
  isSet,
  list,
  numberOf,
  oneOf,
  optionalText,
  pointer,
  repeated,
  requiredText,
  shortName,
  structOf,
  textOf,
  textPointer,
  tooManyItems,
  union,
  type Value,
} from './declarative';
import { dnsLabel, driverName, pastItemsOf, poolName, taintEffect, taintText } from './devices';
import { clusterMeta, specPath } from './meta';
import { duplicatesIn, olderSliceErrors } from './olderErrors';
import { olderQualifiedName } from './olderNames';
import { isNegative, isPositive, shownQuantity } from './quantities';
import { flatPaths, isFlat, missingBasics, plainDevices } from './versions';

const mostDevices = 128;
const mostAdvancedDevices = 64;
const mostCounterSets = 8;
const mostCounters = 32;
const mostConsumptions = 2;
const mostGroups = 2;
const mostConditions = 4;
const mostTaints = 16;
const mostAttributes = 32;
const mostAttributeValues = 48;
const longestAttribute = 64;
/** A domain, a slash and an identifier. */
const longestKey = 63 + 1 + 32;

const attributeMembers = ['int', 'bool', 'string', 'version', 'ints', 'bools', 'strings', 'versions'];
const attributeLists = ['bools', 'ints', 'strings', 'versions'];

/** Upstream: pkg/registry/resource/resourceslice and ValidateResourceSlice. */
export const resourceSlice: KindStrategy = {
  validate: (object, validation) => [...clusterMeta(object), ...specErrors(object, structOf(object.spec), validation)],
  warn: (object, { kube }) => {
    const driver = textOf(structOf(object.spec).driver);
    if (driver === driver.toLowerCase() || !applies(minorChanges.driverCaseWarning, kube)) return [];
    return [`spec.driver: driver names should be lowercase; ${JSON.stringify(driver)} contains uppercase characters`];
  },
};

/** The errors of a slice's spec in the shape of the object's version. */
function specErrors(object: JsonObject, spec: JsonObject, validation: Validation): readonly FieldError[] {
  const { kube } = validation;
  const isNested = !applies(minorChanges.requestsNested, kube);
  const without = isFlat(object) && isNested ? missingBasics(spec) : [];
  const errors = sliceSpec(isFlat(object) ? plainDevices(spec) : spec, countingOf(validation), kube);
  const own = flatPaths(olderSliceErrors(duplicatesIn(errors, kube), kube), validation);
  const isWithout = ({ at: { segments } }: FieldError) =>
    segments[3] === 'basic' && without.includes(Number(segments[2]));
  return [
    ...own.filter(it => !isWithout(it)),
    ...without.map(i => required(specPath.child('devices').index(i).child('basic'))),
  ];
}

function countingOf({ kube, isOn }: Validation): Counting {
  if (!applies(minorChanges.fractionsCounted, kube)) return 'before 1.37';
  return isOn('DRAFractionalCapacityRange') ? 'fractions' : 'whole';
}

function sliceSpec(spec: JsonObject, counting: Counting, kube: Kube): readonly FieldError[] {
  const advanced = asList(spec.devices).some(it => isAdvanced(structOf(it)));
  const most = advanced ? mostAdvancedDevices : mostDevices;
  const devices = asList(spec.devices);
  const devicesAt = specPath.child('devices');
  const perDevice = spec.perDeviceNodeSelection === true;
  const generated = generatedDevice(kube);
  return [
    ...driverName(textOf(spec.driver), specPath.child('driver'), kube),
    ...pool(structOf(spec.pool), specPath.child('pool')),
    ...sliceNodes(spec, kube),
    ...(isSet(spec.sharedCounters) && isSet(spec.devices)
      ? [invalid(specPath, '', 'only one of `sharedCounters` or `devices` is allowed')]
      : []),
    ...(devices.length > most ? [tooManyItems(devicesAt, devices.length, most)] : []),
    ...(devices.length > most && pastItemsOf(kube) === 'skipped'
      ? []
      : [
          ...devices.flatMap((it, i) =>
            device(structOf(it), devicesAt.index(i), perDevice ? 'here' : 'slice', counting, kube),
          ),
          ...repeated(devices, it => textOf(structOf(it).name), devicesAt),
        ]),
    ...devices.flatMap((it, i) => generated(it, devicesAt.index(i))),
    ...counterSets(spec.sharedCounters, specPath.child('sharedCounters')),
    ...textPointer(fullyQualifiedName)(spec.partitionTypeAttribute, specPath.child('partitionTypeAttribute')),
    ...(isSet(spec.partitionTypeAttribute) ? partitionType(spec) : []),
    ...skippedOperations(spec.skipNodeOperations, specPath.child('skipNodeOperations')),
  ];
}

function isAdvanced(item: JsonObject): boolean {
  const attributes = Object.values(structOf(item.attributes));
  const lists = attributes.some(it => attributeLists.some(name => isSet(structOf(it)[name])));
  return hasItems(item.taints) || hasItems(item.consumesCounters) || lists;
}

function pool(value: JsonObject, at: FieldPath): readonly FieldError[] {
  const name = textOf(value.name);
  const count = numberOf(value.resourceSliceCount);
  const generation = numberOf(value.generation);
  return [
    ...poolName(name, at.child('name')),
    ...(count <= 0 ? [invalid(at.child('resourceSliceCount'), count, 'must be greater than zero')] : []),
    ...(generation < 0 ? [invalid(at.child('generation'), generation, 'must be greater than or equal to zero')] : []),
  ];
}

const nodeName: Check<string> = (name, at) => dns1123SubdomainErrors(name).map(it => invalid(at, name, it));

function sliceNodes(spec: JsonObject, kube: Kube): readonly FieldError[] {
  const one = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';
  const terms = asList(structOf(spec.nodeSelector).nodeSelectorTerms);
  const termsAt = specPath.child('nodeSelector', 'nodeSelectorTerms');
  const unset = (field: string) =>
    spec[field] === false ? [invalid(specPath.child(field), false, 'must be either unset or set to true')] : [];
  const set = [
    ...(textOf(spec.nodeName) === '' ? [] : ['nodeName']),
    ...(isSet(spec.nodeSelector) ? ['nodeSelector'] : []),
    ...(spec.allNodes === true ? ['allNodes'] : []),
    ...(spec.perDeviceNodeSelection === true ? ['perDeviceNodeSelection'] : []),
  ];
  return [
    ...(spec.nodeName === ''
      ? [invalid(specPath.child('nodeName'), '', 'must be either unset or set to a non-empty string')]
      : optionalText(nodeName)(spec.nodeName, specPath.child('nodeName'))),
    ...pointer(nodeSelector(kube))(spec.nodeSelector, specPath.child('nodeSelector')),
    ...(isSet(spec.nodeSelector) && terms.length !== 1
      ? [invalid(termsAt, terms, 'must have exactly one node selector term')]
      : []),
    ...unset('allNodes'),
    ...unset('perDeviceNodeSelection'),
    ...(set.length === 0 ? [required(specPath, one)] : []),
    ...(set.length > 1 ? [invalid(specPath, braced(set), `${one}, but multiple fields are set`)] : []),
  ];
}

function braced(names: readonly string[]): string {
  return `{${names.map(it => `\`${it}\``).join(', ')}}`;
}

/** The errors of the hand-written validation of a device; `generatedDevice` has those of the generated one. */
function device(
  item: JsonObject,
  at: FieldPath,
  nodes: 'here' | 'slice',
  counting: Counting,
  kube: Kube,
): readonly FieldError[] {
  const attributes = Object.entries(structOf(item.attributes));
  const capacity = Object.entries(structOf(item.capacity));
  const count = attributes.length + capacity.length;
  const values = attributes.reduce((sum, [, it]) => sum + valueCount(structOf(it)), 0);
  const shared = item.allowMultipleAllocations === true ? 'shared' : 'single';
  return [
    ...dnsLabel(textOf(item.name), at.child('name')),
    ...(count > mostAttributes
      ? [invalid(at, count, `the total number of attributes and capacities must not exceed ${mostAttributes}`)]
      : []),
    ...(values > mostAttributeValues
      ? [invalid(at, values, `the total number of attribute values must not exceed ${mostAttributeValues}`)]
      : []),
    ...named(attributes, at.child('attributes'), attributeValue, kube),
    ...named(
      capacity,
      at.child('capacity'),
      (it, itemAt) => deviceCapacity(structOf(it), itemAt, shared, counting),
      kube,
    ),
    ...taints(asList(item.taints), at.child('taints')),
    ...(asList(item.consumesCounters).length > mostConsumptions
      ? []
      : list({}, (it, itemAt) => counterLimit(it, itemAt))(item.consumesCounters, at.child('consumesCounters'))),
    ...deviceNodes(item, at, nodes, kube),
    ...bindingConditions(item, at),
    ...allocatable(item, at.child('nodeAllocatableResources')),
  ];
}

function valueCount(attribute: JsonObject): number {
  const items = attributeLists.reduce((sum, it) => sum + asList(attribute[it]).length, 0);
  return items === 0 ? 1 : items;
}

/** The entries of a map with qualified names; errors of a key have the path of the map, in some minors that of the key. */
function named(
  entries: readonly (readonly [string, JsonValue])[],
  at: FieldPath,
  check: Check<JsonValue>,
  kube: Kube,
): readonly FieldError[] {
  const isAtMap = applies(minorChanges.keysAtMap, kube) || !applies(minorChanges.keysAtEntry, kube);
  const nameOf = applies(minorChanges.emptyNamesInvalid, kube) ? qualifiedName(kube) : olderQualifiedName(kube);
  return entries.flatMap(([key, item]) => {
    const itemAt = at.key(keyAsTold(key, kube));
    return [...nameOf(key, isAtMap ? at : itemAt), ...check(item, itemAt)];
  });
}

const qualifiedName =
  (kube: Kube): Check<string> =>
  (name, at) => {
    const [first = '', id, ...more] = name.split('/');
    // Upstream accepts anything with more than one slash.
    if (more.length > 0) return [];
    if (id === undefined) return cIdentifier(first, at);
    return [
      ...(first === '' ? [invalid(at, '', 'the domain must not be empty')] : driverName(first, at, kube)),
      ...(id === '' ? [invalid(at, '', 'the name must not be empty')] : cIdentifier(id, at)),
    ];
  };

/** Upstream: truncateIfTooLong. */
function keyAsTold(key: string, kube: Kube): string {
  if (byteLength(key) <= longestKey || !applies(minorChanges.keysAtEntry, kube)) return key;
  const left = longestKey - 3;
  return `${key.slice(0, Math.floor((left + 1) / 2))}...${key.slice(key.length - Math.floor(left / 2))}`;
}

const semverPattern =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?(\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?$/;

const attributeText: Check<string> = (text, at) =>
  byteLength(text) > longestAttribute ? [tooLong(at, longestAttribute)] : [];

const attributeVersion: Check<string> = (text, at) => [
  ...(semverPattern.test(text) ? [] : [invalid(at, text, 'must be a string compatible with semver.org spec 2.0.0')]),
  ...attributeText(text, at),
];

const attributeValue: Check<JsonValue> = (item, at) => {
  const attribute = structOf(item);
  const empty = attributeLists.filter(it => Array.isArray(attribute[it]) && !hasItems(attribute[it]));
  return [
    ...textPointer(attributeText)(attribute.string, at.child('string')),
    ...textPointer(attributeVersion)(attribute.version, at.child('version')),
    ...empty.map(it => invalid(at.child(it), [], 'must not be empty if specified')),
    ...list({}, (it, itemAt) => attributeText(textOf(it), itemAt))(attribute.strings, at.child('strings')),
    ...list({}, (it, itemAt) => attributeVersion(textOf(it), itemAt))(attribute.versions, at.child('versions')),
  ];
};

function taints(items: readonly JsonValue[], at: FieldPath): readonly FieldError[] {
  if (items.length > mostTaints) return [tooManyItems(at, items.length, mostTaints)];
  return items.flatMap((item, i) => taintText(structOf(item), at.index(i)));
}

/** A limit that the generated checks do not have. */
function counterLimit(item: JsonValue, at: FieldPath): readonly FieldError[] {
  const count = Object.keys(structOf(structOf(item).counters)).length;
  return count > mostCounters ? [tooManyItems(at.child('counters'), count, mostCounters)] : [];
}

const counterNames: Check<Value> = (value, at) => {
  const names = Object.keys(asObject(value) ?? {});
  return names.length === 0 ? [required(at)] : names.flatMap(it => shortName(it, at));
};

const generatedDevice = (kube: Kube) =>
  fields({
    attributes: (value, at) =>
      Object.entries(structOf(value)).flatMap(([key, item]) =>
        union(attributeMembers, it => (Array.isArray(it) ? it.length > 0 : isSet(it)))(
          item,
          at.key(applies(minorChanges.keysAtMap, kube) ? key : keyAsTold(key, kube)),
        ),
      ),
    consumesCounters: list(
      { most: mostConsumptions, key: it => textOf(structOf(it).counterSet) },
      fields({
        counterSet: requiredText(shortName),
        counters: counterNames,
        compatibilityGroups: list({ most: mostGroups, key: textOf }, (it, at) => shortName(textOf(it), at)),
      }),
    ),
    taints: list({}, fields({ effect: requiredText(taintEffect(kube)) })),
    bindingConditions: list({ most: mostConditions }, () => []),
    bindingFailureConditions: list({ most: mostConditions }, () => []),
    nodeAllocatableResources: (value, at) =>
      Object.entries(structOf(value)).flatMap(([key, item]) =>
        pointer(union(['capacityKey', 'deviceMultiplier']))(structOf(item).mapping, at.key(key).child('mapping')),
      ),
  });

function counterSets(value: Value, at: FieldPath): readonly FieldError[] {
  return list({ most: mostCounterSets, key: it => textOf(structOf(it).name) }, (item, itemAt) => [
    ...fields({ name: requiredText(shortName), counters: counterNames })(item, itemAt),
    ...counterLimit(item, itemAt),
  ])(value, at);
}

function deviceNodes(item: JsonObject, at: FieldPath, nodes: 'here' | 'slice', kube: Kube): readonly FieldError[] {
  const { nodeName: name, nodeSelector: selector, allNodes } = item;
  if (nodes === 'slice') {
    const detail =
      '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ' +
      'ResourceSlice spec';
    return isSet(name) || isSet(selector) || isSet(allNodes) ? [invalid(at, null, detail)] : [];
  }
  const one =
    'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to ' +
    'true in the ResourceSlice spec';
  const set = [
    ...(textOf(name) === '' ? [] : ['nodeName']),
    ...(isSet(selector) ? ['nodeSelector'] : []),
    ...(allNodes === true ? ['allNodes'] : []),
  ];
  return [
    ...(name === ''
      ? [invalid(at.child('nodeName'), '', 'must not be empty')]
      : optionalText(nodeName)(name, at.child('nodeName'))),
    ...pointer(nodeSelector(kube))(selector, at.child('nodeSelector')),
    ...(allNodes === false ? [invalid(at.child('allNodes'), false, 'must be either unset or set to true')] : []),
    ...(set.length === 0 ? [required(at, one)] : []),
    ...(set.length > 1 ? [invalid(at, braced(set), one)] : []),
  ];
}

function bindingConditions(item: JsonObject, at: FieldPath): readonly FieldError[] {
  const conditions = asList(item.bindingConditions).map(textOf);
  const failures = asList(item.bindingFailureConditions).map(textOf);
  const conditionsAt = at.child('bindingConditions');
  const failuresAt = at.child('bindingFailureConditions');
  const conditionSet = new Set(conditions);
  const again = repeatedAt(failures);
  const overlap = 'bindingFailureConditions must not overlap with bindingConditions';
  return [
    ...labelNames(conditions, conditionsAt),
    ...labelNames(failures, failuresAt),
    ...repeated(conditions, textOf, conditionsAt),
    ...failures.flatMap((it, i) => [
      ...(again.has(i) ? [duplicate(failuresAt.index(i), it)] : []),
      ...(conditionSet.has(it) ? [invalid(failuresAt.index(i), it, overlap)] : []),
    ]),
    ...(conditions.length === 0 && failures.length > 0
      ? [invalid(conditionsAt, conditions, 'bindingConditions are required to use bindingFailureConditions')]
      : []),
    ...(failures.length === 0 && conditions.length > 0
      ? [invalid(failuresAt, failures, 'bindingFailureConditions are required to use bindingConditions')]
      : []),
  ];
}

function labelNames(names: readonly string[], at: FieldPath): readonly FieldError[] {
  return names.length > mostConditions ? [] : names.flatMap((it, i) => validateLabelName(it, at.index(i)));
}

function allocatable(item: JsonObject, at: FieldPath): readonly FieldError[] {
  return Object.entries(structOf(item.nodeAllocatableResources)).flatMap(([name, value]) => {
    const { mapping, overhead } = structOf(value);
    const keyAt = at.key(name);
    const known = name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');
    return [
      ...(known ? [] : [invalid(keyAt, name, 'must be a node allocatable resource name')]),
      ...(isSet(mapping) || isSet(overhead)
        ? []
        : [required(keyAt, 'at least one of mapping or overhead must be set')]),
      ...(isSet(mapping) ? allocatableMapping(structOf(mapping), item, keyAt.child('mapping')) : []),
      ...(isSet(overhead) ? allocatableOverhead(structOf(overhead), keyAt.child('overhead')) : []),
    ];
  });
}

function allocatableMapping(mapping: JsonObject, item: JsonObject, at: FieldPath): readonly FieldError[] {
  const { capacityKey, capacityMultiplier, deviceMultiplier } = mapping;
  const keyAt = at.child('capacityKey');
  const multiplierAt = at.child('capacityMultiplier');
  const positive = (value: Value, valueAt: FieldPath) =>
    isSet(value) && !isPositive(value) ? [invalid(valueAt, shownQuantity(value), 'must be positive')] : [];
  const key = textOf(capacityKey);
  const unknownKey = isSet(capacityKey) && key !== '' && !Object.hasOwn(structOf(item.capacity), key);
  return [
    ...(capacityKey === '' ? [invalid(keyAt, '', 'capacityKey must not be an empty string')] : []),
    ...(unknownKey ? [notFound(keyAt, key)] : []),
    ...(isSet(capacityKey) && !isSet(capacityMultiplier)
      ? [required(multiplierAt, 'capacityMultiplier is required when capacityKey is set')]
      : []),
    ...(isSet(capacityKey) ? positive(capacityMultiplier, multiplierAt) : []),
    ...positive(deviceMultiplier, at.child('deviceMultiplier')),
    ...(isSet(capacityMultiplier) && !isSet(capacityKey)
      ? [required(keyAt, 'capacityKey is required when capacityMultiplier is set')]
      : []),
  ];
}

function allocatableOverhead(overhead: JsonObject, at: FieldPath): readonly FieldError[] {
  const { perPod, perContainer } = overhead;
  if (!isSet(perPod) && !isSet(perContainer)) {
    return [invalid(at, '', 'at least one of perPod or perContainer must be set')];
  }
  const natural = (value: Value, valueAt: FieldPath) =>
    isSet(value) && isNegative(value) ? [invalid(valueAt, shownQuantity(value), 'must be non-negative')] : [];
  return [...natural(perPod, at.child('perPod')), ...natural(perContainer, at.child('perContainer'))];
}

/** Every device that consumes counters must give its type of partition. */
function partitionType(spec: JsonObject): readonly FieldError[] {
  const name = textOf(spec.partitionTypeAttribute);
  const at = specPath.child('partitionTypeAttribute');
  const devices = asList(spec.devices).map(structOf);
  if (!devices.some(it => hasItems(it.consumesCounters))) {
    return [invalid(at, name, 'may only be set on a slice which declares devices that consume counters')];
  }
  if (fullyQualifiedName(name, at).length > 0) return [];
  const prefix = `${textOf(spec.driver)}/`;
  const bare = name.startsWith(prefix) ? name.slice(prefix.length) : name;
  return devices.flatMap((it, i) => {
    if (!hasItems(it.consumesCounters)) return [];
    const attributes = structOf(it.attributes);
    const attribute = attributes[name] ?? attributes[bare];
    const attributeAt = specPath.child('devices').index(i).child('attributes').key(name);
    if (attribute === undefined) {
      const detail = 'device consumes counters and `partitionTypeAttribute` names this attribute, so it must be set';
      return [required(attributeAt, detail)];
    }
    if (isSet(structOf(attribute).string)) return [];
    return [
      invalid(attributeAt, attribute, 'must be a string value because `partitionTypeAttribute` names this attribute'),
    ];
  });
}

const nodeSelector =
  (kube: Kube): Check<Value> =>
  (value, at) => {
    const values = applies(minorChanges.sliceTermValues, kube) ? 'labelValue' : 'anyValue';
    return [...validateNodeSelector(structOf(value), at, values)];
  };

const skippable = oneOf('*', 'NodePrepareResources', 'NodeUnprepareResources');

function skippedOperations(value: Value, at: FieldPath): readonly FieldError[] {
  const names = asList(value).map(textOf);
  const detail = 'NodePrepareResources cannot be skipped unless NodeUnprepareResources is also skipped';
  const half =
    names.includes('NodePrepareResources') && !names.includes('NodeUnprepareResources') && !names.includes('*');
  return [
    ...list({ key: textOf }, (it, itemAt) => skippable(textOf(it), itemAt))(value, at),
    ...(half ? [invalid(at, names, detail)] : []),
  ];
}
