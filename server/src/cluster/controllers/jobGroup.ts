import type { UnknownObject } from '../../base/json';
import { groupOf } from '../../kube/apiVersion';
import type { JobSpec, ObjectMeta } from '../../kube/types';
import { controllerRef, type WorkloadObject, type World } from './controller';

/**
 * Names the template of the parent's Workload from which a Job's PodGroup is made. Upstream:
 * GroupTemplateNameAnnotation.
 */
const TEMPLATE = 'scheduling.k8s.io/group-template-name';

interface Template {
  readonly name?: string;
  readonly schedulingPolicy?: { readonly gang?: { readonly minCount?: number } };
}

interface WrittenWorkload {
  readonly metadata?: ObjectMeta;
  readonly spec?: {
    readonly controllerRef?: { readonly apiGroup?: string; readonly kind?: string; readonly name?: string };
    readonly podGroupTemplates?: readonly Template[];
  };
}

interface Scheduling extends Template {
  readonly schedulingConstraints?: unknown;
  readonly disruptionMode?: unknown;
  readonly resourceClaims?: unknown;
}

/** The PodGroup of a Job's Pods; `made` when the controller creates it now. */
export interface JobGroup {
  readonly name: string;
  readonly newGroup?: UnknownObject;
}

/**
 * The PodGroup that the Job controller creates for a Job that has not started, or created before. undefined: none; each
 * Pod is scheduled alone. Upstream: getManagementMode, ensureWorkloadAndPodGroup.
 */
export function jobGroup(
  workload: WorkloadObject,
  spec: JobSpec,
  world: World,
  stage: 'not started' | 'started',
): JobGroup | undefined {
  if (!world.isOn('WorkloadWithJob') || workload.template.spec?.schedulingGroup) return undefined;
  const parent = workload.metadata.ownerReferences?.find(it => it.controller === true);
  const delegated = workload.metadata.annotations?.[TEMPLATE];
  if (parent && delegated === undefined) return undefined;
  const [known, ...others] = world.controlled(workload, 'PodGroup') as readonly { readonly metadata?: ObjectMeta }[];
  if (known) return others.length === 0 ? { name: known.metadata?.name ?? '' } : undefined;
  if (stage === 'started') return undefined;
  if (!parent) return newGroup(workload, `${workload.name}-workload`, templateOf(workload, spec));
  const group = groupOf(parent.apiVersion ?? '');
  const theirs = (world.workloads(workload.namespace) as readonly WrittenWorkload[]).find(({ spec: it }) => {
    const ref = it?.controllerRef;
    return (ref?.apiGroup ?? '') === group && ref?.kind === parent.kind && ref?.name === parent.name;
  });
  const template = theirs?.spec?.podGroupTemplates?.find(it => it.name === delegated);
  return template && newGroup(workload, theirs?.metadata?.name ?? '', template);
}

/** The basic policy by default; a gang has the size of the parallelism. Upstream: WorkloadItemForJob. */
function templateOf({ name, template }: WorkloadObject, { parallelism = 1, ...spec }: JobSpec): Template {
  const { schedulingPolicy, ...written } = (spec.scheduling ?? {}) as Scheduling;
  const { gang } = schedulingPolicy ?? {};
  const minCount = gang?.minCount ?? Math.max(1, parallelism);
  const { priorityClassName } = template.spec ?? {};
  return {
    name: `${name}-pgt-0`,
    ...(priorityClassName !== undefined && { priorityClassName }),
    ...written,
    schedulingPolicy: gang ? { gang: { minCount } } : ({ basic: {} } as Template['schedulingPolicy'] & object),
  };
}

/** Upstream: workloadbuilder.NewPodGroup. The real name ends in a hash. */
function newGroup(workload: WorkloadObject, workloadName: string, { name: templateName, ...spec }: Template): JobGroup {
  const name = `${workload.name}-group`;
  const group = {
    apiVersion: 'scheduling.k8s.io/v1beta1',
    kind: 'PodGroup',
    metadata: { name, namespace: workload.namespace, ownerReferences: [controllerRef(workload)] },
    spec: { workloadRef: { workloadName, templateName }, ...spec },
  };
  return { name, newGroup: group };
}
