import { printed } from '../../../base/printed';
import { quoted } from '../../../base/quoted';
import { REASONS_OF_KINDS } from './kindReasons';
import { nounOf } from './nouns';
import {
  field,
  itIs,
  LABEL,
  mapNoun,
  noValid,
  QUALIFIED,
  type Reason,
  SUBDOMAIN,
  shown,
  valueText,
} from './reasonWords';

/**
 * Reasons of FieldValueInvalid; the first that matches is used. Upstream: the messages of apimachinery's validation and
 * pkg/apis.
 */
export const REFUSED: readonly Reason[] = [
  ...REASONS_OF_KINDS,
  { pattern: /a lowercase RFC 1123 label must/, say: noValid(LABEL) },
  { pattern: /a DNS-1035 label must/, say: noValid(`lower-case letters, digits and "-", beginning with a letter`) },
  { pattern: /wildcard DNS-1123 subdomain/, say: noValid(`"*." and a domain such as example.com`) },
  { pattern: /prefix part (?:a lowercase RFC 1123|must be non-empty)/, say: noValid('a domain before the "/"') },
  { pattern: /name part must be non-empty/, say: noValid('a name of at least one letter or digit') },
  {
    pattern: /^name part must be no more than (\d+) bytes/,
    say: (e, [, n]) => `the ${mapNoun(e)} ${shown(e)} is too long: at most ${n} characters after the "/"`,
  },
  {
    pattern: /neither a standard finalizer name nor is it fully qualified/,
    say: e => `${shown(e)} is no finalizer: write a domain and a name, such as example.com/${printed(e.value)}`,
  },
  { pattern: /name part must consist/, say: noValid(QUALIFIED) },
  { pattern: /a lowercase RFC 1123 subdomain must/, say: noValid(SUBDOMAIN) },
  { pattern: /a valid label must be/, say: noValid(QUALIFIED, 'label value') },
  { pattern: /a valid label key must/, say: noValid(QUALIFIED, 'label key') },
  {
    pattern: /a valid (?:C_IDENTIFIER|environment variable name)/,
    say: noValid('printable characters without "="', 'environment variable name'),
  },
  {
    pattern: /a valid C identifier must/,
    say: noValid('letters, digits and "_", no digit first'),
  },
  {
    pattern: /may not specify a duration less than (\d+ minutes)/,
    say: (e, [, least]) => `${field(e)} must be at least ${least}; it is ${shown(e)} seconds`,
  },
  {
    pattern: /If pod contains any hostProcess containers/,
    say: () => 'a Pod has hostProcess containers or others, not both: set hostProcess for all or for none',
  },
  {
    pattern: /expected exactly 5 fields|failed to parse|(?:beginning|end) of range|provided bad location/,
    say: e => `${shown(e)} is no schedule of cron: write five fields, such as "0 3 * * *"`,
  },
  { pattern: /^must be (-?\d+)$/, say: (e, [, only]) => `${field(e)} must be ${only} here${itIs(e)}` },
  { pattern: /must be a valid CIDR/, say: e => `${shown(e)} is no range of addresses: write one such as 10.9.8.0/24` },
  {
    pattern: /at most one of (.+?)(?: may be specified| is allowed|$)/,
    say: (e, [, names]) => `the ${nounOf(e.at)} may have only one of ${(names ?? '').replaceAll('`', '').slice(0, 70)}`,
  },
  {
    pattern: /^(\S+) and (\S+) cannot both be enabled/,
    say: (_, [, a, b]) => `"${a}" and "${b}" exclude each other: turn one of them off`,
  },
  { pattern: /conflicting duplicate paths/, say: e => `two sources write to ${shown(e)}: change one of the paths` },
  { pattern: /a valid config key must/, say: noValid('letters, digits, "-", "_" and "."', 'key') },
  { pattern: /a valid percent string/, say: noValid('a percentage such as 25%') },
  {
    pattern: /must contain only alpha-numeric characters \(a-z, 0-9\)|must contain at least one letter \(a-z\)/,
    say: noValid('lower-case letters, digits and "-", at least one of them a letter', 'port name'),
  },
  {
    pattern: /must be no more than (\d+) (?:characters|bytes)/,
    say: (e, [, n]) => `the ${nounOf(e.at)} is too long: at most ${n} characters`,
  },
  {
    pattern: /must be (?:between|in the range) (-?\d+)(?: and |-)(-?\d+)(, inclusive)?/,
    say: (e, [, low, high]) => `${field(e)} must be from ${low} to ${high}${itIs(e)}`,
  },
  {
    pattern: /must be greater than or equal to `?(-?\d+|\w+)`?$/,
    say: (e, [, n]) => `${field(e)} must be at least ${n}${itIs(e)}`,
  },
  { pattern: /must be greater than (?:zero|0)$|must be positive/, say: e => `${field(e)} must be above 0${itIs(e)}` },
  { pattern: /must be greater than (\d+|\w+Seconds)$/, say: (e, [, n]) => `${field(e)} must be above ${n}${itIs(e)}` },
  {
    pattern: /must be less than or equal to (\S+) limit(?: of (\S+))?$/,
    say: (e, [, resource, limit]) =>
      `the ${resource} request${valueText(e)} is above its limit${limit ? ` (${limit})` : ''}: lower it, or raise the limit`,
  },
  {
    pattern: /must be less than or equal to pod limits of (\S+)/,
    say: (e, [, limit]) => `${shown(e)} is above the Pod's own limit (${limit}): lower it, or raise the Pod's`,
  },
  {
    pattern: /must be greater than or equal to aggregate container (requests|limits) of (\S+)/,
    say: (e, [, what, sum]) => `${shown(e)} is less than the ${what} of the containers together (${sum}): raise it`,
  },
  { pattern: /must not be greater than (\S+)$/, say: (e, [, n]) => `${field(e)} must be at most ${n}${itIs(e)}` },
  { pattern: /must be less than or equal to (\S+)$/, say: (e, [, n]) => `${field(e)} must be at most ${n}${itIs(e)}` },
  {
    pattern: /must be a number between 0 and 0777/,
    say: e => `${shown(e)} is no file mode: write it in octal, from 0 to 0777`,
  },
  {
    pattern: /must (?:not contain|not start with) '\.\.'/,
    say: e => `${field(e)} must stay inside its folder: take ".." out of ${shown(e)}`,
  },
  {
    pattern: /must be a relative path/,
    say: e => `${field(e)} must be a relative path: take the leading "/" from ${shown(e)}`,
  },
  {
    pattern: /must be an absolute path|must be absolute/,
    say: e => `${field(e)} must be an absolute path: begin it with "/"`,
  },
  {
    pattern: /`selector` does not match template `labels`/,
    say: () => 'the selector does not match the labels of the template: give both the same labels',
  },
  {
    pattern: /must be a valid IP address/,
    say: e => `${shown(e)} is no IP address: write one such as 10.0.0.1 or fd00::1`,
  },
  { pattern: /must not have leading 0s/, say: e => `${shown(e)} has leading zeros in an IP address: take them away` },
  {
    pattern: /must be unique/,
    say: e => `the ${nounOf(e.at)} ${shown(e)} is used twice: change or remove one`,
  },
  {
    pattern: /not a valid selector operator/,
    say: e => `${shown(e)} is no operator of a selector: use In, NotIn, Exists or DoesNotExist`,
  },
  {
    pattern: /must specify one of: (.+)$/,
    say: (e, [, names]) => `the ${nounOf(e.at)} needs exactly one of ${(names ?? '').replaceAll('`', '').slice(0, 90)}`,
  },
  {
    pattern: /^must not contain (dots|consecutive hyphens)$/,
    say: (e, [, what]) => `${field(e)} must not contain ${what}${itIs(e)}`,
  },
  { pattern: /must be an integer/, say: e => `${shown(e)} must be a whole number here` },
  {
    pattern: /must be a standard resource/,
    say: e => `${shown(e)} is no resource of Kubernetes: use cpu, memory, … or a name with a domain, example.com/gpu`,
  },
  {
    pattern: /exists in both (\S+) and (\S+)/,
    say: (e, [, a, b]) => `${shown(e)} is in both ${a} and ${b}: remove it from one`,
  },
  {
    pattern: /value must be empty when `operator` is 'Exists'/,
    say: () => '"Exists" asks for the key alone: remove "value", or use "Equal"',
  },
  {
    pattern: /effect must be 'NoExecute' when `tolerationSeconds` is set/,
    say: () => '"tolerationSeconds" works with effect NoExecute only: change the effect or remove the seconds',
  },
  {
    pattern: /operator must be Exists when `key` is empty/,
    say: () => 'a toleration without a key tolerates all taints: its operator must be "Exists"',
  },
  {
    pattern: /must match `containerPort` when `hostNetwork` is true/,
    say: () => 'on the host network a port is the host\'s: "hostPort" must be the same as "containerPort", or left out',
  },
  {
    pattern: /cannot set `allowPrivilegeEscalation` to false and `privileged` to true/,
    say: () =>
      'a privileged container can always escalate: remove "privileged", or the allowPrivilegeEscalation: false',
  },
  {
    pattern: /must match dataSourceRef/,
    say: () => '"dataSource" and "dataSourceRef" name different things: keep one',
  },
  {
    pattern: /leading or trailing whitespace|padded with whitespace/,
    say: e => `${field(e)} has blanks around it: take them away`,
  },
  { pattern: /not a valid field selector key/, say: e => `${shown(e)} cannot be selected by: use metadata.name` },
  {
    pattern: /must be a valid seccomp profile/,
    say: e => `${shown(e)} is no seccomp profile: use RuntimeDefault, Unconfined or localhost/…`,
  },
  {
    pattern: /can only be (?:set|used) (?:when|if) (.+)/,
    say: (e, [, when]) => `${field(e)} can only be set when ${(when ?? '').slice(0, 60)}`,
  },
  {
    pattern: /^(.+) and (.+) can ?not be specified simultaneously|^(.+) and (.+) are mutually exclusive/,
    say: (_, [, a, b, c, d]) => `"${a ?? c}" and "${b ?? d}" exclude each other: keep one`,
  },
  {
    pattern: /may not have more than one field specified at a time/,
    say: e => `the ${nounOf(e.at)} has more than one source: keep one`,
  },
  {
    pattern: /^must be '([^']+)'(?: or '([^']+)')?$/,
    say: (e, words) =>
      `${field(e)} must be ${words
        .slice(1)
        .filter(it => it)
        .map(quoted)
        .join(' or ')} here${itIs(e)}`,
  },
  {
    pattern: /must not be set|must be empty|may not be (?:set|specified)/,
    say: e => `${field(e)} must not be set here: remove it`,
  },
];
