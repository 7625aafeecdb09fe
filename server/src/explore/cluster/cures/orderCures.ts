import { asInteger, asObjects, asText, objectOrEmpty, type UnknownObject } from '../../../base/json';
import { t } from '../../../base/l10n';
import { keyOfRef, refOf } from '../../../scheduler/whatIf/edits';
import type { Blame } from '../blame';
import { TEMPLATE_SPEC } from '../template';
import { adding, type Cure, changing, titleOfObject, together } from './cure';
import { packingCures } from './evictionCures';
import { priorityCure } from './priorityCure';

const GROUP_LABEL = 'scheduling.x-k8s.io/pod-group';
const VOLCANO_ANNOTATION = 'scheduling.volcano.sh/group-name';

/** Fills nodes one after the other. */
const FILLING: UnknownObject = {
  apiVersion: 'kubescheduler.config.k8s.io/v1',
  kind: 'KubeSchedulerConfiguration',
  profiles: [
    {
      schedulerName: 'default-scheduler',
      pluginConfig: [
        {
          name: 'NodeResourcesFit',
          args: {
            scoringStrategy: {
              type: 'MostAllocated',
              resources: [
                { name: 'cpu', weight: 1 },
                { name: 'memory', weight: 1 },
              ],
            },
          },
        },
      ],
      plugins: { score: { disabled: [{ name: 'NodeResourcesBalancedAllocation' }] } },
    },
  ],
};

/** Places the Pods of a PodGroup as a whole. */
const COSCHEDULING: UnknownObject = {
  apiVersion: 'kubescheduler.config.k8s.io/v1',
  kind: 'KubeSchedulerConfiguration',
  profiles: [
    {
      schedulerName: 'default-scheduler',
      plugins: {
        multiPoint: { enabled: [{ name: 'Coscheduling' }] },
        queueSort: { enabled: [{ name: 'Coscheduling' }], disabled: [{ name: '*' }] },
      },
    },
  ],
};

const isConfiguration = (it: UnknownObject): boolean => it.kind === 'KubeSchedulerConfiguration';

/** Changes that may end a deadlock of groups: one of them is placed as a whole. None of them is tried here. */
export function deadlockCandidates(objects: readonly UnknownObject[]): readonly Cure[] {
  const groups = objects.filter(it => it.kind === 'PodGroup');
  const canConfigure = !objects.some(isConfiguration);
  const isOf = (group: string): boolean => groups.some(it => asText(it.apiVersion)?.startsWith(`${group}/`));
  const jobs = objects.filter(it => it.kind === 'Job' && (asInteger(objectOrEmpty(it.spec).parallelism) ?? 1) > 1);
  const areUngrouped = jobs.length > 0 && groups.length === 0;
  return [
    ...(isOf('scheduling.x-k8s.io') && canConfigure
      ? [adding(t('let the scheduler run the plugin Coscheduling'), COSCHEDULING)]
      : []),
    ...(isOf('scheduling.k8s.io') ? [together(t('turn on the gate GenericWorkload'), [withGate(objects)])] : []),
    ...(areUngrouped ? [withNativeGroups(jobs, objects)] : []),
    ...(areUngrouped && canConfigure ? [withCoscheduling(jobs)] : []),
    ...(areUngrouped ? [withVolcano(jobs)] : []),
  ];
}

/** Kueue is not among them: it admits by quota, and how Pods are placed afterwards stays as it was. */
function withVolcano(jobs: readonly UnknownObject[]): Cure {
  const cures = jobs.flatMap(job => {
    const { name } = objectOrEmpty(job.metadata);
    return [
      adding('', groupOf(job, 'scheduling.volcano.sh/v1beta1', { minMember: parallelismOf(job) })),
      changing('', job, ['spec', 'template', 'metadata', 'annotations', VOLCANO_ANNOTATION], name),
      changing('', job, [...TEMPLATE_SPEC, 'schedulerName'], 'volcano'),
    ];
  });
  return together(t('let Volcano place the Pods of each Job as a whole'), cures);
}

const parallelismOf = ({ spec }: UnknownObject): unknown => objectOrEmpty(spec).parallelism;

/** A PodGroup with the name of a Job. */
function groupOf(job: UnknownObject, apiVersion: string, spec: UnknownObject): UnknownObject {
  const { name, namespace } = objectOrEmpty(job.metadata);
  const metadata = { name, ...(namespace !== undefined && { namespace }) };
  return { apiVersion, kind: 'PodGroup', metadata, spec };
}

function withCoscheduling(jobs: readonly UnknownObject[]): Cure {
  const cures = jobs.flatMap(job => [
    adding('', groupOf(job, 'scheduling.x-k8s.io/v1alpha1', { minMember: parallelismOf(job) })),
    changing('', job, ['spec', 'template', 'metadata', 'labels', GROUP_LABEL], objectOrEmpty(job.metadata).name),
  ]);
  return together(t('let Coscheduling place the Pods of each Job as a whole'), [...cures, adding('', COSCHEDULING)]);
}

function withNativeGroups(jobs: readonly UnknownObject[], objects: readonly UnknownObject[]): Cure {
  const cures = jobs.flatMap(job => {
    const schedulingPolicy = { gang: { minCount: parallelismOf(job) } };
    const podGroupName = objectOrEmpty(job.metadata).name;
    return [
      adding('', groupOf(job, 'scheduling.k8s.io/v1beta1', { schedulingPolicy })),
      changing('', job, [...TEMPLATE_SPEC, 'schedulingGroup'], { podGroupName }),
    ];
  });
  const title = t(
    'let each Job be a PodGroup of Kubernetes with the gate GenericWorkload, so that its Pods are placed as a whole',
  );
  return together(title, [...cures, withGate(objects)]);
}

function withGate(objects: readonly UnknownObject[]): Cure {
  const options = objects.find(it => it.kind === 'ScenarioOptions');
  if (options) return changing('', options, ['featureGates', 'GenericWorkload'], true);
  const featureGates = { GenericWorkload: true };
  return adding('', { apiVersion: 'berth.dev/v1alpha1', kind: 'ScenarioOptions', featureGates });
}

/**
 * Changes that may give Pods nodes in every order. `stranded`: names of Pods that have none in some order, NAMESPACE/NAME. None of
 * them is tried here.
 */
export function strandedCandidates(objects: readonly UnknownObject[], stranded: ReadonlySet<string>): readonly Cure[] {
  return [...priorityCures(objects, stranded), ...fillingCures(objects), ...softSpread(objects)];
}

const fillingCures = (objects: readonly UnknownObject[]): readonly Cure[] =>
  objects.some(isConfiguration)
    ? packingCures(objects)
    : [adding(t('let the scheduler fill nodes (MostAllocated)'), FILLING)];

/** The highest class for the Pods that are stranded and have none. */
function priorityCures(objects: readonly UnknownObject[], stranded: ReadonlySet<string>): readonly Cure[] {
  const classes = objects.filter(it => it.kind === 'PriorityClass');
  const [highest] = classes.toSorted((a, b) => (asInteger(b.value) ?? 0) - (asInteger(a.value) ?? 0));
  const name = asText(objectOrEmpty(highest?.metadata).name);
  if (name === undefined) return [];
  const pods = objects.filter(it => {
    const { name: own, namespace } = objectOrEmpty(it.metadata);
    const isMeant = it.kind === 'Pod' && stranded.has(`${asText(namespace) ?? 'default'}/${String(own)}`);
    return isMeant && objectOrEmpty(it.spec).priorityClassName !== name;
  });
  return pods.map(it =>
    changing(t`give ${titleOfObject(it)} the priority ${name}`, it, ['spec', 'priorityClassName'], name),
  );
}

/**
 * Changes that may make the order in which workloads are applied not matter. `blamed`: those that lose by it. None of them is
 * tried here.
 */
export function partsCandidates(objects: readonly UnknownObject[], blamed: readonly Blame[]): readonly Cure[] {
  const losing = new Set(blamed.map(it => keyOfRef(it.object)));
  return [
    ...fillingCures(objects),
    ...objects.filter(it => losing.has(keyOfRef(refOf(it)))).map(it => priorityCure(it, objects)),
  ];
}

function softSpread(objects: readonly UnknownObject[]): readonly Cure[] {
  return objects.flatMap((object): readonly Cure[] => {
    const at = object.kind === 'Pod' ? ['spec'] : TEMPLATE_SPEC;
    const spec = objectOrEmpty(
      object.kind === 'Pod' ? object.spec : objectOrEmpty(objectOrEmpty(object.spec).template).spec,
    );
    const hard = asObjects(spec.topologySpreadConstraints).flatMap((it, i) =>
      it.whenUnsatisfiable === 'ScheduleAnyway' ? [] : [i],
    );
    if (hard.length === 0) return [];
    const soft = hard.map(i =>
      changing('', object, [...at, 'topologySpreadConstraints', i, 'whenUnsatisfiable'], 'ScheduleAnyway'),
    );
    return [together(t`let ${titleOfObject(object)} spread with whenUnsatisfiable: ScheduleAnyway`, soft)];
  });
}
