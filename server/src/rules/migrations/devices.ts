import { asObject, type JsonObject } from '../../base/json';
import { inField, inItems, without } from './fields';

/** Kinds of resource.k8s.io. Upstream: pkg/apis/resource/v1alpha3 and v1beta1, conversion.go. */

const REQUEST = [
  'derivedAttributes',
  'deviceClassName',
  'selectors',
  'allocationMode',
  'count',
  'adminAccess',
  'tolerations',
  'capacity',
];

/** ResourceClaim of v1beta1: what is asked of one class stands below `exactly`. */
export function claim(value: JsonObject): JsonObject {
  return inField(value, 'spec', claimSpec);
}

export function claimTemplate(value: JsonObject): JsonObject {
  return inField(value, 'spec', spec => inField(spec, 'spec', claimSpec));
}

function claimSpec(spec: JsonObject): JsonObject {
  return inField(without(spec, 'controller'), 'devices', devices => inItems(devices, 'requests', request));
}

function request(it: JsonObject): JsonObject {
  const flat = Object.entries(it).filter(([name]) => REQUEST.includes(name));
  if (flat.length === 0) return it;
  return { ...without(it, ...REQUEST), exactly: Object.fromEntries(flat) };
}

/** ResourceSlice of v1beta1: the fields below `basic` belong to the device itself. */
export function slice(value: JsonObject): JsonObject {
  return inField(value, 'spec', spec =>
    inItems(spec, 'devices', it => {
      const basic = asObject(it.basic);
      return basic === undefined ? it : { ...without(it, 'basic'), ...basic };
    }),
  );
}

/** v1alpha3 had a capacity without `value` around it. */
export function olderSlice(value: JsonObject): JsonObject {
  const wrapped = inField(value, 'spec', spec =>
    inItems(spec, 'devices', it => inField(it, 'basic', basic => inField(basic, 'capacity', wrappedValues))),
  );
  return slice(wrapped);
}

function wrappedValues(capacity: JsonObject): JsonObject {
  const wrapped = Object.entries(capacity).map(([name, it]) => [
    name,
    typeof it === 'object' && it !== null ? it : { value: it },
  ]);
  return Object.fromEntries(wrapped) as JsonObject;
}

export function deviceClass(value: JsonObject): JsonObject {
  return inField(value, 'spec', spec => without(spec, 'suitableNodes'));
}

export function taintRule(value: JsonObject): JsonObject {
  return inField(value, 'spec', spec =>
    inField(spec, 'deviceSelector', it => without(it, 'deviceClassName', 'selectors')),
  );
}
