import { asText, type JsonObject } from '../../base/json';
import { lazyByObject } from '../../base/lazy';
import { createSharedTexts, LONGEST_SHARED_TEXT } from '../../base/sharedTexts';
import type { Kube } from '../../kube/kube';
import { fieldAt } from '../../manifest/valueAt';
import { errorText } from './messages/sentences';
import { answerOf } from './validate/engine';
import type { FieldError } from './validate/errors';

/** Why the server refuses what plugins or policies made of an object. */
export interface Invalidity {
  /** The server's text. */
  readonly text: string;
  readonly errors: readonly FieldError[];
}

/**
 * The server's refusal where a change made an object invalid, or invalid in another way. Errors that were there before are
 * reported with the object itself. Upstream: rest.BeforeCreate, which follows mutating admission; apierrors.NewInvalid.
 */
export function invalidityOf(requested: JsonObject, made: JsonObject, kube: Kube): Invalidity | undefined {
  const errors = errorsOf(made, kube);
  if (errors.length === 0) return undefined;
  const before = new Set(errorsOf(requested, kube).map(withoutIndexes));
  if (errors.every(it => before.has(withoutIndexes(it)))) return undefined;
  return { text: `${kindText(made)} "${nameOf(made)}" is invalid: ${aggregated(errors.map(errorText))}`, errors };
}

/** Whether the server accepts the object as it is. */
export const isValid = (object: JsonObject, kube: Kube): boolean => errorsOf(object, kube).length === 0;

function errorsOf(object: JsonObject, kube: Kube): readonly FieldError[] {
  const kind = kube.kindOf(asText(object.apiVersion) ?? '', asText(object.kind) ?? '');
  // The server completes a generated name before it validates it.
  const name = nameOf(object).replace(/-$/, '-12345');
  const metadata = object.metadata as JsonObject | undefined;
  const find = (): readonly FieldError[] =>
    answerOf({ ...object, metadata: { ...metadata, name } }, kind, kube)?.errors ?? [];
  const isPod = object.kind === 'Pod' && object.apiVersion === 'v1';
  const alike = alikeIn(kube);
  if (!isPod || !PLAIN_NAME.test(name) || !alike.isWorthIt()) return find();
  const text = textOf({ ...object, metadata: { ...metadata, name: '' } });
  const known = text === undefined ? undefined : alike.get(text);
  if (known !== undefined) return known;
  const errors = find();
  const isShared = errors.length <= MOST_SHARED && errors.every(it => !errorText(it).includes(name));
  if (text !== undefined && isShared) alike.set(text, errors);
  return errors;
}

/** Errors of Pods that differ in their names alone, as those of many workloads do. */
const alikeIn = lazyByObject((_: Kube) => createSharedTexts<readonly FieldError[]>());

/** A name of which nothing is said: nothing else in a Pod is compared with its name. */
const PLAIN_NAME = /^[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?$/;

/** So many errors of one object are kept. */
const MOST_SHARED = 16;

/** undefined for an object that is not compared, as one with an integer that JSON.stringify refuses. */
function textOf(object: JsonObject): string | undefined {
  try {
    const text = JSON.stringify(object);
    return text.length > LONGEST_SHARED_TEXT ? undefined : text;
  } catch {
    return undefined;
  }
}

/** What an error is about, wherever a change moved the item that it is in. */
const withoutIndexes = ({ type, at, detail }: FieldError): string =>
  `${type} ${at.toString().replace(/\[\d+\]/g, '')} ${detail}`;

const nameOf = ({ metadata }: JsonObject): string =>
  asText(fieldAt(metadata, 'name')) ?? asText(fieldAt(metadata, 'generateName')) ?? '';

/** Upstream: schema.GroupKind.String. */
function kindText({ apiVersion, kind }: JsonObject): string {
  const [group, version] = (asText(apiVersion) ?? '').split('/', 2);
  return version === undefined ? (asText(kind) ?? '') : `${asText(kind)}.${group}`;
}

/** Upstream: utilerrors.Aggregate.Error, which omits duplicates. */
function aggregated(errors: readonly string[]): string {
  const distinct = [...new Set(errors)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`;
}
