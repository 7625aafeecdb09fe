import { t } from '../../../base/l10n';
import { nearestNames } from '../../../base/nearest';
import type { PriorityClass } from '../../../kube/types';
import { type ChangeCandidate, type Situation, specEdit } from '../candidate';
import { type Documents, type Edit, refOf } from '../edits';

/** How many classes are proposed in place of a missing one. */
const MAX_CLASSES = 3;

/** Replaces names of classes that do not exist. */
export function rename(situation: Situation): readonly ChangeCandidate[] {
  if (situation.heldBack?.plugin !== 'Admission') return [];
  return [...priorityClasses(situation), ...runtimeClasses(situation)];
}

const change = (plugin: string, words: string, cost: number, edit: Edit): ChangeCandidate => ({
  kind: 'refused',
  plugin,
  words,
  edits: [edit],
  cost,
  verifiedBy: 'run',
});

/** The class that was probably meant, then the existing ones, lowest priority first. */
function priorityClasses({ holder, documents }: Situation): readonly ChangeCandidate[] {
  const name = holder.spec.priorityClassName;
  const classes = (
    documents.ofKind('scheduling.k8s.io', 'PriorityClass') as readonly unknown[] as readonly PriorityClass[]
  )
    .toSorted((a, b) => (a.value ?? 0) - (b.value ?? 0))
    .map(it => it.metadata?.name ?? '');
  if (name === undefined || classes.includes(name)) return [];
  const path = ['priorityClassName'];
  const [near] = nearestNames(name, classes);
  const others = classes.filter(it => it !== near).slice(0, MAX_CLASSES);
  return [...(near === undefined ? [] : [{ name: near, cost: 1 }]), ...others.map(it => ({ name: it, cost: 3.5 }))]
    .map(it =>
      change(
        'Priority',
        t`name the PriorityClass ${it.name} instead of ${name}`,
        it.cost,
        specEdit(holder, path, 'set', it.name),
      ),
    )
    .concat(change('Priority', t`name no PriorityClass (now ${name})`, 3, specEdit(holder, path, 'remove')));
}

function runtimeClasses({ holder, documents, heldBack }: Situation): readonly ChangeCandidate[] {
  const name = holder.spec.runtimeClassName;
  const classes = namesOf(documents, 'node.k8s.io', 'RuntimeClass');
  if (!name || classes.includes(name) || !heldBack?.message.includes(name)) return [];
  const path = ['runtimeClassName'];
  const near = nearestNames(name, classes).slice(0, 1);
  return near
    .map(it =>
      change('RuntimeClass', t`name the RuntimeClass ${it} instead of ${name}`, 1, specEdit(holder, path, 'set', it)),
    )
    .concat(change('RuntimeClass', t`name no RuntimeClass (now ${name})`, 3, specEdit(holder, path, 'remove')));
}

const namesOf = (documents: Documents, group: string, kind: string): readonly string[] =>
  documents.ofKind(group, kind).map(it => refOf(it).name);
