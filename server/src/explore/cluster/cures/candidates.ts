import { asInteger, objectOrEmpty, type UnknownObject } from '../../../base/json';
import { t } from '../../../base/l10n';
import type { ScenarioAnswer } from '../answer';
import { adding, type Cure, type CureInputs, changing, deleting, titleOfObject, together } from './cure';
import { policyCures, spreadAgainCures, spreadCures, taintCures } from './evictionCures';
import { priorityCure } from './priorityCure';

/** Changes that may end a trouble, the smallest first. None of them is tried here. */
export function candidatesFor(answer: ScenarioAnswer, inputs: CureInputs): readonly Cure[] {
  const workload = inputs.workloads.find(it => it.title === answer.about)?.source;
  switch (answer.question) {
    case 'drain':
    case 'twoDrains':
      return [...budgetCures(inputs), ...taintCures(inputs)];
    case 'availability':
      return workload
        ? [
            ...withBudget(workload),
            ...spreadCures(workload, { whenUnsatisfiable: 'DoNotSchedule' }),
            priorityCure(workload, inputs.objects),
            // Pods that run keep their priority, and one that is made again must not preempt them.
            priorityCure(workload, inputs.objects, 'Never'),
          ]
        : [];
    case 'rollout':
      return workload ? [...rolloutCures(workload), priorityCure(workload, inputs.objects)] : [];
    case 'settles':
      return [...policyCures(inputs), ...taintCures(inputs)];
    case 'zoneLoss':
    case 'nodeLoss':
      return inputs.workloads.flatMap(it => [
        ...spreadCures(it.source, { nodeTaintsPolicy: 'Honor' }),
        ...spreadCures(it.source, { whenUnsatisfiable: 'ScheduleAnyway' }),
      ]);
    case 'maximum':
    case 'apply':
    case 'autoscaling':
      return workload ? autoscalerCures(answer, workload, inputs) : [];
    case 'zoneReturn':
    case 'nodeReturn':
      return spreadAgainCures(inputs);
    case 'jobs':
      return suspendCures(inputs);
    case 'parts':
      return [];
  }
}

/** One Job begins once the others are complete. */
function suspendCures({ workloads }: CureInputs): readonly Cure[] {
  const jobs = workloads.filter(it => it.kind === 'Job');
  if (jobs.length < 2) return [];
  return jobs
    .toReversed()
    .map(({ source }) =>
      changing(t`suspend ${titleOfObject(source)} until the others are complete`, source, ['spec', 'suspend'], true),
    );
}

function budgetCures({ objects }: CureInputs): readonly Cure[] {
  const budgets = objects.filter(it => it.kind === 'PodDisruptionBudget');
  const each = budgets.flatMap((it): readonly Cure[] => {
    const { minAvailable, maxUnavailable } = objectOrEmpty(it.spec);
    const name = titleOfObject(it);
    const least = asInteger(minAvailable);
    if (least !== undefined && least > 0) {
      return [changing(t`let ${name} want minAvailable: ${least - 1}`, it, ['spec', 'minAvailable'], least - 1)];
    }
    const one = changing(t`let ${name} allow maxUnavailable: 1`, it, ['spec', 'maxUnavailable'], 1);
    if (maxUnavailable !== undefined) return [one];
    if (minAvailable === undefined) return [];
    return [together(one.title, [changing('', it, ['spec', 'minAvailable'], undefined), one])];
  });
  return [
    ...each,
    ...(budgets.length > 1 ? budgets.toReversed().map(it => deleting(t`delete ${titleOfObject(it)}`, it)) : []),
  ];
}

/** A budget that lets one Pod of a workload go at a time. */
function withBudget(workload: UnknownObject): readonly Cure[] {
  const { name, namespace } = objectOrEmpty(workload.metadata);
  const { selector } = objectOrEmpty(workload.spec);
  if (selector === undefined) return [];
  const budget = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name, ...(namespace !== undefined && { namespace }) },
    spec: { maxUnavailable: 1, selector },
  };
  return [adding(t`add a PodDisruptionBudget with maxUnavailable: 1 for ${titleOfObject(workload)}`, budget)];
}

function rolloutCures(workload: UnknownObject): readonly Cure[] {
  const name = titleOfObject(workload);
  if (workload.kind === 'DaemonSet') {
    const bounds = { maxSurge: 0, maxUnavailable: 1 };
    const title = t`let ${name} roll out with maxSurge: 0 and maxUnavailable: 1`;
    return [changing(title, workload, ['spec', 'updateStrategy', 'rollingUpdate'], bounds)];
  }
  if (workload.kind !== 'Deployment') return [];
  const at = ['spec', 'strategy'];
  return [
    changing(t`let ${name} roll out with maxUnavailable: 1`, workload, [...at, 'rollingUpdate', 'maxUnavailable'], 1),
    changing(t`let ${name} roll out with the strategy Recreate`, workload, at, { type: 'Recreate' }),
  ];
}

function autoscalerCures(
  { question, trouble }: ScenarioAnswer,
  workload: UnknownObject,
  { objects }: CureInputs,
): readonly Cure[] {
  const { name, namespace = 'default' } = objectOrEmpty(workload.metadata);
  const isOf = (field: string) => (it: UnknownObject) => {
    const target = objectOrEmpty(objectOrEmpty(it.spec)[field]);
    const isThere = (objectOrEmpty(it.metadata).namespace ?? 'default') === namespace;
    return isThere && target.kind === workload.kind && target.name === name;
  };
  const horizontal = objects.filter(it => it.kind === 'HorizontalPodAutoscaler').find(isOf('scaleTargetRef'));
  const vertical = objects.filter(it => it.kind === 'VerticalPodAutoscaler').find(isOf('targetRef'));
  if (question === 'apply') {
    return [changing(t`leave replicas out of ${titleOfObject(workload)}`, workload, ['spec', 'replicas'], undefined)];
  }
  if (horizontal === undefined) return [];
  if (question === 'maximum') {
    const { fits } = trouble ?? {};
    return fits === undefined || fits < 1
      ? []
      : [
          changing(
            t`let ${titleOfObject(horizontal)} ask for maxReplicas: ${fits}`,
            horizontal,
            ['spec', 'maxReplicas'],
            fits,
          ),
        ];
  }
  const off =
    vertical &&
    changing(t`let ${titleOfObject(vertical)} recommend only`, vertical, ['spec', 'updatePolicy', 'updateMode'], 'Off');
  const seconds = ['spec', 'behavior', 'scaleUp', 'stabilizationWindowSeconds'];
  const windows = [60, 300].map(it =>
    changing(t`let ${titleOfObject(horizontal)} wait ${it} s before it adds Pods`, horizontal, seconds, it),
  );
  return off ? [off] : windows;
}
