import { t } from '../../../base/l10n';
import { quoted } from '../../../base/quoted';
import { fieldOf } from './nouns';
import { field, itIs, type Reason, shown } from './reasonWords';

/** Reasons of FieldValueInvalid in CustomResourceDefinitions. Upstream: pkg/apis/apiextensions/validation. */
export const REASONS_OF_DEFINITIONS: readonly Reason[] = [
  {
    pattern: /^must be spec\.names\.plural/,
    describe: () => t('the name must be the plural and the group, as in widgets.example.com'),
  },
  {
    pattern: /^should be a domain with at least one dot/,
    describe: e => t`the group ${shown(e)} must be a domain, such as example.com`,
  },
  {
    pattern: /^may have mixed case, but should otherwise match/,
    describe: e => t`${shown(e)} is not a valid ${fieldOf(e.at)}: use letters, digits and "-", beginning with a letter`,
  },
  { pattern: /^kind and listKind may not be the same/, describe: () => t('"listKind" must differ from "kind"') },
  {
    pattern: /^must contain unique version names/,
    describe: () => t('two versions have the same name: rename or remove one'),
  },
  {
    pattern: /^must have exactly one version marked as storage version/,
    describe: () => t('exactly one version must have storage: true'),
  },
  {
    pattern: /^must have (at least one stored|the storage) version/,
    describe: () => t('exactly one version must have storage: true, for objects are stored in that version'),
  },
  {
    pattern: /^cannot set to true, set x-kubernetes-preserve-unknown-fields/,
    describe: () => t('set x-kubernetes-preserve-unknown-fields in the schema instead of "preserveUnknownFields"'),
  },
  {
    pattern: /^'https' is the only allowed URL scheme/,
    describe: e => t`${field(e)} must begin with https://`,
  },
  {
    pattern: /^(query parameters|fragments|user information) (?:are|is) not permitted in the URL/,
    describe: (e, [, what]) => t`${field(e)} must have no ${what}${itIs(e)}`,
  },
  {
    pattern: /^must include at least one of v1, v1beta1/,
    describe: e => t`${field(e)} must name v1, which the server speaks`,
  },
  {
    pattern: /^must be one of ([a-z0-9,-]+)$/,
    describe: (e, [, words = '']) => t`${shown(e)} is no value for ${field(e)}: use ${words.replaceAll(',', ', ')}`,
  },
  {
    pattern: /^must be a simple json path starting with \./,
    describe: e => t`the path ${shown(e)} must begin with a dot, as in .spec.replicas`,
  },
  {
    pattern: /^should be a json path under (.+)$/,
    describe: (e, [, where = '']) => t`the path ${shown(e)} must lead into ${where.replace('either ', '')}`,
  },
  {
    pattern: /^is an invalid path: (.*)$/,
    describe: (e, [, why]) => t`the path ${shown(e)} cannot be followed in the schema: ${why}`,
  },
  {
    pattern: /^must point to a field of type string, boolean or integer/,
    describe: e => t`${shown(e)} must lead to text, a boolean or an integer`,
  },
  {
    pattern: /^must be a valid regular expression, but isn't: (?:error parsing regexp: )?(.*)$/s,
    describe: (e, [, why]) => t`${field(e)} is no regular expression of Go: ${why}`,
  },
  {
    pattern: /^must not have unknown fields/,
    describe: e => t`${field(e)} has fields that its schema does not have: remove them, or declare them`,
  },
  {
    pattern: /^must be object at the root|^only "object" is allowed as the type/,
    describe: e => t`a resource is a mapping: its type must be object${itIs(e)}`,
  },
  {
    pattern: /^only \[.*\] fields are allowed at the root of the schema/,
    describe: () =>
      t(
        'beside a status subresource the root of the schema cannot have additionalProperties, defaults, enums, allOf, anyOf, oneOf or not',
      ),
  },
  {
    pattern: /^entries must all be names of item properties/,
    describe: e => t`${field(e)} must name properties of the items`,
  },
  {
    pattern: /^must be (\w+) if (x-kubernetes-[\w-]+) is/,
    describe: (e, [, type, word]) => t`${quoted(word ?? '')} needs ${fieldOf(e.at)}: ${type}${itIs(e)}`,
  },
  {
    pattern: /^oldSelf cannot be used on the uncorrelatable portion/,
    describe: () =>
      t(
        'items of this list cannot be compared with those before an update: give it x-kubernetes-list-type map, or do not use oldSelf',
      ),
  },
  {
    pattern: /^may not be set if oldSelf is not used/,
    describe: e => t`${field(e)} is for rules with oldSelf: remove it`,
  },
  {
    pattern: /^must be a valid path/,
    describe: e => t`the path ${shown(e)} leads to no field of the schema; write it as .name or ['name']`,
  },
  {
    pattern: /^cel expression must evaluate to a bool/,
    describe: e => t`${field(e)} must come out true or false`,
  },
  {
    pattern: /^messageExpression must evaluate to a string/,
    describe: e => t`${field(e)} must come out as text`,
  },
  {
    pattern: /^messageExpression compilation failed: (?:ERROR: <input>:\d+:\d+: )?(.*)/,
    describe: (e, [, why]) => t`${field(e)} is no valid CEL: ${why}`,
  },
];
