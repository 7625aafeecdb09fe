import { t } from '../../../base/l10n';
import { quoted } from '../../../base/quoted';
import type { FieldError } from '../validate/errors';
import { fieldOf, itemNoun, nounOf, shownValue } from './nouns';

/** A pattern for a reason of the API server, and a plain sentence for it. */
export interface Reason {
  readonly pattern: RegExp;
  readonly describe: (error: FieldError, found: readonly string[]) => string;
}

export const shown = ({ value }: FieldError): string => shownValue(value) ?? t('the value');
export const field = ({ at }: FieldError): string => quoted(fieldOf(at));
export const itIs = ({ value }: FieldError): string => {
  const text = shownValue(value);
  return text === undefined ? '' : t`; it is ${text}`;
};
/** A text that is not a valid one of its type. */
export const noValid =
  (rule: () => string, noun: (error: FieldError) => string = mapNoun) =>
  (error: FieldError): string =>
    shown(error) === '""'
      ? t`the ${noun(error)} is empty: use ${rule()}`
      : t`${shown(error)} is not a valid ${noun(error)}: use ${rule()}`;

/** Errors of a map's keys and values have the map's path. */
export function mapNoun({ at }: FieldError): string {
  const last = at.segments.at(-1);
  if (last === 'matchLabels') return 'label key';
  return last === 'labels' || last === 'annotations' || last === 'nodeSelector' ? `${itemNoun(last)} key` : nounOf(at);
}

export const label = (): string => t('lower-case letters, digits and "-", a letter or digit at each end');
export const subdomain = (): string => t('lower-case letters, digits, "-" and ".", a letter or digit at each end');
export const qualified = (): string => t('letters, digits, "-", "_" and ".", a letter or digit at each end');

/** The number in a text where the field is a port's number or name; undefined where it is neither or none of a port. */
export function portNumberOf({ at, value }: FieldError): string | undefined {
  const isNumberOrName = /^(?:port|targetPort)$/.test(String(at.segments.at(-1)));
  if (!isNumberOrName || typeof value !== 'string' || !/^[1-9]\d{0,4}$/.test(value)) return undefined;
  return Number(value) <= 65535 ? value : undefined;
}

/** An amount in brackets. */
export function valueText(error: FieldError): string {
  const text = shownValue(error.value);
  return text === undefined ? '' : ` (${text.replaceAll('"', '')})`;
}
