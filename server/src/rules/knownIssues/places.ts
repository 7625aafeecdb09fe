import { asObject, type JsonObject, type JsonValue } from '../../base/json';
import { lazyByText } from '../../base/lazy';
import { FieldPath, type Segment } from '../../manifest/fieldPath';
import { valueAt } from '../../manifest/valueAt';
import type { RuleTarget } from '../framework/rule';
import { podSpecOf } from '../reading/podSpec';

/** A value of an object, and its path. */
export interface Place {
  readonly value: JsonValue;
  readonly at: FieldPath;
}

/** A step of a pattern: fields by name, or all items of a list and all entries of a map. */
type Step = readonly string[] | 'all';

/**
 * The values at a pattern: `object.spec`, `pod.{containers,initContainers}[*].env[*].value`, `template.metadata`, where
 * `pod` is the Pod spec of any kind, `template` the Pod or the template with it, and `[*]` stands for all items. None
 * where a step is missing.
 */
export function placesAt(pattern: string, target: RuleTarget): readonly Place[] {
  const [[root] = [], ...steps] = stepsOf(pattern) as readonly (readonly string[])[];
  const start = startOf(root, target);
  return start === undefined
    ? []
    : steps.reduce<readonly Place[]>((places, step) => places.flatMap(next(step)), [start]);
}

/** Whether there may be values at a pattern: whether the object has the fields before its first `[*]` or `{…}`. */
export function mayHave(pattern: string, target: RuleTarget): boolean {
  const { root, fields } = beginningOf(pattern);
  let value: JsonValue | undefined = startValue(root, target);
  for (const field of fields) {
    const object = asObject(value);
    if (object === undefined || !Object.hasOwn(object, field)) return false;
    value = object[field];
  }
  return value !== undefined;
}

/** The root of a pattern, and its fields before the first `[*]` or `{…}`. */
const beginningOf = lazyByText((pattern): { readonly root: string | undefined; readonly fields: readonly string[] } => {
  const [[root] = [], ...steps] = stepsOf(pattern) as readonly (readonly string[])[];
  const names = steps.map((it: Step) => (it !== 'all' && it.length === 1 ? it[0] : undefined));
  const end = names.indexOf(undefined);
  return { root, fields: (end === -1 ? names : names.slice(0, end)).flatMap(it => it ?? []) };
});

function startValue(root: string | undefined, target: RuleTarget): JsonValue | undefined {
  return root === 'object' ? target.value : startOf(root, target)?.value;
}

function startOf(root: string | undefined, target: RuleTarget): Place | undefined {
  if (root === 'object') return { value: target.value, at: FieldPath.root };
  const pod = podSpecOf(target);
  if (pod === undefined || root === 'pod') return pod && { value: pod.spec, at: pod.at };
  const at = pod.at.parent ?? FieldPath.root;
  return { value: valueAt(target.value, at) ?? null, at };
}

const next =
  (step: Step) =>
  ({ value, at }: Place): readonly Place[] => {
    if (step === 'all') {
      return Array.isArray(value)
        ? value.map((it: JsonValue, i) => ({ value: it, at: at.index(i) }))
        : Object.entries(asObject(value) ?? {}).map(([key, it]) => ({ value: it as JsonValue, at: at.key(key) }));
    }
    const object = asObject(value);
    return object === undefined ? [] : step.flatMap(name => fieldOf(object, name, at));
  };

function fieldOf(object: JsonObject, name: string, at: FieldPath): readonly Place[] {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return value === undefined ? [] : [{ value, at: at.child(name) }];
}

const stepsOf = lazyByText((pattern): readonly Step[] => readPattern(pattern) ?? []);

/** The steps of a pattern; undefined for another text. */
export function readPattern(pattern: string): readonly Step[] | undefined {
  if (!/^(?:object|pod|template)(?:\.\w+|\.\{\w+(?:,\w+)*\}|\.?\[\*\])*$/.test(pattern)) return undefined;
  const words = pattern.match(/\w+|\{[^}]*\}|\[\*\]/g) ?? [];
  return words.map(it => (it === '[*]' ? 'all' : it.replace(/[{}]/g, '').split(',')));
}

/** A path below a place: `valueFrom.secretKeyRef`, `metadata.annotations[example.com/key]`. */
export function markedAt(at: FieldPath, mark: string | undefined): FieldPath {
  const words = mark?.match(/\[[^\]]*\]|[^.[\]]+/g) ?? [];
  const steps = words.map((it): Segment => (it.startsWith('[') ? { key: it.slice(1, -1) } : it));
  return FieldPath.of(...at.segments, ...steps);
}

/** Whether a value has a field: `lifecycle.postStart.sleep`. */
export function isSet(value: JsonValue, field: string): boolean {
  return valueAt(value, fieldOfText(field)) !== undefined;
}

const fieldOfText = lazyByText(it => markedAt(FieldPath.root, it));
