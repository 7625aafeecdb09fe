import type { UnknownObject } from '../../base/json';
import { t } from '../../base/l10n';
import type { Memo } from '../../base/memo';
import { jsonText } from '../../base/printed';
import { elided } from '../../base/shortened';
import type { ObjectMeta, Pod } from '../../kube/types';
import { decoded } from '../decode/documents';
import type { Note } from '../pods/note';
import type { PolicyChange, PolicyMutation } from '../pods/policyMutation';

/**
 * What mutating policies make of an object that is created, or why one of them refuses the request. `denied`: why a
 * validating policy refuses what they made; `by` is empty where they changed nothing.
 */
export type PolicyVerdict =
  | { readonly object: UnknownObject; readonly by: readonly PolicyMutation[]; readonly denied?: string }
  | { readonly rejected: string };

/**
 * Asks the policies about an object after the server's own plugins; undefined: they neither change nor refuse it, or the
 * answer is not known yet. Pure for the cluster model; a new function when more answers are known.
 */
export type AskPolicies = (object: UnknownObject) => PolicyVerdict | undefined;

/** An object and what policies changed of it; Pods of one workload with equal changes are one entry. */
export interface MutatedObject {
  readonly kind: string;
  /** NAMESPACE/NAME; for Pods of a workload, the first one's. */
  readonly id: string;
  /** The workload of the Pods, and their number. */
  readonly pods?: { readonly of: string; readonly count: number };
  readonly by: readonly PolicyMutation[];
}

/**
 * What the server makes of the policies' verdict; a refusal where it could not decode their result. Upstream:
 * callAttrMutatingHook.
 */
export function readVerdict(object: UnknownObject, verdict: PolicyVerdict | undefined): PolicyVerdict | undefined {
  if (verdict === undefined || 'rejected' in verdict) return verdict;
  const result = decoded(verdict.object);
  if ('wanted' in result) return unreadable(`${result.path || 'it'} is not ${result.wanted}`);
  const { apiVersion, kind } = result.object;
  if (apiVersion !== object.apiVersion || kind !== object.kind) return unreadable('it is of another kind');
  return { ...verdict, object: result.object };
}

const unreadable = (why: string): PolicyVerdict => ({
  rejected: `what mutating policies make of it cannot be decoded: ${why}`,
});

/** Controllers whose Pods get the end of their names from the server, after admission. */
const GENERATING: ReadonlySet<string> = new Set(['ReplicaSet', 'ReplicationController', 'DaemonSet', 'Job']);
const INDEX = 'batch.kubernetes.io/job-completion-index';

/** The Pod as in its create request. Upstream: RealPodControl.createPods. */
export function requestedPod(pod: Pod): Pod {
  const owner = pod.metadata?.ownerReferences?.find(it => it.controller === true);
  if (owner === undefined || !GENERATING.has(owner.kind ?? '')) return pod;
  const { name: _, ...metadata } = pod.metadata ?? {};
  const index = metadata.annotations?.[INDEX];
  const generateName = index === undefined ? `${owner.name}-` : `${owner.name}-${index}-`;
  return { ...pod, metadata: { ...metadata, generateName } as ObjectMeta };
}

/** What policies made of a request, with the name that the Pod has here. */
export function namedAs({ metadata }: Pod, result: Pod): Pod {
  const { generateName: _, ...rest } = (result.metadata ?? {}) as ObjectMeta & { readonly generateName?: string };
  return { ...result, metadata: { ...rest, ...(metadata?.name !== undefined && { name: metadata.name }) } };
}

/** Sends objects other than Pods through the policies and records the changes. */
export interface MutationAdmission {
  /** The object after the policies; empty where the server refuses it, with a note. */
  admit<T extends object>(object: T): readonly T[];
  readonly mutated: readonly MutatedObject[];
  /** Each object that the server refuses, and its words. */
  readonly refused: readonly { readonly object: UnknownObject; readonly message: string }[];
}

export function mutationAdmission(
  ask: AskPolicies | undefined,
  memory: Memo,
  onNote: (note: Note) => void,
): MutationAdmission {
  const mutated: MutatedObject[] = [];
  const refused: { object: UnknownObject; message: string }[] = [];
  return {
    mutated,
    refused,
    admit<T extends object>(object: T): readonly T[] {
      // An object with a UID was admitted before.
      if (ask === undefined || (object as Pod).metadata?.uid !== undefined) return [object];
      // Asked in each run, as the answer may differ for this object alone.
      const answer = ask(object as UnknownObject);
      const verdict = memory.of('policies', object, [answer], () => readVerdict(object as UnknownObject, answer));
      if (verdict === undefined) return [object];
      const { kind = '', metadata } = object as Pod;
      const id = `${metadata?.namespace ?? 'default'}/${metadata?.name ?? ''}`;
      const refusal = 'rejected' in verdict ? verdict.rejected : verdict.denied;
      if (refusal !== undefined) {
        refused.push({ object: object as UnknownObject, message: refusal });
        onNote({ message: t`${kind} ${id} does not come into the cluster: ${refusal}` });
      }
      if ('rejected' in verdict || refusal !== undefined) return [];
      mutated.push({ kind, id, by: verdict.by });
      return [verdict.object as T];
    },
  };
}

/** Further changes are counted only, and longer values are cut. */
const MAX_CHANGES = 5;
const MAX_LENGTH = 80;

/** One sentence for each policy that changed the object. */
export const mutationSentences = (object: MutatedObject): readonly string[] =>
  object.by.map(({ kind, policy, file, changes, isAgain }) => {
    const by = file === undefined ? `${kind} ${policy}` : `${kind} ${policy} (${file})`;
    const sentences = changes.slice(0, MAX_CHANGES).map(changeInWords);
    const left = changes.length - sentences.length;
    const changeText = [...sentences, ...(left > 0 ? [t`${left} more`] : [])].join('; ');
    const name = nameInWords(object);
    return isAgain ? t`${by}, asked again, changes ${name}: ${changeText}.` : t`${by} changes ${name}: ${changeText}.`;
  });

function nameInWords({ kind, id, pods }: MutatedObject): string {
  if (pods === undefined) return `${kind} ${id}`;
  return pods.count === 1 ? t`the Pod of ${pods.of}` : t`the ${pods.count} Pods of ${pods.of}`;
}

function changeInWords({ path, before, after }: PolicyChange): string {
  if (after === undefined) return t`removes ${path}`;
  if (before === undefined) return t`adds ${path} ${shortly(after)}`;
  return t`sets ${path} to ${shortly(after)} (was ${shortly(before)})`;
}

const shortly = (value: unknown): string => elided(jsonText(value) ?? '', MAX_LENGTH);
