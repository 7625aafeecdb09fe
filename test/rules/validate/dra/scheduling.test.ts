import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../server/src/base/json';
import { answer } from './support';

const metadata = { name: 'training', namespace: 'lab' };
const gang = { gang: { minCount: 4 } };
const workers = { name: 'workers', schedulingPolicy: gang };
const workloadRef = { workloadName: 'training', templateName: 'workers' };

const cases: readonly (readonly [string, string, JsonObject, readonly string[]])[] = [
  ['Workload', 'one template', { podGroupTemplates: [workers] }, []],
  [
    'Workload',
    'no template',
    {},
    ['FieldValueInvalid spec: must specify one of: `podGroupTemplates`, `compositePodGroupTemplates`'],
  ],
  [
    'Workload',
    'two templates of a name',
    { podGroupTemplates: [workers, workers] },
    ['FieldValueDuplicate spec.podGroupTemplates[1]: '],
  ],
  [
    'Workload',
    'two priorities',
    { podGroupTemplates: [workers, { ...workers, name: 'leader', priority: 5 }] },
    ['FieldValueInvalid spec: detected multiple priority configurations'],
  ],
  [
    'Workload',
    'a controller without a name',
    { controllerRef: { kind: 'a/b' }, podGroupTemplates: [workers] },
    ["FieldValueInvalid spec.controllerRef.kind: may not contain '/'", 'FieldValueRequired spec.controllerRef.name: '],
  ],
  ['PodGroup', 'a gang', { schedulingPolicy: gang, workloadRef }, []],
  [
    'PodGroup',
    'a gang of nobody',
    { schedulingPolicy: { gang: { minCount: 0 } } },
    ['FieldValueRequired spec.schedulingPolicy.gang.minCount: '],
  ],
  [
    'PodGroup',
    'a gang of less than nobody',
    { schedulingPolicy: { gang: { minCount: -1 } } },
    ['FieldValueInvalid spec.schedulingPolicy.gang.minCount: must be greater than or equal to 1'],
  ],
  [
    'PodGroup',
    'two policies',
    { schedulingPolicy: { basic: {}, ...gang } },
    ['FieldValueInvalid spec.schedulingPolicy: must specify exactly one of: `basic`, `gang`'],
  ],
  [
    'PodGroup',
    'no policy',
    { priority: 2_000_000_000 },
    [
      'FieldValueInvalid spec.schedulingPolicy: must specify one of: `basic`, `gang`',
      'FieldValueInvalid spec.priority: must be less than or equal to 1000000000',
    ],
  ],
  [
    'CompositePodGroup',
    'no workload',
    { schedulingPolicy: { gang: { minGroupCount: 2 } } },
    ['FieldValueRequired spec.workloadRef: '],
  ],
  [
    'CompositePodGroup',
    'two levels of topology',
    {
      workloadRef,
      schedulingPolicy: { basic: {} },
      schedulingConstraints: { topology: [{ key: 'a' }, { key: 'b' }] },
    },
    ['FieldValueTooMany spec.schedulingConstraints.topology: must have at most 1 item'],
  ],
];

describe('scheduling.k8s.io', () => {
  it.each(cases)('%s: %s', (kind, _, spec, errors) => {
    expect(answer(`scheduling.k8s.io/${kind}`, { metadata, spec }).errors).toEqual(errors);
  });

  it('drops fields whose gates are off', () => {
    const spec = {
      schedulingPolicy: gang,
      schedulingConstraints: { topology: [{ key: 'rack' }] },
      preemptionPolicy: 'Never',
      resourceClaims: [{ name: 'a', resourceClaimName: 'a' }],
    };
    expect(answer('scheduling.k8s.io/PodGroup', { metadata, spec }).dropped).toEqual([
      'spec.schedulingConstraints',
      'spec.resourceClaims',
      'spec.preemptionPolicy',
    ]);
  });

  it('counts the levels of templates if composite groups are on', () => {
    const composite = (name: string, more: JsonObject): JsonObject => ({
      name,
      schedulingPolicy: { basic: {} },
      ...more,
    });
    const deep = ['b', 'c', 'd'].reduce<JsonObject>(
      (inner, name) => composite(name, { compositePodGroupTemplates: [inner] }),
      composite('a', { podGroupTemplates: [workers] }),
    );
    const gates = { CompositePodGroup: true, TopologyAwareWorkloadScheduling: true, GenericWorkload: true };
    const spec = { compositePodGroupTemplates: [deep] };
    expect(answer('scheduling.k8s.io/Workload', { metadata, spec }, gates).errors).toEqual([
      'FieldValueInvalid spec.compositePodGroupTemplates[0]: maximum template hierarchy depth is 4',
    ]);
  });
});
