import { asList, type JsonObject, type JsonValue } from '../../../../base/json';
import type { DeviceSelectors } from '../../../../kube/cel/deviceSelector';
import type { Kube } from '../../../../kube/kube';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { fieldAt } from '../../../../manifest/valueAt';
import { applies } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';
import {
  type FieldError,
  forbidden,
  invalid,
  type KindStrategy,
  notSupported,
  required,
  type Validation,
} from '../errors';
import { dropStatus } from '../shared/drops';
import {
  type Check,
  fields,
  fullyQualifiedName,
  hasItems,
  isSet,
  list,
  longName,
  numberOf,
  type PastItems,
  requiredText,
  structOf,
  textOf,
  textPointer,
  tooManyItems,
  type Value,
} from './declarative';
import {
  deviceConfiguration,
  dnsLabel,
  dnsSubdomain,
  driverName,
  expression,
  mostRequests,
  pastItemsOf,
  selectors,
  tolerations,
} from './devices';
import { namespacedMeta, specPath, templateMeta } from './meta';
import { olderClaimErrors } from './olderErrors';
import { attributeNameOf } from './olderNames';
import { flatDefaults, flatPaths, isFlat, nestedRequests } from './versions';

const mostConstraints = 32;
const mostConfigs = 32;
const mostAlternatives = 8;
const mostDerivedAttributes = 32;
const mostDerivedCost = 1_000_000;

const byName = (item: JsonValue) => textOf(structOf(item).name);

/** Request names, each with the names of its alternatives. Upstream: requestNames. */
type RequestNames = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * What fields of a claim may refer to, and the attributes that constraints use, by "", request, or request/alternative.
 */
interface Claim {
  readonly names: RequestNames;
  readonly constrained: ReadonlyMap<string, ReadonlySet<string>>;
  readonly consumable: 'on' | 'off';
  readonly compiler: DeviceSelectors;
  readonly attributeName: Check<string>;
  /** Whether generated checks cover what the hand-written ones skip, as they do since 1.37. */
  readonly generated: 'on' | 'off';
  /** What becomes of both `exactly` and `firstAvailable` where both are set. */
  readonly both: 'checked' | 'refused';
  readonly past: PastItems;
  readonly kube: Kube;
}

/** Upstream: pkg/registry/resource/resourceclaim and ValidateResourceClaim. */
export const resourceClaim: KindStrategy = {
  defaults: (object, validation) => withSpec(object, defaultsOf(object, validation)),
  drop: dropStatus,
  validate: (object, validation) => [
    ...namespacedMeta(object),
    ...specErrors(object, structOf(object.spec), specPath, validation),
  ],
};

/** Upstream: pkg/registry/resource/resourceclaimtemplate and ValidateResourceClaimTemplate. */
export const resourceClaimTemplate: KindStrategy = {
  defaults: (object, validation) => withSpec(object, template => withSpec(template, defaultsOf(object, validation))),
  keepsGated: ({ kube }) => !applies(minorChanges.templatesDropGated, kube),
  validate: (object, validation) => {
    const template = structOf(object.spec);
    return [
      ...namespacedMeta(object),
      ...templateMeta(template, specPath.child('metadata')),
      ...specErrors(object, structOf(template.spec), specPath.child('spec'), validation),
    ];
  },
};

function defaultsOf(object: JsonObject, validation: Validation): (spec: JsonObject) => JsonObject {
  return isFlat(object) ? spec => flatDefaults(spec, defaultCount, validation) : defaultRequests;
}

/** The errors of a claim's spec in the shape of the object's version. */
function specErrors(
  object: JsonObject,
  spec: JsonObject,
  at: FieldPath,
  validation: Validation,
): readonly FieldError[] {
  const nested = isFlat(object) ? nestedRequests(spec, validation) : spec;
  return flatPaths(olderClaimErrors(claimSpec(nested, at, validation), validation.kube), validation);
}

function withSpec(object: JsonObject, change: (spec: JsonObject) => JsonObject): JsonObject {
  return isSet(object.spec) ? { ...object, spec: change(structOf(object.spec)) } : object;
}

function defaultRequests(spec: JsonObject): JsonObject {
  const devices = structOf(spec.devices);
  if (!hasItems(devices.requests)) return spec;
  const requests = asList(devices.requests).map(item => {
    const request = structOf(item);
    return {
      ...request,
      ...(isSet(request.exactly) ? { exactly: defaultCount(request.exactly) } : {}),
      ...(isSet(request.firstAvailable) ? { firstAvailable: asList(request.firstAvailable).map(defaultCount) } : {}),
    };
  });
  return { ...spec, devices: { ...devices, requests } };
}

function defaultCount(item: JsonValue): JsonObject {
  const request = structOf(item);
  const allocationMode = textOf(request.allocationMode) || 'ExactCount';
  const counted = allocationMode === 'ExactCount' && numberOf(request.count) === 0;
  return { ...request, allocationMode, ...(counted ? { count: 1 } : {}) };
}

function claimSpec(spec: JsonObject, at: FieldPath, validation: Validation): readonly FieldError[] {
  const devices = structOf(spec.devices);
  const claim: Claim = {
    names: requestNames(devices),
    constrained: constrainedAttributes(asList(devices.constraints)),
    consumable: validation.isOn('DRAConsumableCapacity') ? 'on' : 'off',
    compiler: validation.kube.cel.selectors,
    attributeName: attributeNameOf(validation.kube),
    generated: applies(minorChanges.requestsDeclared, validation.kube) ? 'on' : 'off',
    both: applies(minorChanges.bothRequestsRefused, validation.kube) ? 'refused' : 'checked',
    past: pastItemsOf(validation.kube),
    kube: validation.kube,
  };
  const check = fields({
    requests: list({ most: mostRequests, key: byName, past: claim.past }, (item, itemAt) =>
      deviceRequest(structOf(item), itemAt, claim),
    ),
    constraints: list({ most: mostConstraints, past: claim.past }, (item, itemAt) =>
      constraint(structOf(item), itemAt, claim),
    ),
    config: list({ most: mostConfigs, past: claim.past }, (item, itemAt) => [
      ...requestReferences(structOf(item).requests, itemAt.child('requests'), claim),
      ...deviceConfiguration(item, itemAt, claim.kube),
    ]),
  });
  const detail = 'too complex, total cost of derived attribute CEL expressions in the claim exceeds cost limit';
  const controller = textOf(spec.controller);
  return [
    ...check(devices, at.child('devices')),
    ...(controller === '' ? [] : driverName(controller, at.child('controller'), validation.kube)),
    ...(derivedCost(devices, claim) > mostDerivedCost ? [forbidden(at.child('devices'), detail)] : []),
  ];
}

/** The cost of all derived attributes of a claim together. */
function derivedCost(devices: JsonObject, { compiler }: Claim): number {
  const bodies = asList(devices.requests)
    .map(structOf)
    .flatMap(it => [structOf(it.exactly), ...asList(it.firstAvailable).map(structOf)]);
  return bodies
    .flatMap(it => asList(it.derivedAttributes))
    .map(it => compiler.compileDerived(textOf(structOf(it).expression)))
    .reduce((sum, it) => sum + ('maxCost' in it ? it.maxCost : 0), 0);
}

function requestNames(devices: JsonObject): RequestNames {
  return new Map(
    asList(devices.requests).map(item => [byName(item), new Set(asList(structOf(item).firstAvailable).map(byName))]),
  );
}

function constrainedAttributes(constraints: readonly JsonValue[]): Claim['constrained'] {
  const pairs = constraints.flatMap(item => {
    const { matchAttribute, distinctAttribute, requests } = structOf(item);
    const attribute = isSet(matchAttribute) ? matchAttribute : distinctAttribute;
    if (!isSet(attribute)) return [];
    const targets = hasItems(requests) ? asList(requests).map(textOf) : [''];
    return targets.map(target => [target, textOf(attribute)] as const);
  });
  const targets = new Set(pairs.map(([target]) => target));
  return new Map([...targets].map(it => [it, new Set(pairs.filter(([target]) => target === it).map(pair => pair[1]))]));
}

function deviceRequest(request: JsonObject, at: FieldPath, claim: Claim): readonly FieldError[] {
  const name = textOf(request.name);
  const isBoth = hasItems(request.firstAvailable) && isSet(request.exactly);
  const both = isBoth && claim.both === 'refused';
  const neither = !hasItems(request.firstAvailable) && !isSet(request.exactly);
  const one = 'exactly one of `exactly` or `firstAvailable` is required';
  // If both are set, the hand-written checks stop, but the generated ones still check each of the two.
  const depth = both ? 'generated' : 'whole';
  const own = [
    ...dnsLabel(name, at.child('name')),
    ...(neither ? [required(at, one)] : []),
    ...(isBoth ? [invalid(at, null, `${one}, but multiple fields are set`)] : []),
  ];
  if (both && claim.generated === 'off') return own;
  return [
    ...own,
    ...list({ most: mostAlternatives, key: byName, past: claim.past }, (item, itemAt) => [
      ...(both ? [] : dnsLabel(byName(item), itemAt.child('name'))),
      ...requiredText(longName)(structOf(item).deviceClassName, itemAt.child('deviceClassName')),
      ...requestBody(structOf(item), itemAt, `${name}/${byName(item)}`, claim, depth),
    ])(request.firstAvailable, at.child('firstAvailable')),
    ...(isSet(request.exactly)
      ? [
          ...(both
            ? []
            : requiredText(dnsSubdomain)(
                structOf(request.exactly).deviceClassName,
                at.child('exactly', 'deviceClassName'),
              )),
          ...requestBody(structOf(request.exactly), at.child('exactly'), name, claim, depth),
        ]
      : []),
  ];
}

function requestBody(
  body: JsonObject,
  at: FieldPath,
  name: string,
  claim: Claim,
  depth: 'whole' | 'generated',
): readonly FieldError[] {
  return [
    ...(depth === 'whole' ? selectors(claim.kube)(body.selectors, at.child('selectors')) : []),
    ...derivedAttributes(body.derivedAttributes, at.child('derivedAttributes'), name, claim),
    ...allocation(body, at, depth),
    ...tolerations(depth, claim.kube)(body.tolerations, at.child('tolerations')),
  ];
}

function allocation(body: JsonObject, at: FieldPath, depth: 'whole' | 'generated'): readonly FieldError[] {
  const mode = textOf(body.allocationMode);
  const count = numberOf(body.count);
  if (mode !== 'All' && mode !== 'ExactCount') {
    return [notSupported(at.child('allocationMode'), mode, ['All', 'ExactCount'])];
  }
  if (depth === 'generated') return [];
  if (mode === 'All' && count !== 0) {
    return [invalid(at.child('count'), count, "must not be specified when allocationMode is 'All'")];
  }
  return mode === 'ExactCount' && count <= 0 ? [invalid(at.child('count'), count, 'must be greater than zero')] : [];
}

function derivedAttributes(value: Value, at: FieldPath, request: string, claim: Claim): readonly FieldError[] {
  if (asList(value).length > mostDerivedAttributes) {
    return [tooManyItems(at, asList(value).length, mostDerivedAttributes)];
  }
  return list({ key: byName }, (item, itemAt) => {
    const name = byName(item);
    const text = textOf(structOf(item).expression);
    const detail =
      'must be referenced by at least one matchAttribute or distinctAttribute constraint targeting this request';
    return [
      ...requiredText(fullyQualifiedName)(name, itemAt.child('name')),
      ...requiredText(expression(it => claim.compiler.compileDerived(it), mostDerivedCost))(
        text,
        itemAt.child('expression'),
      ),
      ...(name !== '' && !isConstrained(name, request, claim) ? [invalid(itemAt.child('name'), name, detail)] : []),
    ];
  })(value, at);
}

function isConstrained(attribute: string, request: string, claim: Claim): boolean {
  const targets = ['', request, request.split('/')[0] ?? ''];
  return targets.some(it => claim.constrained.get(it)?.has(attribute) === true);
}

function constraint(item: JsonObject, at: FieldPath, claim: Claim): readonly FieldError[] {
  const missing = !isSet(item.matchAttribute) && !isSet(item.distinctAttribute);
  const onlyOne = claim.generated === 'off' && isSet(item.matchAttribute);
  return [
    ...requestReferences(item.requests, at.child('requests'), claim),
    ...fields({
      matchAttribute: textPointer(claim.attributeName),
      ...(onlyOne ? {} : { distinctAttribute: textPointer(claim.attributeName) }),
    })(item, at),
    ...(missing
      ? claim.consumable === 'on'
        ? [
            required(
              at,
              'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set',
            ),
          ]
        : [required(at.child('matchAttribute'))]
      : []),
  ];
}

function requestReferences(value: Value, at: FieldPath, claim: Claim): readonly FieldError[] {
  return list({ most: mostRequests, key: textOf, past: claim.past }, (item, itemAt) =>
    reference(textOf(item), itemAt, claim),
  )(value, at);
}

function reference(name: string, at: FieldPath, claim: Claim): readonly FieldError[] {
  const detail =
    "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
  if (!applies(minorChanges.requestsNested, claim.kube)) {
    const isKnown = claim.names.has(name);
    return [
      ...dnsLabel(name, at),
      ...(isKnown ? [] : [invalid(at, name, 'must be the name of a request in the claim')]),
    ];
  }
  const [request = '', alternative, ...more] = name.split('/');
  if (more.length > 0) return [invalid(at, name, detail)];
  const alternatives = claim.names.get(request);
  const known = alternatives !== undefined && (alternative === undefined || alternatives.has(alternative));
  return [
    ...dnsLabel(request, at),
    ...(alternative === undefined ? [] : dnsLabel(alternative, at)),
    ...(known ? [] : [invalid(at, name, detail)]),
  ];
}

/**
 * The API server's errors for `adminAccess` in a namespace without the label for it. They depend on the Namespace,
 * which the strategies do not get. The path has no `exactly` and, for a template, no second `spec`, as in upstream.
 * Upstream: pkg/registry/resource.AuthorizedForAdmin.
 */
export function adminAccessErrors(claimSpec: JsonObject, inRequest: readonly string[]): readonly FieldError[] {
  const requests = asList(structOf(claimSpec.devices).requests);
  const i = requests.findIndex(it => fieldAt(it, ...inRequest) === true);
  const detail =
    'admin access to devices requires the `resource.kubernetes.io/admin-access: true` label on the containing namespace';
  return i < 0 ? [] : [forbidden(specPath.child('devices', 'requests').index(i).child('adminAccess'), detail)];
}
