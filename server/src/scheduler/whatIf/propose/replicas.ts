import type { Candidate, Situation } from '../candidate';
import { type Edit, valueIn } from '../edits';

/** Where a workload says how many Pods it wants. */
const COUNT_FIELDS: Readonly<Record<string, string>> = {
  Deployment: 'replicas',
  ReplicaSet: 'replicas',
  ReplicationController: 'replicas',
  StatefulSet: 'replicas',
  Job: 'parallelism',
};

/** As many as there is room for now; `landed` Pods of the workload have a node. */
export function fewerReplicas({ holder, documents }: Situation, landed: number): readonly Candidate[] {
  const { ref } = holder;
  const field = COUNT_FIELDS[ref.kind];
  const written = field === undefined ? undefined : valueIn(documents.find(ref), ['spec', field]);
  if (field === undefined || typeof written !== 'number' || landed < 1 || landed >= written) return [];
  const edit: Edit = { object: ref, path: ['spec', field], action: 'set', value: landed };
  return [
    {
      kind: 'replicas',
      plugin: ref.kind,
      words: `ask for ${landed} ${field === 'replicas' ? (landed === 1 ? 'replica' : 'replicas') : 'Pods at a time'} instead of ${written}`,
      edits: [edit],
      cost: 5,
      tells: 'run',
    },
  ];
}
