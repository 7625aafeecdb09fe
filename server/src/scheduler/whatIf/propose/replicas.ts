import { t } from '../../../base/l10n';
import type { ChangeCandidate, Situation } from '../candidate';
import { type Documents, type Edit, type ObjectRef, valueIn } from '../edits';

/** The field with a workload's number of Pods. */
const COUNT_FIELDS: Readonly<Record<string, string>> = {
  Deployment: 'replicas',
  ReplicaSet: 'replicas',
  ReplicationController: 'replicas',
  StatefulSet: 'replicas',
  Job: 'parallelism',
};

/** A workload's number of Pods, and where it is written; undefined where it is not. */
export function countOf(
  ref: ObjectRef,
  documents: Documents,
): { readonly field: string; readonly count: number } | undefined {
  const field = COUNT_FIELDS[ref.kind];
  const written = field === undefined ? undefined : valueIn(documents.find(ref), ['spec', field]);
  return field !== undefined && typeof written === 'number' ? { field, count: written } : undefined;
}

function inWords(field: string, landed: number, written: number): string {
  if (field === 'parallelism') return t`ask for ${landed} Pods at a time instead of ${written}`;
  return landed === 1
    ? t`ask for 1 replica instead of ${written}`
    : t`ask for ${landed} replicas instead of ${written}`;
}

/** As many replicas as fit now; `landed` Pods of the workload have a node. */
export function fewerReplicas({ holder, documents }: Situation, landed: number): readonly ChangeCandidate[] {
  const { ref } = holder;
  const { field, count: written } = countOf(ref, documents) ?? {};
  if (field === undefined || written === undefined || landed < 1 || landed >= written) return [];
  const edit: Edit = { object: ref, path: ['spec', field], action: 'set', value: landed };
  return [
    {
      kind: 'replicas',
      plugin: ref.kind,
      words: inWords(field, landed, written),
      edits: [edit],
      cost: 5,
      verifiedBy: 'run',
    },
  ];
}
