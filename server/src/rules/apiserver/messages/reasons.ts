import { t } from '../../../base/l10n';
import { printed } from '../../../base/printed';
import { quoted } from '../../../base/quoted';
import { REASONS_OF_CONTROL } from './controlReasons';
import { REASONS_OF_DEFINITIONS } from './definitionReasons';
import { REASONS_OF_KINDS } from './kindReasons';
import { REASONS_OF_NETWORK } from './networkReasons';
import { nounOf } from './nouns';
import { REASONS_OF_POLICIES } from './policyReasons';
import {
  field,
  itIs,
  label,
  mapNoun,
  noValid,
  portNumberOf,
  qualified,
  type Reason,
  shown,
  subdomain,
  valueText,
} from './reasonWords';
import { REASONS_OF_SYSTEM } from './systemReasons';

const PORT_NAME = noValid(
  () => t('lower-case letters, digits and "-", at least one of them a letter'),
  () => t('port name'),
);

/**
 * Reasons of FieldValueInvalid; the first that matches is used. Upstream: the messages of apimachinery's validation and
 * pkg/apis.
 */
export const REFUSED: readonly Reason[] = [
  ...REASONS_OF_KINDS,
  ...REASONS_OF_NETWORK,
  ...REASONS_OF_CONTROL,
  ...REASONS_OF_DEFINITIONS,
  ...REASONS_OF_POLICIES,
  ...REASONS_OF_SYSTEM,
  { pattern: /a lowercase RFC 1123 label must/, describe: noValid(label) },
  {
    pattern: /a DNS-1035 label must/,
    describe: noValid(() => t`lower-case letters, digits and "-", beginning with a letter`),
  },
  { pattern: /wildcard DNS-1123 subdomain/, describe: noValid(() => t`"*." and a domain such as example.com`) },
  {
    pattern: /prefix part (?:a lowercase RFC 1123|must be non-empty)/,
    describe: noValid(() => t('a domain before the "/"')),
  },
  { pattern: /name part must be non-empty/, describe: noValid(() => t('a name of at least one letter or digit')) },
  {
    pattern: /^name part must be no more than (\d+) bytes/,
    describe: (e, [, n]) => t`the ${mapNoun(e)} ${shown(e)} is too long: at most ${n} characters after the "/"`,
  },
  {
    pattern: /neither a standard finalizer name nor is it fully qualified/,
    describe: e => t`${shown(e)} is no finalizer: write a domain and a name, such as example.com/${printed(e.value)}`,
  },
  { pattern: /name part must consist/, describe: noValid(qualified) },
  { pattern: /a lowercase RFC 1123 subdomain must/, describe: noValid(subdomain) },
  { pattern: /a valid label must be/, describe: noValid(qualified, () => t('label value')) },
  { pattern: /a valid label key must/, describe: noValid(qualified, () => t('label key')) },
  {
    pattern: /a valid (?:C_IDENTIFIER|environment variable name)/,
    describe: noValid(
      () => t('printable characters without "="'),
      () => t('environment variable name'),
    ),
  },
  {
    pattern: /a valid C identifier must/,
    describe: noValid(() => t('letters, digits and "_", no digit first')),
  },
  {
    pattern: /may not specify a duration less than (\d+ minutes)/,
    describe: (e, [, least]) => t`${field(e)} must be at least ${least}; it is ${shown(e)} seconds`,
  },
  {
    pattern: /If pod contains any hostProcess containers/,
    describe: () => t('a Pod has hostProcess containers or others, not both: set hostProcess for all or for none'),
  },
  {
    pattern: /expected exactly 5 fields|failed to parse|(?:beginning|end) of range|provided bad location/,
    describe: e => t`${shown(e)} is no schedule of cron: write five fields, such as "0 3 * * *"`,
  },
  { pattern: /^must be (-?\d+)$/, describe: (e, [, only]) => t`${field(e)} must be ${only} here${itIs(e)}` },
  {
    pattern: /must be a valid CIDR/,
    describe: e => t`${shown(e)} is no range of addresses: write one such as 10.9.8.0/24`,
  },
  {
    pattern: /at most one of (.+?)(?: may be specified| is allowed|$)/,
    describe: (e, [, names]) =>
      t`the ${nounOf(e.at)} may have only one of ${(names ?? '').replaceAll('`', '').slice(0, 70)}`,
  },
  {
    pattern: /^(\S+) and (\S+) cannot both be enabled/,
    describe: (_, [, a, b]) => t`"${a}" and "${b}" exclude each other: turn one of them off`,
  },
  {
    pattern: /conflicting duplicate paths/,
    describe: e => t`two sources write to ${shown(e)}: change one of the paths`,
  },
  {
    pattern: /a valid config key must/,
    describe: noValid(
      () => t('letters, digits, "-", "_" and "."'),
      () => 'key',
    ),
  },
  { pattern: /a valid percent string/, describe: noValid(() => t('a percentage such as 25%')) },
  {
    pattern: /must contain at least one letter \(a-z\)/,
    describe: e => {
      const number = portNumberOf(e);
      return number === undefined ? PORT_NAME(e) : t`the port ${shown(e)} is text: write ${number} without quotes`;
    },
  },
  {
    pattern: /must contain only alpha-numeric characters \(a-z, 0-9\)/,
    describe: PORT_NAME,
  },
  {
    pattern: /must be no more than (\d+) (?:characters|bytes)/,
    describe: (e, [, n]) => t`the ${nounOf(e.at)} is too long: at most ${n} characters`,
  },
  {
    pattern: /must be (?:between|in the range) (-?\d+)(?: and |-)(-?\d+)(, inclusive)?/,
    describe: (e, [, low, high]) => t`${field(e)} must be from ${low} to ${high}${itIs(e)}`,
  },
  {
    pattern: /must be greater than or equal to `?(-?\d+|\w+)`?$/,
    describe: (e, [, n]) => t`${field(e)} must be at least ${n}${itIs(e)}`,
  },
  {
    pattern: /must be greater than (?:zero|0)$|must be positive/,
    describe: e => t`${field(e)} must be above 0${itIs(e)}`,
  },
  {
    pattern: /must be greater than (\d+|\w+Seconds)$/,
    describe: (e, [, n]) => t`${field(e)} must be above ${n}${itIs(e)}`,
  },
  {
    pattern: /must be less than or equal to (\S+) limit(?: of (\S+))?$/,
    describe: (e, [, resource, limit]) =>
      t`the ${resource} request${valueText(e)} is above its limit${limit ? ` (${limit})` : ''}: lower it, or raise the limit`,
  },
  {
    pattern: /must be less than or equal to pod limits of (\S+)/,
    describe: (e, [, limit]) => t`${shown(e)} is above the Pod's own limit (${limit}): lower it, or raise the Pod's`,
  },
  {
    pattern: /must be greater than or equal to aggregate container (requests|limits) of (\S+)/,
    describe: (e, [, what, sum]) =>
      t`${shown(e)} is less than the ${what} of the containers together (${sum}): raise it`,
  },
  { pattern: /must not be greater than (\S+)$/, describe: (e, [, n]) => t`${field(e)} must be at most ${n}${itIs(e)}` },
  {
    pattern: /must be less than or equal to (\S+)$/,
    describe: (e, [, n]) => t`${field(e)} must be at most ${n}${itIs(e)}`,
  },
  {
    pattern: /must be a number between 0 and 0777/,
    describe: e => t`${shown(e)} is no file mode: write it in octal, from 0 to 0777`,
  },
  {
    pattern: /must (?:not contain|not start with) '\.\.'/,
    describe: e => t`${field(e)} must stay inside its folder: take ".." out of ${shown(e)}`,
  },
  {
    pattern: /must be a relative path/,
    describe: e => t`${field(e)} must be a relative path: take the leading "/" from ${shown(e)}`,
  },
  {
    pattern: /must be an absolute path|must be absolute/,
    describe: e => t`${field(e)} must be an absolute path: begin it with "/"`,
  },
  {
    pattern: /`selector` does not match template `labels`/,
    describe: () => t('the selector does not match the labels of the template: give both the same labels'),
  },
  {
    pattern: /must be a valid IP address/,
    describe: e => t`${shown(e)} is no IP address: write one such as 10.0.0.1 or fd00::1`,
  },
  {
    pattern: /must not have leading 0s/,
    describe: e => t`${shown(e)} has leading zeros in an IP address: take them away`,
  },
  {
    pattern: /must be unique/,
    describe: e => t`the ${nounOf(e.at)} ${shown(e)} is used twice: change or remove one`,
  },
  {
    pattern: /not a valid selector operator/,
    describe: e => t`${shown(e)} is no operator of a selector: use In, NotIn, Exists or DoesNotExist`,
  },
  {
    pattern: /must specify one of: (.+)$/,
    describe: (e, [, names]) =>
      t`the ${nounOf(e.at)} needs exactly one of ${(names ?? '').replaceAll('`', '').slice(0, 90)}`,
  },
  {
    pattern: /^must not contain (dots|consecutive hyphens)$/,
    describe: (e, [, what]) => t`${field(e)} must not contain ${what}${itIs(e)}`,
  },
  { pattern: /must be an integer/, describe: e => t`${shown(e)} must be a whole number here` },
  {
    pattern: /must be a standard resource/,
    describe: e =>
      t`${shown(e)} is no resource of Kubernetes: use cpu, memory, … or a name with a domain, example.com/gpu`,
  },
  {
    pattern: /exists in both (\S+) and (\S+)/,
    describe: (e, [, a, b]) => t`${shown(e)} is in both ${a} and ${b}: remove it from one`,
  },
  {
    pattern: /value must be empty when `operator` is 'Exists'/,
    describe: () => t('"Exists" asks for the key alone: remove "value", or use "Equal"'),
  },
  {
    pattern: /effect must be 'NoExecute' when `tolerationSeconds` is set/,
    describe: () => t('"tolerationSeconds" works with effect NoExecute only: change the effect or remove the seconds'),
  },
  {
    pattern: /operator must be Exists when `key` is empty/,
    describe: () => t('a toleration without a key tolerates all taints: its operator must be "Exists"'),
  },
  {
    pattern: /must match `containerPort` when `hostNetwork` is true/,
    describe: () =>
      t('on the host network a port is the host\'s: "hostPort" must be the same as "containerPort", or left out'),
  },
  {
    pattern: /cannot set `allowPrivilegeEscalation` to false and `privileged` to true/,
    describe: () =>
      t('a privileged container can always escalate: remove "privileged", or the allowPrivilegeEscalation: false'),
  },
  {
    pattern: /must match dataSourceRef/,
    describe: () => t('"dataSource" and "dataSourceRef" name different things: keep one'),
  },
  {
    pattern: /leading or trailing whitespace|padded with whitespace/,
    describe: e => t`${field(e)} has blanks around it: take them away`,
  },
  { pattern: /not a valid field selector key/, describe: e => t`${shown(e)} cannot be selected by: use metadata.name` },
  {
    pattern: /must be a valid seccomp profile/,
    describe: e => t`${shown(e)} is no seccomp profile: use RuntimeDefault, Unconfined or localhost/…`,
  },
  {
    pattern: /can only be (?:set|used) (?:when|if) (.+)/,
    describe: (e, [, when]) => t`${field(e)} can only be set when ${(when ?? '').slice(0, 60)}`,
  },
  {
    pattern: /^(.+) and (.+) can ?not be specified simultaneously|^(.+) and (.+) are mutually exclusive/,
    describe: (_, [, a, b, c, d]) => t`"${a ?? c}" and "${b ?? d}" exclude each other: keep one`,
  },
  {
    pattern: /may not have more than one field specified at a time/,
    describe: e => t`the ${nounOf(e.at)} has more than one source: keep one`,
  },
  {
    pattern: /^must be '([^']+)'(?: or '([^']+)')?$/,
    describe: (e, words) =>
      t`${field(e)} must be ${words
        .slice(1)
        .filter(it => it)
        .map(quoted)
        .join(' or ')} here${itIs(e)}`,
  },
  {
    pattern: /must not be set|must be empty|may not be (?:set|specified)/,
    describe: e => t`${field(e)} must not be set here: remove it`,
  },
];
