import { asInteger, asObjects, asText, objectOrEmpty, type UnknownObject } from '../../../base/json';
import { t } from '../../../base/l10n';
import { isDeschedulerPolicy } from '../../../descheduler/policy';
import type { PathStep } from '../../../scheduler/whatIf/edits';
import { TEMPLATE_SPEC, templateSpecOf } from '../template';
import { adding, type Cure, type CureInputs, changing, titleOfObject, together } from './cure';

/** Changes of descheduler policies and of the scheduler's profile that agree with each other. */
export function policyCures({ objects }: CureInputs): readonly Cure[] {
  const ofPolicies = objects
    .filter(isDeschedulerPolicy)
    .flatMap(policy =>
      asObjects(policy.profiles).flatMap((profile, i) => profileCures(policy, profile, ['profiles', i])),
    );
  return [...ofPolicies, ...packingCures(objects)];
}

function profileCures(policy: UnknownObject, profile: UnknownObject, at: readonly PathStep[]): readonly Cure[] {
  const configs = asObjects(profile.pluginConfig);
  const evictor = configs.findIndex(it => it.name === 'DefaultEvictor');
  const list = [...at, 'pluginConfig'];
  const title = t('let the descheduler evict only Pods that fit elsewhere (nodeFit: true)');
  const fit = { name: 'DefaultEvictor', args: { nodeFit: true } };
  const nodeFit =
    evictor < 0
      ? changing(title, policy, list, [...configs, fit])
      : changing(title, policy, [...list, evictor, 'args', 'nodeFit'], true);
  return [nodeFit, ...configs.flatMap((it, i) => pluginCures(policy, it, [...list, i, 'args']))];
}

function pluginCures(policy: UnknownObject, { name, args }: UnknownObject, at: readonly PathStep[]): readonly Cure[] {
  const { constraints, targetThresholds } = objectOrEmpty(args);
  if (name === 'RemovePodsViolatingTopologySpreadConstraint' && Array.isArray(constraints)) {
    const title = t('let the descheduler leave soft spread constraints to the scheduler');
    return constraints.includes('ScheduleAnyway')
      ? [changing(title, policy, [...at, 'constraints'], ['DoNotSchedule'])]
      : [];
  }
  if (name !== 'LowNodeUtilization') return [];
  return Object.entries(objectOrEmpty(targetThresholds)).flatMap(([resource, percent]) => {
    const now = asInteger(percent);
    const higher = now === undefined ? [] : [80, 90, 100].filter(it => it > now);
    return higher.map(it => {
      const title = t`raise the target of ${resource} to ${it} % of a node`;
      return changing(title, policy, [...at, 'targetThresholds', resource], it);
    });
  });
}

const SPREAD_AGAIN = 'RemovePodsViolatingTopologySpreadConstraint';

/** Evicts Pods from where too many of them are, of soft constraints too. */
const SPREADING: UnknownObject = {
  apiVersion: 'descheduler/v1alpha2',
  kind: 'DeschedulerPolicy',
  profiles: [
    {
      name: 'spread',
      pluginConfig: [
        { name: 'DefaultEvictor', args: {} },
        { name: SPREAD_AGAIN, args: { constraints: ['DoNotSchedule', 'ScheduleAnyway'] } },
      ],
      plugins: { balance: { enabled: [SPREAD_AGAIN] } },
    },
  ],
};

/** A descheduler, where there is none. */
export function spreadAgainCures({ objects }: CureInputs): readonly Cure[] {
  return objects.some(isDeschedulerPolicy)
    ? []
    : [adding(t('run the descheduler, which spreads Pods again'), SPREADING)];
}

/** HighNodeUtilization needs a scheduler that fills nodes. */
export function packingCures(objects: readonly UnknownObject[]): readonly Cure[] {
  const found = objects.find(it => it.kind === 'KubeSchedulerConfiguration');
  if (found === undefined) return [];
  return asObjects(found.profiles).flatMap((profile, i) =>
    asObjects(profile.pluginConfig).flatMap((it, j): readonly Cure[] => {
      const strategy = objectOrEmpty(objectOrEmpty(it.args).scoringStrategy);
      if (it.name !== 'NodeResourcesFit' || strategy.type === 'MostAllocated') return [];
      const at = ['profiles', i, 'pluginConfig', j, 'args', 'scoringStrategy', 'type'];
      return [changing(t('let the scheduler fill nodes (MostAllocated)'), found, at, 'MostAllocated')];
    }),
  );
}

/** A template that does not name its node, or that tolerates the taints that drive its Pods off. */
export function taintCures({ objects, workloads }: CureInputs): readonly Cure[] {
  const taints = objects
    .filter(it => it.kind === 'Node')
    .flatMap(it => asObjects(objectOrEmpty(it.spec).taints))
    .filter(it => it.effect === 'NoExecute');
  return workloads.flatMap(({ source }): readonly Cure[] => {
    const { nodeName, tolerations } = templateSpecOf(source);
    const name = titleOfObject(source);
    if (nodeName === undefined) return [];
    const keys = [...new Set(taints.flatMap(it => asText(it.key) ?? []))];
    const free = changing(t`leave nodeName out of ${name}`, source, [...TEMPLATE_SPEC, 'nodeName'], undefined);
    const borne = keys.map(key => ({ key, operator: 'Exists', effect: 'NoExecute' }));
    const title = t`let ${name} tolerate ${keys.join(', ')}`;
    return keys.length === 0
      ? [free]
      : [free, changing(title, source, [...TEMPLATE_SPEC, 'tolerations'], [...asObjects(tolerations), ...borne])];
  });
}

/** The same change of each spread constraint of a workload that it changes. */
export function spreadCures(workload: UnknownObject, change: Readonly<Record<string, string>>): readonly Cure[] {
  const constraints = asObjects(templateSpecOf(workload).topologySpreadConstraints);
  const [[field, value] = ['', '']] = Object.entries(change);
  const at = [...TEMPLATE_SPEC, 'topologySpreadConstraints'];
  const cures = constraints.flatMap((it, i) =>
    it[field] === value ? [] : [changing('', workload, [...at, i, field], value)],
  );
  return cures.length === 0 ? [] : [together(t`let ${titleOfObject(workload)} spread with ${field}: ${value}`, cures)];
}
