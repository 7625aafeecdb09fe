import type { JsonObject } from '../../base/json';
import type { IsCancelled } from '../../base/steps';
import type { Kube } from '../../kube/kube';
import { errorText } from '../../rules/apiserver/messages/sentences';
import { answerOf } from '../../rules/apiserver/validate/engine';
import { isOfPlaceholder } from '../../rules/engine/templated';
import { isFromServer } from './fromServer';

/** The API server's answer is computed for at most this number of a scenario's objects. */
const MOST_ASKED = 2_000;

/** For so many it is computed even where the time is over. */
const LEAST_ASKED = 100;

/** At most this number of one object's errors is reported. */
const MOST_ERRORS = 3;

/** What the API server would refuse of a scenario. */
export interface Refusals {
  /** One sentence for each object. */
  readonly notes: readonly string[];
  readonly objects: readonly JsonObject[];
  /** That not all objects were looked at; absent: all were. */
  readonly cut?: string;
}

/**
 * The objects of a scenario that the API server would refuse to create. They are placed all the same, as far as they can be read.
 * What a server gave out was let in before.
 */
export function refusalsOf(objects: readonly object[], kube: Kube, isCancelled: IsCancelled = () => false): Refusals {
  const written = (objects as readonly JsonObject[]).filter(it => !isFromServer(it));
  const refused: { readonly object: JsonObject; readonly note: string }[] = [];
  let asked = 0;
  for (const it of written.slice(0, MOST_ASKED)) {
    if (asked >= LEAST_ASKED && isCancelled()) break;
    asked += 1;
    const note = refusalOf(it, kube);
    if (note !== undefined) refused.push({ object: it, note });
  }
  const left = written.length - asked;
  const cut = `Whether the API server takes the objects was looked at for ${asked}, and not for ${left} more.`;
  return { notes: refused.map(it => it.note), objects: refused.map(it => it.object), ...(left > 0 && { cut }) };
}

function refusalOf(object: JsonObject, kube: Kube): string | undefined {
  const { apiVersion, kind } = object;
  const { metadata } = object as { readonly metadata?: { readonly name?: unknown } };
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return undefined;
  const answer = answerOf(object, kube.kindOf(apiVersion, kind), kube);
  const errors = (answer?.errors ?? []).filter(it => !isOfPlaceholder(it, object));
  if (errors.length === 0) return undefined;
  const who = typeof metadata?.name === 'string' && metadata.name !== '' ? `${kind} ${metadata.name}` : `A ${kind}`;
  const told = errors.slice(0, MOST_ERRORS).map(errorText);
  const more = errors.length > MOST_ERRORS ? `; and ${errors.length - MOST_ERRORS} more` : '';
  return `${who}: the API server refuses it: ${told.join('; ')}${more}.`;
}
