import { t } from '../../../base/l10n';
import { quoted } from '../../../base/quoted';
import { fieldOf, nounOf } from './nouns';
import { field, itIs, type Reason, shown, valueText } from './reasonWords';

/** The reason for DaemonSets and Deployments, whose messages differ. */
export const neitherSurgeNorUnavailable = (): string =>
  t('"maxSurge" and "maxUnavailable" are both 0, so that no Pod could ever be replaced: raise one of them');

/** Reasons of FieldValueInvalid that only some kinds or fields have. Upstream: the messages of pkg/apis. */
export const REASONS_OF_KINDS: readonly Reason[] = [
  {
    pattern: /may not be 0 when `?maxSurge`? is 0/,
    describe: () => neitherSurgeNorUnavailable(),
  },
  {
    pattern: /^unknown time zone/,
    describe: e => t`${shown(e)} is no known time zone: use one such as Europe/Berlin or Etc/UTC`,
  },
  {
    pattern: /^(min|default|default request) value (\S+) is greater than (\S+) value (\S+)$/,
    describe: (e, [, what, value, bound, most]) =>
      t`the ${what} of ${quoted(fieldOf(e.at))} (${value}) is above its ${bound} (${most}): lower it, or raise the ${bound}`,
  },
  {
    pattern: /must specify API group/,
    describe: () => t('"apiVersion" must name the group and version of the kind, such as apps/v1'),
  },
  {
    pattern: /`selector` not auto-generated/,
    describe: () => t('the server makes the selector of a Job: remove it, or set manualSelector: true'),
  },
  {
    pattern: /only allowed for updateStrategy '(\w+)'/,
    describe: (e, [, type]) =>
      t`${field(e)} works with updateStrategy type ${type} only: remove it, or change the type`,
  },
  {
    pattern: /^must be non-negative and less than terminationGracePeriodSeconds \((\d+)\)/,
    describe: (e, [, most]) =>
      Number(e.value) < 0
        ? t`the seconds to sleep must be at least 0; they are ${shown(e)}`
        : t`${shown(e)} is above terminationGracePeriodSeconds ${most}`,
  },
  {
    pattern: /^minAvailable and maxUnavailable cannot be both set/,
    describe: () => t('"minAvailable" and "maxUnavailable" exclude each other: keep one'),
  },
  {
    pattern: /may only be set for externally-accessible services/,
    describe: e =>
      t`${field(e)} works with type NodePort or LoadBalancer, or with externalIPs, only: remove it, or change the type`,
  },
  {
    pattern: /a fully qualified name must be a domain and a name/,
    describe: e => t`${shown(e)} must be a domain and a name, such as example.com/model`,
  },
  {
    pattern: /must be the name of a request in the claim/,
    describe: e => t`the claim has no request ${shown(e)}: correct the name, or add the request`,
  },
  {
    pattern: /^must evaluate to bool or the unknown type, not (\S+)/,
    describe: (e, [, type]) => t`${field(e)} must come out true or false; it gives ${type}`,
  },
  {
    pattern: /^exactly one of (\S+) and (\S+) must be set/,
    describe: (e, [, a, b]) => t`the ${nounOf(e.at)} needs either "${a}" or "${b}", and not both`,
  },
  {
    pattern: /must not be the empty string when set|cannot be an empty string/,
    describe: e => t`${field(e)} is empty: give it a value, or remove it`,
  },
  {
    pattern: /in body should have at (least|most) (\d+) items/,
    describe: (e, [, bound, n]) =>
      bound === 'least'
        ? t`${field(e)} must have at least ${items(n)}; it has ${shown(e)}`
        : t`${field(e)} must have at most ${items(n)}; it has ${shown(e)}`,
  },
  {
    pattern: /^some validation rules were not checked/,
    describe: () => t("the definition's CEL rules are checked once the other problems are solved"),
  },
  {
    pattern: /in body must be of type ((?:,?(?:string|integer|number|boolean|object|array|null))+): "(\w+)"$/,
    describe: (e, [, wanted = '', given = '']) => t`${field(e)} must be ${typeText(wanted)}, not ${typeText(given)}`,
  },
  {
    pattern: /in body must be of type ([\w-]+): /,
    describe: (e, [, format = '']) => t`${shown(e)} is no valid ${format}`,
  },
  {
    pattern: /in body should match '/,
    describe: e => t`${field(e)} must have the form that the resource's definition asks for${itIs(e)}`,
  },
  {
    pattern: /in body should be at (least|most) (\d+) chars long/,
    describe: (e, [, bound, n]) =>
      bound === 'least'
        ? t`${field(e)} must be at least ${n} characters long${itIs(e)}`
        : t`${field(e)} must be at most ${n} characters long${itIs(e)}`,
  },
  {
    pattern: /in body should be (greater|less) than or equal to (\S+)$/,
    describe: (e, [, way, n]) =>
      way === 'less' ? t`${field(e)} must be at most ${n}${itIs(e)}` : t`${field(e)} must be at least ${n}${itIs(e)}`,
  },
  {
    pattern: /in body should be (greater|less) than (\S+)$/,
    describe: (e, [, way, n]) =>
      way === 'less'
        ? t`${field(e)} must be less than ${n}${itIs(e)}`
        : t`${field(e)} must be more than ${n}${itIs(e)}`,
  },
  {
    pattern: /in body should be a multiple of (\S+)$/,
    describe: (e, [, n]) => t`${field(e)} must be a multiple of ${n}${itIs(e)}`,
  },
  {
    pattern: /^compilation failed: (?:ERROR: <input>:-?\d+:\d+: )?(.*?)(?: expecting \{.*)?$/m,
    describe: (e, [, why]) => t`${field(e)} is no valid CEL: ${why}`,
  },
  {
    pattern: /must be equal to (\S+) limit(?: of (\S+))?$/,
    describe: (e, [, resource, limit]) =>
      t`the ${resource} request${valueText(e)} must be the same as its limit${limit ? ` (${limit})` : ''}`,
  },
  {
    pattern: /must not already exist in volume(Devices|Mounts)/,
    describe: (e, [, other]) =>
      t`the volume ${shown(e)} is in volume${other} too: mount it as files or use it as a device, not both`,
  },
  {
    pattern: /field label not supported/,
    describe: e => t`${shown(e)} cannot be read here: use a field such as metadata.name, spec.nodeName or status.podIP`,
  },
  {
    pattern: /^must not have more than (.+)$/,
    describe: (e, [, most]) => t`${field(e)} has more than ${most}: remove some`,
  },
  {
    pattern: /^may only hold up to (.+)$/,
    describe: (e, [, most]) => t`${field(e)} has more than ${most}: remove some`,
  },
  { pattern: /^at least one value is required/, describe: e => t`${field(e)} is empty: give it at least one value` },
  {
    pattern: /specifying one of (\S+) and (\S+) is required/,
    describe: (e, [, ...fields]) =>
      t`this ${nounOf(e.at)} needs ${fields.map(it => quoted(it.replace(/^O/, 'o'))).join(' or ')}`,
  },
  { pattern: /^requires the (\w+) to be set/, describe: (e, [, name]) => t`${shown(e)} needs "${name}": set it` },
  { pattern: /^requires indexed completion mode/, describe: e => t`${field(e)} needs completionMode: Indexed` },
  {
    pattern: /^only "(\w+)" is supported when (\w+) is specified/,
    describe: (e, [, only, other]) => t`${field(e)} must be ${only} where "${other}" is written${itIs(e)}`,
  },
  { pattern: /^invalid character|^unexpected end of JSON/, describe: e => t`${field(e)} must hold JSON` },
  { pattern: /^must not be '(.+)'$/, describe: e => t`${shown(e)} is no name that can be used here: choose another` },
  {
    pattern: /^duplicate of key present in (\w+)/,
    describe: (e, [, other]) => t`the key ${shown(e)} is in ${other} too: remove one`,
  },
  {
    pattern: /^empty selector is invalid/,
    describe: () => t('the selector is empty: give it the labels of the template'),
  },
  {
    pattern: /^may not be in the ([\w -]+) range/,
    describe: (e, [, range]) => t`${shown(e)} is a ${range} address, which cannot be used here`,
  },
  {
    pattern: /^may only be set when (.+)$/,
    describe: (e, [, when]) =>
      t`${field(e)} may only be set when ${(when ?? '').replaceAll('`', '')}: remove it, or change that`,
  },
];

const TYPES: Readonly<Record<string, string>> = {
  object: 'a mapping',
  array: 'a list',
  string: 'text',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  null: 'empty',
};

/** The types of a schema in plain words. */
function typeText(types: string): string {
  return types
    .split(',')
    .map(it => TYPES[it] ?? it)
    .join(' or ');
}

const items = (count: string | undefined): string => (count === '1' ? t('1 item') : t`${count} items`);
