import { asObject, type JsonObject, type JsonValue } from '../../base/json';
import { lazyByObject, lazyByText } from '../../base/lazy';
import { ownOf } from '../../base/ownOf';
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

/**
 * Whether some value at a pattern passes a test, any when there is none. Makes no paths, so that it is the first thing
 * to ask of an object.
 */
export function hasPlace(pattern: string, target: RuleTarget, test?: (value: JsonValue) => boolean): boolean {
  const steps = stepsOf(pattern);
  const [[root] = []] = steps as readonly (readonly string[])[];
  return reaches(startValue(root, target), steps, 1, test);
}

function reaches(
  value: JsonValue | undefined,
  steps: readonly Step[],
  index: number,
  test?: (value: JsonValue) => boolean,
): boolean {
  if (value === undefined) return false;
  const step = steps[index];
  if (step === undefined) return test?.(value) !== false;
  if (step === 'all' && Array.isArray(value)) {
    return value.some((it: JsonValue) => reaches(it, steps, index + 1, test));
  }
  const object = asObject(value);
  if (object === undefined) return false;
  const names = step === 'all' ? Object.keys(object) : step;
  return names.some(it => Object.hasOwn(object, it) && reaches(object[it], steps, index + 1, test));
}

function startValue(root: string | undefined, target: RuleTarget): JsonValue | undefined {
  return root === 'object' ? target.value : startOf(root, target)?.value;
}

/** Asked for each issue. */
const podOf = lazyByObject(podSpecOf);

function startOf(root: string | undefined, target: RuleTarget): Place | undefined {
  if (root === 'object') return { value: target.value, at: FieldPath.root };
  const pod = podOf(target);
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
  const value = ownOf(object, name);
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
