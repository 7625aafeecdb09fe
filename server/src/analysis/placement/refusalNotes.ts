import type { JsonObject } from '../../base/json';
import type { IsCancelled } from '../../base/steps';
import type { Kube } from '../../kube/kube';
import { errorText } from '../../rules/apiserver/messages/sentences';
import { answerOf } from '../../rules/apiserver/validate/engine';

/** The API server's answer is computed for at most this number of a scenario's objects. */
const MOST_ASKED = 2_000;

/** For so many it is computed even where the time is over. */
const LEAST_ASKED = 100;

/** At most this number of one object's errors is reported. */
const MOST_ERRORS = 3;

interface Named {
  readonly metadata?: { readonly name?: unknown; readonly uid?: unknown; readonly resourceVersion?: unknown };
}

/**
 * One sentence for each object of a scenario that the API server would refuse to create. It is placed all the same, as
 * far as it can be read. What a server gave out was let in before.
 */
export function refusalNotes(
  objects: readonly object[],
  kube: Kube,
  isCancelled: IsCancelled = () => false,
): readonly string[] {
  const written = objects.filter(it => !isFromServer(it)) as readonly JsonObject[];
  const notes: string[] = [];
  let asked = 0;
  for (const it of written.slice(0, MOST_ASKED)) {
    if (asked >= LEAST_ASKED && isCancelled()) break;
    asked += 1;
    const note = refusalOf(it, kube);
    if (note !== undefined) notes.push(note);
  }
  const left = written.length - asked;
  if (left <= 0) return notes;
  return [...notes, `Whether the API server takes the objects was looked at for ${asked}, and not for ${left} more.`];
}

function isFromServer({ metadata }: Named): boolean {
  return metadata?.uid !== undefined || metadata?.resourceVersion !== undefined;
}

function refusalOf(object: JsonObject, kube: Kube): string | undefined {
  const { apiVersion, kind } = object;
  const { metadata } = object as Named;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return undefined;
  const errors = answerOf(object, kube.kindOf(apiVersion, kind), kube)?.errors ?? [];
  if (errors.length === 0) return undefined;
  const who = typeof metadata?.name === 'string' && metadata.name !== '' ? `${kind} ${metadata.name}` : `A ${kind}`;
  const told = errors.slice(0, MOST_ERRORS).map(errorText);
  const more = errors.length > MOST_ERRORS ? `; and ${errors.length - MOST_ERRORS} more` : '';
  return `${who}: the API server refuses it: ${told.join('; ')}${more}.`;
}
