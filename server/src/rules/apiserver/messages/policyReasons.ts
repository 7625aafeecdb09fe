import { t } from '../../../base/l10n';
import { quoted } from '../../../base/quoted';
import { fieldOf } from './nouns';
import { field, noValid, type Reason, shown } from './reasonWords';

const RESULTS: Readonly<Record<string, string>> = {
  bool: 'come out true or false',
  string: 'give a string',
  Object: 'give an Object{…}',
  'list(JSONPatch)': 'give a list of JSONPatch{…}',
  'one of [string null_type]': 'give a string or null',
};

/** What an expression gives. */
const given = (type: string): string => (type === 'dyn' ? 'a value whose type is not known before' : type);

/** Reasons of FieldValueInvalid of webhooks and admission policies. */
export const REASONS_OF_POLICIES: readonly Reason[] = [
  {
    pattern: /^must evaluate to (bool|string|Object|list\(JSONPatch\)|one of \[string null_type\]) but got (.+)$/,
    describe: (e, [, wanted = '', type = '']) => t`${field(e)} must ${RESULTS[wanted]}; it gives ${given(type)}`,
  },
  {
    pattern: /^if '([^']+)' is present, must not specify (.+)$/,
    describe: (e, [, all = '', others = '']) =>
      typeof e.value === 'string'
        ? t`${quoted(all)} in ${quoted(fieldOf(e.at))} covers ${quoted(others)} too: remove one of them`
        : t`${quoted(all)} in ${field(e)} covers the others too: keep ${quoted(all)} alone, or name each`,
  },
  { pattern: /^must be a valid CEL identifier/, describe: noValid(() => t('letters, digits and "_", no digit first')) },
  { pattern: /^must not contain line breaks/, describe: e => t`${field(e)} must be one line` },
  {
    pattern: /^must not contain both Deny and Warn/,
    describe: () => t('Deny and Warn say the same twice: keep one of them'),
  },
  {
    pattern: /^must not be specified when patchType is (\w+)/,
    describe: (e, [, type]) => t`${field(e)} does not go with patchType ${type}: remove it, or change the type`,
  },
  {
    pattern: /^should be a domain with at least three segments/,
    describe: e => t`${shown(e)} must be a domain of three parts or more, such as check.example.com`,
  },
  { pattern: /^duplicate version/, describe: e => t`${shown(e)} is in the list twice: remove one` },
  {
    pattern: /^segment\[\d+\]/,
    describe: e => t`${shown(e)} is no path of lower-case names with one "/" between them`,
  },
  {
    pattern: /are reserved for static manifest-based configurations/,
    describe: e => t`${shown(e)} ends like a name that only the server's own files may have: choose another`,
  },
];
