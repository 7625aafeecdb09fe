import { t } from '../../../base/l10n';

/** Reasons of FieldValueRequired that say what is missing, and a plain sentence for each. */
export const INCOMPLETE: readonly (readonly [pattern: RegExp, sentence: () => string])[] = [
  [
    /^port name or number is required/,
    () => t('the backend has no port: write port: { number: … } or port: { name: … } below "service"'),
  ],
  [
    /^must specify a peer/,
    () =>
      t('this peer is empty: write "podSelector", "namespaceSelector" or "ipBlock"; podSelector: {} means every Pod'),
  ],
  [
    /^must specify `addresses` or `notReadyAddresses`/,
    () => t('this subset has no address: write "addresses" or "notReadyAddresses"'),
  ],
  [/^data must be a valid JSON object/, () => t('"data" must be an object')],
];
