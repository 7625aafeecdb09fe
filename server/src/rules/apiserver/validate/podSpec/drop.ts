import type { JsonObject, JsonValue } from '../../../../base/json';
import { get, has, mapField, mapItems, record, records, text, withField, without } from '../../../../kube/goFields';
import type { FieldPath } from '../../../../manifest/fieldPath';
import type { Validation } from '../errors';
import type { Dropped } from '../gatedFields';

/**
 * A Pod or a template (an object with `metadata` and `spec`) without the fields that the API server removes on create,
 * and the paths of those. `at` is the template's path, empty for a Pod. Fields that depend only on a gate are not here:
 * `dropGatedFields` removes them from every kind. Upstream: pkg/api/pod.DropDisabledTemplateFields.
 */
export function dropDisabledFields(template: JsonObject, at: FieldPath, validation: Validation): Dropped {
  const drops = SPECIAL_DROPS.filter(it => it.applies(validation));
  return drops.reduce<Dropped>(
    (before, { drop }) => {
      const after = drop(before.object, at, validation);
      return { object: after.object, dropped: [...before.dropped, ...after.dropped] };
    },
    { object: template, dropped: [] },
  );
}

interface SpecialDrop {
  applies(validation: Validation): boolean;
  readonly drop: (template: JsonObject, at: FieldPath, validation: Validation) => Dropped;
}

/** Whether this minor has the gate and it is off; a minor without the gate does not check it. */
function isOff({ kube, isOn }: Validation, gate: string): boolean {
  return kube.gate(gate) !== undefined && !isOn(gate);
}

const SPECIAL_DROPS: readonly SpecialDrop[] = [
  {
    applies: it => isOff(it, 'ContainerRestartRules') || isOff(it, 'SidecarContainers'),
    drop: inSpec(dropRestartPolicies),
  },
  { applies: it => isOff(it, 'ImageVolume'), drop: inSpec(dropImageVolumes) },
  { applies: it => isOff(it, 'ContainerStopSignals'), drop: inSpec(dropLoneStopSignals) },
  { applies: it => isOff(it, 'ProcMountType'), drop: template => ({ object: maskProc(template), dropped: [] }) },
  { applies: () => true, drop: dropInitContainerAnnotations },
];

type SpecDrop = (spec: JsonObject, at: FieldPath, validation: Validation) => Dropped;

function inSpec(drop: SpecDrop): SpecialDrop['drop'] {
  return (template, at, validation) => {
    const spec = record(template, 'spec');
    if (spec === undefined) return { object: template, dropped: [] };
    const { object, dropped } = drop(spec, at.child('spec'), validation);
    return object === spec ? { object: template, dropped } : { object: { ...template, spec: object }, dropped };
  };
}

const CONTAINERS = ['initContainers', 'containers', 'ephemeralContainers'] as const;
type ContainerList = (typeof CONTAINERS)[number];

/** The spec with some containers changed; `change` returns the same container if it does not change it. */
function changeContainers(
  spec: JsonObject,
  change: (container: JsonObject, list: ContainerList, index: number) => JsonObject,
): JsonObject {
  return CONTAINERS.reduce((changed, list) => {
    const before = records(spec, list);
    const after = before.map((it, i) => change(it, list, i));
    return after.some((it, i) => it !== before[i]) ? withField(changed, list, after) : changed;
  }, spec);
}

/**
 * An init container keeps `Always`, which makes it a sidecar and has a gate of its own. Upstream:
 * dropContainerRestartRules, and dropDisabledFields of the minors with SidecarContainers.
 */
function dropRestartPolicies(spec: JsonObject, at: FieldPath, validation: Validation): Dropped {
  const dropped: FieldPath[] = [];
  const isKept = (policy: JsonValue, list: ContainerList) => {
    if (list === 'ephemeralContainers') return true;
    if (list === 'initContainers' && isOff(validation, 'SidecarContainers')) return false;
    return !isOff(validation, 'ContainerRestartRules') || (list === 'initContainers' && policy === 'Always');
  };
  const object = changeContainers(spec, (it, list, i) => {
    const policy = get(it, 'restartPolicy');
    if (policy === undefined || isKept(policy, list)) return it;
    dropped.push(at.child(list).index(i).child('restartPolicy'));
    return without(it, 'restartPolicy');
  });
  return { object, dropped };
}

/** Image volumes are removed as a whole, together with their mounts. Upstream: dropImageVolumes. */
function dropImageVolumes(spec: JsonObject, at: FieldPath): Dropped {
  const names = new Set(
    records(spec, 'volumes')
      .filter(it => has(it, 'image'))
      .map(it => text(it, 'name')),
  );
  if (names.size === 0) return { object: spec, dropped: [] };
  const dropped: FieldPath[] = [];
  const withoutVolumes = withoutItems(spec, 'volumes', it => has(it, 'image'), at, dropped);
  const object = changeContainers(withoutVolumes, (container, list, i) =>
    withoutItems(container, 'volumeMounts', it => names.has(text(it, 'name')), at.child(list).index(i), dropped),
  );
  return { object, dropped };
}

/** The object without some items of a list. Upstream removes a list that becomes empty. */
function withoutItems(
  of: JsonObject,
  name: string,
  isDropped: (item: JsonObject) => boolean,
  at: FieldPath,
  dropped: FieldPath[],
): JsonObject {
  const list = records(of, name);
  const kept = list.filter(it => !isDropped(it));
  if (kept.length === list.length) return of;
  if (kept.length === 0) {
    dropped.push(at.child(name));
    return without(of, name);
  }
  for (const [i, it] of list.entries()) if (isDropped(it)) dropped.push(at.child(name).index(i));
  return { ...of, [name]: kept };
}

/** A lifecycle with nothing but a stop signal is removed with it. Upstream: dropContainerStopSignals. */
function dropLoneStopSignals(spec: JsonObject, at: FieldPath): Dropped {
  const dropped: FieldPath[] = [];
  const object = changeContainers(spec, (it, list, i) => {
    const lifecycle = record(it, 'lifecycle');
    if (!has(lifecycle, 'stopSignal') || has(lifecycle, 'postStart') || has(lifecycle, 'preStop')) return it;
    dropped.push(at.child(list).index(i).child('lifecycle'));
    return without(it, 'lifecycle');
  });
  return { object, dropped };
}

/** Not removed but set to its value without the gate. Upstream: dropDisabledProcMountField. */
function maskProc(template: JsonObject): JsonObject {
  const maskContainer = (container: JsonObject) =>
    mapField(container, 'securityContext', it => (has(it, 'procMount') ? { ...it, procMount: 'Default' } : it));
  return mapField(template, 'spec', spec => CONTAINERS.reduce((it, list) => mapItems(it, list, maskContainer), spec));
}

const INIT_CONTAINER_ANNOTATIONS = ['init-containers', 'init-container-statuses'].flatMap(it => [
  `pod.beta.kubernetes.io/${it}`,
  `pod.alpha.kubernetes.io/${it}`,
]);

/** Upstream: DropInitContainerAnnotations. */
function dropInitContainerAnnotations(template: JsonObject, at: FieldPath): Dropped {
  const annotations = record(record(template, 'metadata'), 'annotations');
  const written = INIT_CONTAINER_ANNOTATIONS.filter(it => annotations !== undefined && Object.hasOwn(annotations, it));
  if (written.length === 0) return { object: template, dropped: [] };
  const object = mapField(template, 'metadata', metadata =>
    mapField(metadata, 'annotations', it => written.reduce(without, it)),
  );
  return { object, dropped: written.map(it => at.child('metadata', 'annotations').key(it)) };
}
