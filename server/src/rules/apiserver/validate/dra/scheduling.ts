import { asList, type JsonObject, type JsonValue } from '../../../../base/json';
import { largest } from '../../../../base/manyItems';
import type { Kube } from '../../../../kube/kube';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { fieldAt } from '../../../../manifest/valueAt';
import { applies } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';
import { duplicate, type FieldError, invalid, type KindStrategy, required, type Validation } from '../errors';
import {
  all,
  atMost,
  type Check,
  fields,
  hasItems,
  isSet,
  labelKey,
  list,
  longName,
  numberOf,
  oneOf,
  optionalText,
  pathSegmentName,
  pointer,
  requiredAtLeast,
  requiredText,
  shortName,
  structOf,
  textOf,
  textPointer,
  union,
  type Value,
} from './declarative';
import { type DroppedField, dropFields } from './drop';
import { earlyWorkloadErrors } from './earlyWorkload';
import { namespacedMeta, specPath } from './meta';

const highestUserPriority = 1_000_000_000;
const deepestTemplate = 4;
const mostTemplates = 8;
const mostClaims = 4;

const topologyGate = 'TopologyAwareWorkloadScheduling';
const claimsGate = 'DRAWorkloadResourceClaims';
const preemptionGate = 'PodGroupPreemptionPolicy';
const compositeGate = 'CompositePodGroup';

const byName = (item: JsonValue) => textOf(structOf(item).name);

export const topology = pointer(fields({ topology: list({ most: 1 }, fields({ key: requiredText(labelKey) })) }));
export const disruptionMode = pointer(union(['single', 'all']));
const preemptionPolicy = textPointer(oneOf('Never', 'PreemptLowerPriority'));
const podGroupPolicy = all(
  union(['basic', 'gang']),
  fields({ gang: pointer(fields({ minCount: requiredAtLeast(1) })) }),
);
const compositePolicy = all(
  union(['basic', 'gang']),
  fields({ gang: pointer(fields({ minGroupCount: requiredAtLeast(1) })) }),
);

export const resourceClaims = list(
  { most: mostClaims, key: byName },
  all(
    union(['resourceClaimName', 'resourceClaimTemplateName']),
    fields({
      name: requiredText(shortName),
      resourceClaimName: textPointer(longName),
      resourceClaimTemplateName: textPointer(longName),
    }),
  ),
);

const priorityFields = {
  disruptionMode,
  priorityClassName: optionalText(longName),
  priority: atMost(highestUserPriority),
  preemptionPolicy,
};

const podGroupTemplates = list(
  { most: mostTemplates, key: byName },
  fields({
    name: requiredText(shortName),
    schedulingPolicy: podGroupPolicy,
    schedulingConstraints: topology,
    resourceClaims,
    ...priorityFields,
  }),
);

const compositeTemplates: Check<Value> = (value, at) =>
  list(
    { most: mostTemplates, key: byName },
    fields({
      name: requiredText(shortName),
      schedulingPolicy: compositePolicy,
      schedulingConstraints: topology,
      ...priorityFields,
      podGroupTemplates,
      compositePodGroupTemplates: compositeTemplates,
    }),
  )(value, at);

const workloadReference = fields({
  workloadName: requiredText(longName),
  templateName: requiredText(shortName),
});

/** The templates that a Workload must have. */
const templateKinds = (kube: Kube): Check<Value> =>
  applies(minorChanges.compositeTemplates, kube)
    ? union(['podGroupTemplates', 'compositePodGroupTemplates'], hasItems)
    : fields({ podGroupTemplates: (value, at) => (hasItems(value) ? [] : [required(at)]) });

const workloadSpec = fields({
  controllerRef: pointer(
    fields({
      apiGroup: optionalText(longName),
      kind: requiredText(pathSegmentName),
      name: requiredText(pathSegmentName),
    }),
  ),
  podGroupTemplates,
  compositePodGroupTemplates: compositeTemplates,
});

const podGroupSpec = fields({
  parentCompositePodGroupName: textPointer(longName),
  workloadRef: pointer(workloadReference),
  schedulingPolicy: podGroupPolicy,
  schedulingConstraints: topology,
  resourceClaims,
  ...priorityFields,
});

const compositePodGroupSpec = fields({
  parentCompositePodGroupName: textPointer(longName),
  workloadRef: (value, at) => (isSet(value) ? workloadReference(value, at) : [required(at)]),
  schedulingPolicy: compositePolicy,
  schedulingConstraints: topology,
  ...priorityFields,
});

const workloadDrops: readonly DroppedField[] = [
  { gates: [compositeGate], path: 'spec.compositePodGroupTemplates' },
  { gates: [topologyGate], path: 'spec.podGroupTemplates.*.schedulingConstraints' },
  { gates: [claimsGate], path: 'spec.podGroupTemplates.*.resourceClaims' },
  { gates: [preemptionGate], path: 'spec.podGroupTemplates.*.preemptionPolicy' },
  ...nestedTemplateDrops('spec.compositePodGroupTemplates.*', 1),
];

function nestedTemplateDrops(path: string, depth: number): readonly DroppedField[] {
  if (depth > deepestTemplate) return [];
  return [
    { gates: [preemptionGate], path: `${path}.preemptionPolicy` },
    { gates: [topologyGate], path: `${path}.podGroupTemplates.*.schedulingConstraints` },
    { gates: [claimsGate], path: `${path}.podGroupTemplates.*.resourceClaims` },
    { gates: [preemptionGate], path: `${path}.podGroupTemplates.*.preemptionPolicy` },
    ...nestedTemplateDrops(`${path}.compositePodGroupTemplates.*`, depth + 1),
  ];
}

/** Upstream: pkg/registry/scheduling/workload and pkg/apis/scheduling/validation.ValidateWorkload. */
export const workload: KindStrategy = {
  drop: (object, validation) => dropFields(object, workloadDrops, validation),
  validate: (object, { kube }) => {
    const spec = fieldAt(object, 'spec');
    if (object.apiVersion === 'scheduling.k8s.io/v1alpha1')
      return [...namespacedMeta(object), ...earlyWorkloadErrors(spec)];
    return [
      ...namespacedMeta(object),
      ...sharedNames(structOf(spec)),
      ...tooDeep(structOf(spec)),
      ...differentPriorities(structOf(spec)),
      ...childless(structOf(spec).compositePodGroupTemplates, specPath.child('compositePodGroupTemplates')),
      ...templateKinds(kube)(spec, specPath),
      ...workloadSpec(spec, specPath),
    ];
  },
};

/** Upstream: pkg/registry/scheduling/podgroup and pkg/apis/scheduling/validation.ValidatePodGroup. */
export const podGroup: KindStrategy = {
  defaults: defaultPreemptionPolicy,
  drop: (object, validation) =>
    dropFields(
      object,
      [
        { gates: [], path: 'status' },
        { gates: [topologyGate], path: 'spec.schedulingConstraints' },
        { gates: [claimsGate], path: 'spec.resourceClaims' },
        { gates: [preemptionGate], path: 'spec.preemptionPolicy' },
        { gates: [compositeGate], path: 'spec.parentCompositePodGroupName' },
      ],
      validation,
    ),
  validate: object => {
    const spec = structOf(fieldAt(object, 'spec'));
    const orphan = isSet(spec.parentCompositePodGroupName) && !isSet(spec.workloadRef);
    return [
      ...namespacedMeta(object),
      ...(orphan
        ? [required(specPath.child('workloadRef'), 'must be set when parentCompositePodGroupName is set')]
        : []),
      ...podGroupSpec(spec, specPath),
    ];
  },
};

/** Upstream: pkg/registry/scheduling/compositepodgroup and ValidateCompositePodGroup. */
export const compositePodGroup: KindStrategy = {
  defaults: defaultPreemptionPolicy,
  drop: (object, validation) =>
    dropFields(
      object,
      [
        { gates: [], path: 'status' },
        { gates: [preemptionGate], path: 'spec.preemptionPolicy' },
      ],
      validation,
    ),
  validate: object => [...namespacedMeta(object), ...compositePodGroupSpec(fieldAt(object, 'spec'), specPath)],
};

function defaultPreemptionPolicy(object: JsonObject, validation: Validation): JsonObject {
  const spec = structOf(object.spec);
  if (!validation.isOn(preemptionGate) || isSet(spec.preemptionPolicy)) return object;
  return { ...object, spec: { ...spec, preemptionPolicy: 'PreemptLowerPriority' } };
}

/** A name must be unique in the whole tree; within one list the generated check reports it. */
function sharedNames(spec: JsonObject): readonly FieldError[] {
  const seen = new Set(asList(spec.podGroupTemplates).map(byName));
  return compositeNames(spec, specPath, seen);
}

function compositeNames(parent: JsonObject, at: FieldPath, seen: Set<string>): readonly FieldError[] {
  const below = at.child('compositePodGroupTemplates');
  const children = asList(parent.compositePodGroupTemplates);
  const errors = namesSeen(children, below, seen);
  return [
    ...errors,
    ...children.flatMap((child, i) => {
      const template = structOf(child);
      const groups = asList(template.podGroupTemplates);
      const own = namesSeen(groups, below.index(i).child('podGroupTemplates'), seen);
      return [...own, ...compositeNames(template, below.index(i), seen)];
    }),
  ];
}

function namesSeen(items: readonly JsonValue[], at: FieldPath, seen: Set<string>): readonly FieldError[] {
  const names = items.map(byName);
  const errors = names.flatMap((it, i) => (seen.has(it) ? [duplicate(at.index(i).child('name'), it)] : []));
  for (const name of names) seen.add(name);
  return errors;
}

function tooDeep(spec: JsonObject): readonly FieldError[] {
  const at = specPath.child('compositePodGroupTemplates');
  return asList(spec.compositePodGroupTemplates).flatMap((template, i) =>
    depthOf(template) < deepestTemplate
      ? []
      : [
          invalid(
            at.index(i),
            structOf(template).compositePodGroupTemplates ?? [],
            `maximum template hierarchy depth is ${deepestTemplate}`,
          ),
        ],
  );
}

function depthOf(template: JsonValue): number {
  return 1 + Math.max(0, largest(asList(structOf(template).compositePodGroupTemplates).map(depthOf)));
}

function differentPriorities(spec: JsonObject): readonly FieldError[] {
  const groups = asList(spec.podGroupTemplates).map(priorityKey);
  if (new Set(groups).size > 1) return [invalid(specPath, null, 'detected multiple priority configurations')];
  const composites = asList(spec.compositePodGroupTemplates).flatMap(priorityKeys);
  if (new Set([...groups, ...composites]).size <= 1) return [];
  const detail = 'all priority and priorityClassName values must be identical, detected multiple values';
  return [invalid(specPath, null, detail)];
}

function priorityKeys(template: JsonValue): readonly string[] {
  const { compositePodGroupTemplates, podGroupTemplates } = structOf(template);
  return [
    priorityKey(template),
    ...asList(compositePodGroupTemplates).flatMap(priorityKeys),
    ...asList(podGroupTemplates).map(priorityKey),
  ];
}

function priorityKey(template: JsonValue): string {
  const { priority, priorityClassName } = structOf(template);
  return JSON.stringify([textOf(priorityClassName), isSet(priority) ? numberOf(priority) : null]);
}

function childless(templates: Value, at: FieldPath): readonly FieldError[] {
  return asList(templates).flatMap((item, i) => {
    const template = structOf(item);
    const none = !hasItems(template.podGroupTemplates) && !hasItems(template.compositePodGroupTemplates);
    const detail = 'must have at least one child PodGroupTemplate or CompositePodGroupTemplate';
    return [
      ...(none ? [invalid(at.index(i), textOf(template.name), detail)] : []),
      ...childless(template.compositePodGroupTemplates, at.index(i).child('compositePodGroupTemplates')),
    ];
  });
}
