import { t } from '../../../base/l10n';
import { nearestNames } from '../../../base/nearest';
import { quoted } from '../../../base/quoted';
import { elided } from '../../../base/shortened';
import { jsonStart } from '../../../text/jsonStart';
import { type Layers, layered } from '../../framework/layers';
import type { ReportedError } from '../answer';
import type { ErrorType, FieldError } from '../validate/errors';
import { INCOMPLETE } from './incomplete';
import { neitherSurgeNorUnavailable } from './kindReasons';
import { NOT_ALLOWED } from './notAllowed';
import { fieldOf, inWords, nounOf, ownerOf, shownValue } from './nouns';
import { REFUSED } from './reasons';
import { ruleSentence } from './ruleSentence';

const WORDS: Readonly<Record<ErrorType, string>> = {
  FieldValueNotFound: 'Not found',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  FieldValueTypeInvalid: 'Invalid value',
  InternalError: 'Internal error',
};

/** Longer values are shortened; upstream's text has no limit. */
const MAX_VALUE = 160;

/** The error in plain words, and upstream's text: `spec.containers[0].name: Invalid value: "A": …`. */
export function message(reported: ReportedError): Layers {
  const { error, field } = reported;
  return layered(sentenceOf(error, field), errorText(error));
}

function sentenceOf(error: FieldError, field: ReportedError['field']): string {
  if (error.rule === undefined) return SENTENCES[error.type](error, field);
  // Well-known definitions have rules whose reasons are known like those of built-in kinds.
  return (error.rule === 'broken' ? knownReason(error) : undefined) ?? ruleSentence(error);
}

/** The error in upstream's words, with a long value shortened. */
export function errorText({ type, at, field, value, detail }: FieldError): string {
  const shown = value === undefined ? undefined : jsonStart(value, MAX_VALUE);
  // Errors of CEL hold the line of the expression and a caret; the message is one line.
  const plain = detail.replace(/\n \| [^\n]*/g, '').replaceAll('\n', '; ');
  return [field ?? at.toString(), WORDS[type], shown, plain === '' ? undefined : plain]
    .filter(it => it !== undefined)
    .join(': ');
}

const SENTENCES: Readonly<Record<ErrorType, (error: FieldError, field: ReportedError['field']) => string>> = {
  FieldValueRequired: required,
  FieldValueNotSupported: notSupported,
  FieldValueForbidden: forbidden,
  FieldValueDuplicate: duplicate,
  FieldValueNotFound: notFound,
  FieldValueInvalid: refused,
  FieldValueTypeInvalid: refused,
  FieldValueTooLong: ({ at, detail }) => t`the ${nounOf(at)} is too long: ${detail.replace('may not be', 'use no')}`,
  FieldValueTooMany: ({ at, value }) =>
    t`too many entries in ${quoted(fieldOf(at))}${typeof value === 'number' ? ` (${value})` : ''}: remove some`,
  InternalError: ({ at }) => t`the server cannot check ${quoted(at.toString())}`,
};

/** The words in double quotes in a detail such as `supported values: "A", "B"`. */
export function choicesOf(detail: string): readonly string[] {
  return [...detail.matchAll(/"([^"]*)"/g)].map(it => it[1] ?? '');
}

function required({ at, detail }: FieldError, field: ReportedError['field']): string {
  const last = at.segments.at(-1);
  if (detail === 'name or generateName is required') return t('the object has no name: write metadata.name');
  if (detail === 'cannot be 0 when maxSurge is 0') return neitherSurgeNorUnavailable();
  const incomplete = INCOMPLETE.find(([pattern]) => pattern.test(detail));
  if (incomplete !== undefined) return incomplete[1]();
  if (detail.startsWith('must be specified single value'))
    return t('"values" must hold exactly one number with Lt and Gt');
  if (detail.startsWith('valid values: ')) {
    return t`${quoted(fieldOf(at))} must be ${orList(choicesOf(detail))} here: write it`;
  }
  if (typeof last === 'number' || last === undefined || field === 'written') {
    const what = typeof last === 'string' ? quoted(last) : t`this ${nounOf(at)}`;
    const reason = detail.startsWith('must ') ? t`it ${detail}` : detail;
    return reason === ''
      ? t`${what} must say more than nothing or 0`
      : t`${what} is incomplete: ${elided(reason.replaceAll('`', ''), 80)}`;
  }
  const name = typeof last === 'string' ? last : last.key;
  return field === 'empty'
    ? t`${quoted(name)} of ${ownerOf(at)} is empty: give it a value`
    : t`${ownerOf(at)} has no ${quoted(name)}: add it`;
}

function notSupported({ at, value, detail }: FieldError): string {
  const choices = choicesOf(detail).filter(it => it !== '');
  const text = typeof value === 'string' ? value : '';
  const field = quoted(fieldOf(at));
  if (value === undefined || value === null || value === '') return t`${field} has no value: use ${few(choices)}`;
  if (typeof value === 'object') return t`${field} holds a word that is not supported: use ${few(choices)}`;
  if (choices.includes(text)) return t`${field} cannot be ${quoted(text)} at these feature gates: use another`;
  const what = t`${shownValue(value) ?? t('the value')} is no value for ${field}`;
  const [best] = nearestWords(text, choices);
  if (best !== undefined) return t`${what}: did you mean ${quoted(best)}?`;
  return choices.length === 0 ? t`${what}: remove it` : t`${what}: use ${few(choices)}`;
}

function few(choices: readonly string[]): string {
  const list = orList(choices);
  return list.length > 70 ? t`one of the ${choices.length} supported words` : list;
}

/** The choices that may have been meant, best first: another case before other letters. */
export function nearestWords(word: string, choices: readonly string[]): readonly string[] {
  const sameLetters = choices.find(it => it.toLowerCase() === word.toLowerCase());
  return sameLetters === undefined ? nearestNames(word, choices) : [sameLetters];
}

function forbidden({ at, detail }: FieldError): string {
  const known = NOT_ALLOWED.find(({ pattern }) => pattern.test(detail));
  const field = quoted(fieldOf(at));
  return known === undefined ? t`${field} is not allowed here: remove it` : known.say(field, detail);
}

function duplicate({ at, value }: FieldError): string {
  const shown = shownValue(value);
  const what = inWords(nounOf(at));
  if (shown === undefined) return t`this ${what} is there twice: remove one`;
  if (value === '' && what.endsWith(' name')) {
    return t`only one ${what.replace(/ name$/, '')} may be without a name: name this one`;
  }
  return t`the ${what} ${shown} is used twice: change or remove one`;
}

function notFound({ at, value }: FieldError): string {
  const shown = shownValue(value) ?? t('the value');
  const path = at.toString();
  if (/volume(Mounts|Devices)/.test(path)) {
    return t`the Pod has no volume ${shown}: correct the name, or add the volume to "volumes"`;
  }
  if (/\.claims\[/.test(path)) {
    return t`the Pod has no resource claim ${shown}: correct the name, or add it to "resourceClaims"`;
  }
  return t`${shown} is named in ${quoted(fieldOf(at))} but defined nowhere in the object: correct the name or define it`;
}

/** The error of a field that is not written is about its zero value: it lacks a value. */
function refused(error: FieldError, field: ReportedError['field']): string {
  const isZero = error.value === undefined || error.value === '' || error.value === 0;
  if (field === 'missing' && isZero && typeof error.at.segments.at(-1) === 'string') {
    return t`${ownerOf(error.at)} has no ${quoted(fieldOf(error.at))}: add it`;
  }
  const known = knownReason(error);
  if (known !== undefined) return known;
  const shown = shownValue(error.value);
  const name = quoted(fieldOf(error.at));
  return shown === undefined || shown === '""'
    ? t`${name} is not accepted as it is`
    : t`${name} cannot be ${shown} here`;
}

function knownReason(error: FieldError): string | undefined {
  const known = REFUSED.find(({ pattern }) => pattern.test(error.detail));
  return known?.describe(error, known.pattern.exec(error.detail) ?? []);
}

export function orList(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : t`${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
