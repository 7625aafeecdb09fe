import { asInteger, asObjects, objectOrEmpty, type UnknownObject } from '../../base/json';
import { t } from '../../base/l10n';
import { largest } from '../../base/manyItems';
import type { Resources } from '../../cluster/resources/resources';
import { isDeschedulerPolicy } from '../../descheduler/validate';
import { FieldPath } from '../../manifest/fieldPath';
import type { WorkspaceObject } from '../../workspace/object';
import { change, fixOf } from '../edits/fix';
import { defineRule, type RuleContext } from '../framework/rule';

interface Facts {
  readonly workload: string;
  readonly resource: string;
  readonly percent: number;
  /** Of the biggest node, rounded up. */
  readonly needed: number;
}

export default defineRule<Facts>({
  meta: {
    code: 'descheduler/target-below-one-pod',
    category: 'placement',
    severity: 'warning',
    cost: 'placement',
    summary: 'A Pod asks for more than LowNodeUtilization wants any node to have.',
    why: 'The node that runs it is above the target, whichever it is: the Pod is evicted in each run that finds a node with little use.',
    remedy: 'Raise the target above what the Pod asks for, or leave the Pod out by its namespace or priority.',
    details: 'Workloads and nodes of the workspace are looked at. Silent unless the sizes of the nodes are known.',
    source: {
      project: 'kubernetes-sigs/descheduler',
      symbol: 'nodeutilization.LowNodeUtilization',
      fidelity: 'inspired',
    },
    url: 'https://github.com/kubernetes-sigs/descheduler/issues/1695',
  },
  on: 'any',

  *check({ value }, context) {
    if (!isDeschedulerPolicy(value)) return;
    for (const [i, profile] of asObjects(value.profiles).entries()) {
      if (!isEnabled(profile)) continue;
      for (const [j, { name, args }] of asObjects(profile.pluginConfig).entries()) {
        const { targetThresholds, useDeviationThresholds } = objectOrEmpty(args);
        if (name !== 'LowNodeUtilization' || useDeviationThresholds === true) continue;
        const at = FieldPath.of('profiles', i, 'pluginConfig', j, 'args', 'targetThresholds');
        for (const [resource, percent] of Object.entries(objectOrEmpty(targetThresholds))) {
          const most = asInteger(percent);
          const facts = most === undefined ? undefined : tooBig(resource, most, context);
          if (facts) yield { at: at.child(resource), part: 'value', facts };
        }
      }
    }
  },

  message: ({ facts: { workload, resource, percent, needed } }) =>
    t`a Pod of ${workload} asks for ${needed} % of the ${resource} of the biggest node, so that each node that runs it is above the target of ${percent} %`,

  fixes: ({ at, facts: { needed } }, { object }, _context, edit) => [fixOf(change(at, needed), object, edit)],
});

function isEnabled({ plugins }: UnknownObject): boolean {
  const { enabled } = objectOrEmpty(objectOrEmpty(plugins).balance);
  return Array.isArray(enabled) && enabled.includes('LowNodeUtilization');
}

const KINDS = [
  ['apps', 'Deployment'],
  ['apps', 'StatefulSet'],
  ['apps', 'ReplicaSet'],
] as const;

/** The first workload whose Pod is above the target of every node. */
function tooBig(resource: string, percent: number, { snapshot, placement }: RuleContext): Facts | undefined {
  if (resource !== 'cpu' && resource !== 'memory') return undefined;
  const amountOf = (it: Resources): number => (resource === 'cpu' ? it.milliCpu : it.memory);
  for (const workload of KINDS.flatMap(([group, kind]) => snapshot.objectsOf(group, kind))) {
    const facts = placement?.(workload);
    const [pod] = facts?.podsOf(workload) ?? [];
    if (facts?.sizes !== 'known' || pod === undefined) continue;
    const most = Math.max(0, largest(facts.cluster.nodes.map(it => amountOf(it.allocatable))));
    const needed = most === 0 ? 0 : Math.ceil((amountOf(pod.requests) * 100) / most);
    if (most > 0 && amountOf(pod.requests) * 100 > percent * most && needed <= 100) {
      return { workload: titleOf(workload), resource, percent, needed };
    }
  }
  return undefined;
}

const titleOf = ({ kind, name }: WorkspaceObject): string => `${kind} ${name ?? ''}`;
