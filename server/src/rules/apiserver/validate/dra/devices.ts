import { byteLength } from '../../../../base/byteLength';
import { asObject, type JsonObject, type JsonValue } from '../../../../base/json';
import { longestSelector, mostSelectorCost, type SelectorResult } from '../../../../kube/cel/deviceSelector';
import type { Kube } from '../../../../kube/kube';
import { dns1123LabelErrors, dns1123SubdomainErrors, labelValueErrors } from '../../../../kube/names';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { applies } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';
import { type FieldError, forbidden, invalid, required, tooLong } from '../errors';
import { validateLabelName } from '../metadata';
import {
  type Check,
  caselessName,
  complaints,
  isSet,
  labelKey,
  list,
  oneOf,
  optionalText,
  type PastItems,
  structOf,
  textOf,
  type Value,
} from './declarative';

/** Parts that claims, classes and slices share. Upstream: pkg/apis/resource/validation. */

export const mostRequests = 32;
const mostSelectors = 32;
const longestPool = 253;
const longestParameters = 10 * 1024;

/** Upstream: validDeviceTaintEffects. */
export const taintEffect = (kube: Kube): Check<string> =>
  applies(minorChanges.taintEffectNone, kube)
    ? oneOf('NoExecute', 'NoSchedule', 'None')
    : oneOf('NoExecute', 'NoSchedule');

/** A DNS label, with the messages of the older checks. Upstream: corevalidation.ValidateDNS1123Label. */
export const dnsLabel: Check<string> = (name, at) => complaints(dns1123LabelErrors(name), name, at);

/** Upstream: corevalidation.ValidateDNS1123Subdomain. */
export const dnsSubdomain: Check<string> = (name, at) => complaints(dns1123SubdomainErrors(name), name, at);

/** Upstream: corevalidation.ValidateCSIDriverName. */
export const driverName = (name: string, at: FieldPath, kube: Kube): readonly FieldError[] => {
  if (name === '' && applies(minorChanges.emptyDriverOnce, kube)) return [required(at)];
  return [
    ...(name === '' ? [required(at)] : []),
    ...(byteLength(name) > 63 ? [tooLong(at, 63)] : []),
    ...complaints(dns1123SubdomainErrors(name.toLowerCase()), name, at),
  ];
};

export const labelValue: Check<string> = (value, at) => complaints(labelValueErrors(value), value, at);

/** Key and value of a taint. Upstream: validateDeviceTaint, without what the generated checks report. */
export const taintText = (taint: JsonObject, at: FieldPath): readonly FieldError[] => [
  ...validateLabelName(textOf(taint.key), at.child('key')),
  ...optionalText(labelValue)(taint.value, at.child('value')),
];

/** Upstream: validatePoolName. */
export const poolName: Check<string> = (name, at) => {
  if (name === '') return [required(at)];
  return [
    ...(byteLength(name) > longestPool ? [tooLong(at, longestPool)] : []),
    ...name.split('/').flatMap(part => dns1123SubdomainErrors(part).map(it => invalid(at, part, it))),
  ];
};

/** What a minor makes of the items of a list that is too long. */
export function pastItemsOf(kube: Kube): PastItems {
  return applies(minorChanges.longListsSkipped, kube) ? 'skipped' : 'checked';
}

/** `selectors`. Upstream: validateSelectorSlice. */
export const selectors = (kube: Kube): Check<Value> =>
  list({ most: mostSelectors, past: pastItemsOf(kube) }, (item, at) => {
    const { cel } = structOf(item);
    if (!isSet(cel)) return [required(at.child('cel'))];
    const compile = (text: string): SelectorResult => kube.cel.selectors.compile(text);
    const check = applies(minorChanges.selectorsLimited, kube)
      ? expression(compile, mostSelectorCost)
      : compiling(compile);
    return check(textOf(structOf(cel).expression), at.child('cel', 'expression'));
  });

/** A CEL expression: its length, whether it compiles, and its cost. Upstream: validateCELExpression. */
export const expression =
  (compile: (text: string) => SelectorResult, mostCost: number): Check<string> =>
  (text, at) => {
    if (byteLength(text) > longestSelector) return [tooLong(at, longestSelector)];
    const result = compile(text);
    if ('problem' in result) return [invalid(at, text, result.problem)];
    return 'maxCost' in result && result.maxCost > mostCost ? [forbidden(at, 'too complex, exceeds cost limit')] : [];
  };

const compiling =
  (compile: (text: string) => SelectorResult): Check<string> =>
  (text, at) => {
    const result = compile(text);
    return 'problem' in result ? [invalid(at, text, result.problem)] : [];
  };

/** The opaque configuration in one item of `config`. */
export const deviceConfiguration = (config: Value, at: FieldPath, kube: Kube): readonly FieldError[] => {
  const { opaque } = structOf(config);
  if (!isSet(opaque)) return [required(at.child('opaque'))];
  const driver = textOf(structOf(opaque).driver);
  const driverAt = at.child('opaque', 'driver');
  return [
    ...(driver === '' ? driverName(driver, driverAt, kube) : caselessName(63)(driver, driverAt)),
    ...rawObject(structOf(opaque).parameters, at.child('opaque', 'parameters')),
  ];
};

function rawObject(value: Value, at: FieldPath): readonly FieldError[] {
  if (!isSet(value)) return [required(at)];
  if (byteLength(jsonText(value)) > longestParameters) return [tooLong(at, longestParameters)];
  return asObject(value) === undefined ? [invalid(at, '<value omitted>', 'must be a valid JSON object')] : [];
}

function jsonText(value: JsonValue): string {
  return JSON.stringify(value, (_, it) => (typeof it === 'bigint' ? Number(it) : it));
}

/** `tolerations` of a request; an item that the generated checks refuse is still checked by the others. */
export const tolerations = (depth: 'whole' | 'generated', kube: Kube): Check<Value> =>
  list({}, (item, at) => {
    const toleration = structOf(item);
    const operator = textOf(toleration.operator);
    const value = textOf(toleration.value);
    const isWhole = depth === 'whole';
    return [
      ...optionalText(labelKey)(toleration.key, at.child('key')),
      ...tolerationOperator(operator, at.child('operator')),
      ...optionalText(taintEffect(kube))(toleration.effect, at.child('effect')),
      ...(isWhole && operator === 'Exists' && value !== ''
        ? [invalid(at.child('value'), value, 'must be empty for operator `Exists`')]
        : []),
      // An absent operator is Equal by default.
      ...(isWhole && (operator === 'Equal' || operator === '') ? labelValue(value, at.child('value')) : []),
    ];
  });

const tolerationOperator: Check<string> = (operator, at) =>
  operator === '' ? [] : oneOf('Equal', 'Exists')(operator, at);
