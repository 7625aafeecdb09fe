import { keyText } from './collections';
import { type Meter, spend } from './meter';
import {
  CelFailure,
  CelList,
  CelMap,
  CelOptional,
  CelUint,
  type CelValue,
  isFailure,
  NONE,
  noOverload,
  typeName,
} from './values';

/** The variables of an evaluation, and its cost. */
export interface Frame {
  readonly meter: Meter;
  lookup(name: string): CelValue | undefined;
}

/** A part of an expression, planned once. Its `run` spends what upstream's observer counts for it. */
export interface PlannedStep {
  run(frame: Frame): CelValue;
  /** The value of a part that is the same in every evaluation. */
  readonly constant?: CelValue;
  readonly attribute?: Attribute;
}

/** Where a chain of selections begins. Upstream: interpreter.absoluteAttribute, relativeAttribute, conditionalAttribute. */
export type Attribute =
  | { readonly of: 'variable'; readonly name: string; readonly path: readonly Qualifier[] }
  | { readonly of: 'value'; readonly step: PlannedStep; readonly path: readonly Qualifier[] }
  | { readonly of: 'choice'; readonly condition: PlannedStep; readonly yes: Attribute; readonly no: Attribute };

/** One selection. `test` asks only whether there is a value. */
export interface Qualifier {
  readonly key: { readonly constant: CelValue } | { readonly attribute: Attribute } | { readonly step: PlannedStep };
  readonly use: 'value' | 'optional' | 'test';
}

export function qualified(attribute: Attribute, more: Qualifier): Attribute {
  if (attribute.of !== 'choice') return { ...attribute, path: [...attribute.path, more] };
  return { ...attribute, yes: qualified(attribute.yes, more), no: qualified(attribute.no, more) };
}

/** Upstream: Attribute.Resolve. */
export function resolve(attribute: Attribute, frame: Frame): CelValue {
  if (attribute.of === 'choice') {
    const chosen = attribute.condition.run(frame);
    if (typeof chosen === 'boolean') return resolve(chosen ? attribute.yes : attribute.no, frame);
    return isFailure(chosen) ? chosen : noOverload();
  }
  const value =
    attribute.of === 'value'
      ? attribute.step.run(frame)
      : (frame.lookup(attribute.name) ?? new CelFailure(`no such attribute(s): ${attribute.name}`));
  return isFailure(value) || attribute.path.length === 0 ? value : followed(value, attribute.path, frame);
}

/** Upstream: applyQualifiers. */
function followed(start: CelValue, path: readonly Qualifier[], frame: Frame): CelValue {
  let value = start;
  let isOptional = false;
  if (value instanceof CelOptional) {
    if (value.value === undefined) return value;
    value = value.value;
    isOptional = true;
  }
  for (const qualifier of path) {
    isOptional ||= qualifier.use === 'optional';
    const next = isOptional ? ifPresent(qualifier, value, frame) : selected(qualifier, value, frame);
    if (next === undefined) return NONE;
    if (isFailure(next)) return next;
    value = next;
  }
  return isOptional ? new CelOptional(value) : value;
}

function selected({ key, use }: Qualifier, of: CelValue, frame: Frame): CelValue {
  const found = partOf(of, keyValue(key, frame), use === 'test' ? 'presence' : 'required');
  spend(frame.meter, 1);
  return use === 'test' && !(found !== undefined && isFailure(found)) ? found !== undefined : (found ?? null);
}

/** undefined if there is none, which costs nothing. */
function ifPresent({ key }: Qualifier, of: CelValue, frame: Frame): CelValue | undefined {
  const found = partOf(of, keyValue(key, frame), 'presence');
  if (found !== undefined && !isFailure(found)) spend(frame.meter, 1);
  return found;
}

function keyValue(key: Qualifier['key'], frame: Frame): CelValue {
  if ('constant' in key) return key.constant;
  return 'step' in key ? key.step.run(frame) : resolve(key.attribute, frame);
}

const KEYS: ReadonlySet<string> = new Set(['string', 'int', 'uint', 'bool', 'double']);

/** An entry or an item; undefined where its presence is asked for and there is none. Upstream: refQualify. */
function partOf(of: CelValue, key: CelValue, mode: 'presence' | 'required'): CelValue | undefined {
  if (isFailure(key)) return key;
  if (!KEYS.has(typeName(key))) return new CelFailure(`invalid qualifier type: ${typeName(key)}`);
  if (isFailure(of)) return of;
  if (of instanceof CelList) return itemOf(of, key, mode);
  const found = of instanceof CelMap ? of.find(key) : undefined;
  return found === undefined && mode === 'required' ? new CelFailure(`no such key: ${keyText(key)}`) : found;
}

function itemOf(list: CelList, key: CelValue, mode: 'presence' | 'required'): CelValue | undefined {
  const index = key instanceof CelUint ? Number(key.value) : Number(key);
  if (typeof key === 'string' || typeof key === 'boolean') {
    return new CelFailure(`unsupported index type '${typeName(key)}' in list`);
  }
  if (!Number.isInteger(index)) return new CelFailure(`unsupported index value ${keyText(key)} in list`);
  if (index >= 0 && index < list.size) return list.at(index);
  return mode === 'presence' ? undefined : new CelFailure(`index out of bounds: ${keyText(key)}`);
}

/** The attribute as a part of its own: the variable or the value that it begins with counts, a choice does not. */
export function attributeStep(attribute: Attribute): PlannedStep {
  const cost = attribute.of === 'choice' ? 0 : 1;
  return {
    attribute,
    run(frame) {
      const value = resolve(attribute, frame);
      spend(frame.meter, cost);
      return value;
    },
  };
}

/** `has(…)`, whose last selection is the test. Kubernetes takes back what it counts for a variable. */
export function testStep(attribute: Attribute): PlannedStep {
  const cost = attribute.of === 'choice' ? -1 : 0;
  return {
    attribute,
    run(frame) {
      const value = resolve(attribute, frame);
      spend(frame.meter, cost);
      return value instanceof CelOptional ? value.value !== undefined : value;
    },
  };
}
