import { asText, type JsonValue } from '../../base/json';
import { t } from '../../base/l10n';
import { podTemplatePath } from '../../kube/podTemplates';
import { FieldPath } from '../../manifest/fieldPath';
import { fieldAt, valueAt } from '../../manifest/valueAt';
import type { WorkspaceObject } from '../../workspace/object';
import type { Snapshot } from '../../workspace/workspace';
import { change, fixOf } from '../edits/fix';
import { layered } from '../framework/layers';
import { defineRule } from '../framework/rule';
import { replicaRange } from '../reading/replicas';
import { counted, listed } from './phrases';
import { sizedFacts } from './sizedFacts';

interface Facts {
  readonly at: FieldPath;
  readonly minimum: number;
  /** The number of Pods that can exist; absent if it is enough and the cluster cannot fit them. */
  readonly pods?: number;
  readonly members: readonly string[];
  readonly upstream: string;
}

interface GroupKind {
  readonly group: string;
  readonly minimum: FieldPath;
  /** The group's name in a Pod or a template. */
  readonly nameOf: (pod: JsonValue | undefined) => string | undefined;
}

const annotation = (pod: JsonValue | undefined): string | undefined =>
  asText(fieldAt(pod, 'metadata', 'annotations', 'scheduling.volcano.sh/group-name')) ??
  asText(fieldAt(pod, 'metadata', 'annotations', 'scheduling.k8s.io/group-name'));

const KINDS: readonly GroupKind[] = [
  {
    group: 'scheduling.k8s.io',
    minimum: FieldPath.of('spec', 'schedulingPolicy', 'gang', 'minCount'),
    nameOf: it => asText(fieldAt(it, 'spec', 'schedulingGroup', 'podGroupName')),
  },
  {
    group: 'scheduling.x-k8s.io',
    minimum: FieldPath.of('spec', 'minMember'),
    nameOf: it => asText(fieldAt(it, 'metadata', 'labels', 'scheduling.x-k8s.io/pod-group')),
  },
  { group: 'scheduling.volcano.sh', minimum: FieldPath.of('spec', 'minMember'), nameOf: annotation },
  { group: 'scheduling.incubator.k8s.io', minimum: FieldPath.of('spec', 'minMember'), nameOf: annotation },
];

export default defineRule<Facts>({
  meta: {
    code: 'placement/gang-minimum-too-high',
    category: 'placement',
    severity: 'warning',
    cost: 'workspace',
    summary: 'A PodGroup wants more Pods at once than its workloads make, or than the cluster has room for.',
    why: 'A gang is placed as a whole or not at all: while fewer Pods than the minimum are there, or fit, none of them runs.',
    remedy: 'Lower the minimum to the number of Pods, or raise the replicas of the workload.',
    details:
      'Pods are counted where workloads of the workspace name the group; a group that none of them names is passed over, as others may make its Pods. That the cluster has no room is only said where its nodes are known.',
    source: { project: 'kubernetes', symbol: 'gangscheduling.(*GangScheduling).PreEnqueue', fidelity: 'same' },
    url: 'https://kubernetes.io/docs/concepts/scheduling-eviction/gang-scheduling/',
  },
  on: ['PodGroup'],

  *check({ object, value }, { snapshot, placement }) {
    const kind = KINDS.find(it => it.group === object.group);
    const minimum = kind && valueAt(value, kind.minimum);
    if (kind === undefined || typeof minimum !== 'number') return;
    const members = membersOf(object, kind, snapshot);
    const counts = members.map(it => replicaRange(it, snapshot)?.most);
    if (members.length === 0 || counts.includes(undefined)) return;
    const pods = counts.reduce<number>((sum, it) => sum + (it ?? 0), 0);
    const facts = { at: kind.minimum, minimum, members: members.map(it => `${it.kind} ${it.name}`) };
    if (pods < minimum) yield { at: kind.minimum, part: 'value', facts: { ...facts, pods, upstream: '' } };
    const id = `${object.namespace ?? 'default'}/${object.name}`;
    const cycle = pods < minimum ? undefined : sizedFacts(placement?.(object))?.groups.findLast(it => it.group === id);
    if (cycle?.status !== 'unschedulable') return;
    yield { at: kind.minimum, part: 'value', facts: { ...facts, upstream: cycle.message ?? '' } };
  },

  message: ({ facts: { minimum, pods, members, upstream } }) =>
    pods === undefined
      ? layered(
          t`the scheduler does not find nodes for ${minimum} Pods of the group at once (${listed(members)}), so none of them runs`,
          upstream,
        )
      : members.length === 1
        ? t`the group wants ${counted(minimum, 'Pod')} at once, and ${members[0]} makes ${pods}: none of them ever runs`
        : t`the group wants ${counted(minimum, 'Pod')} at once, and ${listed(members)} make ${pods}: none of them ever runs`,

  fixes({ facts: { at, pods } }, { object }, _context, edit) {
    return pods === undefined || pods === 0 ? [] : [fixOf(change(at, pods), object, edit)];
  },
});

/** The Pods and workloads of the group's namespace that name the group. */
function membersOf(
  { namespace = 'default', name }: WorkspaceObject,
  kind: GroupKind,
  { references }: Snapshot,
): readonly WorkspaceObject[] {
  return references
    .podsIn(namespace)
    .map(it => it.object)
    .filter(it => {
      const path = podTemplatePath(it.kind);
      return path !== undefined && kind.nameOf(valueAt(it.manifest.value, FieldPath.of(...path))) === name;
    });
}
