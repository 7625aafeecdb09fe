import { asObject, type UnknownObject } from '../base/json';
import { podSpecPath } from '../kube/podTemplates';

/**
 * Fields of a PodSpec that change placement, by the gate without which the API server drops them. Upstream:
 * pkg/api/pod.DropDisabledPodFields.
 */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  DynamicResourceAllocation: ['resourceClaims'],
  PodLevelResources: ['resources'],
};

/** The fields of PodSpecs that the API server drops with these gates. */
export function droppedPodFields(isOn: (gate: string) => boolean): readonly string[] {
  return Object.entries(FIELDS).flatMap(([gate, fields]) => (isOn(gate) ? [] : fields));
}

/** A Pod or a workload without some fields of its PodSpec; the same object if it has none of them. */
export function withoutPodFields(object: UnknownObject, fields: readonly string[]): UnknownObject {
  const path = podSpecPath(String(object.kind));
  return path === undefined ? object : without(object, path, fields);
}

function without(value: UnknownObject, path: readonly string[], fields: readonly string[]): UnknownObject {
  const [step, ...rest] = path;
  if (step === undefined) {
    if (fields.every(it => value[it] === undefined)) return value;
    return Object.fromEntries(Object.entries(value).filter(([name]) => !fields.includes(name)));
  }
  const inner = asObject(value[step]);
  const left = inner && without(inner, rest, fields);
  return left === inner ? value : { ...value, [step]: left };
}
