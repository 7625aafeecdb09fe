import { byteLength } from '../base/byteLength';

/**
 * Checks of names with upstream's messages. Every function returns one message for each error, none for a valid value.
 * Upstream: k8s.io/apimachinery/pkg/util/validation and pkg/api/validate/content.
 */

/**
 * Upstream always counts bytes; the messages of its newer checks (labels) have `bytes`, those of older ones
 * `characters`.
 */
type LengthUnit = 'bytes' | 'characters';

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain = `${label}(\\.${label})*`;
const wildcard = `\\*\\.${subdomain}`;
const underscoreLabel = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const underscoreSubdomain = `${underscoreLabel}(\\.${underscoreLabel})*`;
const label1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const qualifiedName = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const labelValue = `(${qualifiedName})?`;
const configMapKey = '[-._a-zA-Z0-9]+';
const envVarName = '[-._a-zA-Z][-._a-zA-Z0-9]*';

const labelPattern = whole(label);
const subdomainPattern = whole(subdomain);
const wildcardPattern = whole(wildcard);
const underscoreSubdomainPattern = whole(underscoreSubdomain);
const label1035Pattern = whole(label1035);
const qualifiedNamePattern = whole(qualifiedName);
const labelValuePattern = whole(labelValue);
/** A quick test for nearly all valid keys, for which no length needs to be counted in bytes. */
const plainQualifiedNamePattern = whole(`(${subdomain}/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?`);
const configMapKeyPattern = whole(configMapKey);
const envVarNamePattern = whole(envVarName);

const subdomainRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', " +
  'and must start and end with an alphanumeric character';
const qualifiedNameRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

const NONE: readonly string[] = [];

/** Upstream: IsDNS1123Label. */
export function dns1123LabelErrors(value: string): readonly string[] {
  const errors = lengthErrors(value, 63);
  if (labelPattern.test(value)) return errors;
  if (subdomainPattern.test(value)) return [...errors, 'must not contain dots'];
  const rule =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', " +
    'and must start and end with an alphanumeric character';
  return [...errors, regexError(rule, label, 'my-name', '123-abc')];
}

/** Upstream: IsDNS1123Subdomain. */
export function dns1123SubdomainErrors(value: string): readonly string[] {
  return subdomainErrors(value, 'characters');
}

/** A subdomain after `*.`. Upstream: IsWildcardDNS1123Subdomain. */
export function wildcardDns1123SubdomainErrors(value: string): readonly string[] {
  const rule =
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of " +
    "lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character";
  return [
    ...lengthErrors(value, 253),
    ...(wildcardPattern.test(value) ? [] : [regexError(rule, wildcard, '*.example.com')]),
  ];
}

/** A subdomain, with the message of declarative validation. Upstream: content.IsDNS1123Subdomain, validate.LongName. */
export function longNameErrors(value: string): readonly string[] {
  return subdomainErrors(value, 'bytes');
}

/** Upstream: IsDNS1123SubdomainWithUnderscore. */
export function dns1123SubdomainWithUnderscoreErrors(value: string): readonly string[] {
  const errors = lengthErrors(value, 253);
  if (underscoreSubdomainPattern.test(value)) return errors;
  const rule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', " +
    'and must start and end with an alphanumeric character';
  return [...errors, regexError(rule, underscoreSubdomain, 'example.com')];
}

/** Upstream: IsDNS1035Label. */
export function dns1035LabelErrors(value: string): readonly string[] {
  const errors = lengthErrors(value, 63);
  if (label1035Pattern.test(value)) return errors;
  const rule =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, " +
    'and end with an alphanumeric character';
  return [...errors, regexError(rule, label1035, 'my-name', 'abc-123')];
}

/** The key of a label, annotation, taint or extended resource. Upstream: IsQualifiedName (content.IsLabelKey). */
export function qualifiedNameErrors(value: string): readonly string[] {
  if (value.length <= 253 && plainQualifiedNamePattern.test(value)) return NONE;
  const parts = value.split('/');
  const examples = ['MyName', 'my.name', '123-abc'];
  if (parts.length > 2) {
    const rule = `a valid label key ${regexError(qualifiedNameRule, qualifiedName, ...examples)}`;
    return [`${rule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const name = parts.at(-1) ?? '';
  return [
    ...(parts.length === 2 ? prefixErrors(parts[0] ?? '') : []),
    ...(name === '' ? ['must be non-empty'] : lengthErrors(name, 63, 'bytes')).map(it => `name part ${it}`),
    ...(qualifiedNamePattern.test(name)
      ? []
      : [`name part ${regexError(qualifiedNameRule, qualifiedName, ...examples)}`]),
  ];
}

/** Upstream: IsValidLabelValue (content.IsLabelValue). */
export function labelValueErrors(value: string): readonly string[] {
  const errors = lengthErrors(value, 63, 'bytes');
  if (labelValuePattern.test(value)) return errors;
  const rule =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', " +
    'and must start and end with an alphanumeric character';
  return [...errors, regexError(rule, labelValue, 'MyValue', 'my_value', '12345')];
}

/** Upstream: IsValidPortName. */
export function portNameErrors(value: string): readonly string[] {
  return [
    ...lengthErrors(value, 15),
    ...(/^[-a-z0-9]+$/.test(value) ? [] : ['must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)']),
    ...(/[a-z]/.test(value) ? [] : ['must contain at least one letter (a-z)']),
    ...(value.includes('--') ? ['must not contain consecutive hyphens'] : []),
    ...(/^-|-$/.test(value) ? ['must not begin or end with a hyphen'] : []),
  ];
}

/** Upstream: IsConfigMapKey. */
export function configMapKeyErrors(value: string): readonly string[] {
  const rule = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'";
  return [
    ...lengthErrors(value, 253),
    ...(configMapKeyPattern.test(value) ? [] : [regexError(rule, configMapKey, 'key.name', 'KEY_NAME', 'key-name')]),
    ...dotErrors(value),
  ];
}

/** Upstream: IsEnvVarName. */
export function envVarNameErrors(value: string): readonly string[] {
  const rule =
    "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', " +
    'and must not start with a digit';
  return [
    ...(envVarNamePattern.test(value)
      ? []
      : [regexError(rule, envVarName, 'my.env-name', 'MY_ENV.NAME', 'MyEnvName1')]),
    ...dotErrors(value),
  ];
}

/** Upstream: IsRelaxedEnvVarName. */
export function relaxedEnvVarNameErrors(value: string): readonly string[] {
  const rule = "a valid environment variable name must consist only of printable ASCII characters other than '='";
  return [
    ...(value === '' ? ['environment variable name must be non-empty'] : []),
    ...(/^[ -<>-~]*$/.test(value) ? [] : [rule]),
  ];
}

/** Upstream: IsValidPortNum. */
export function portNumberErrors(value: number): readonly string[] {
  return value >= 1 && value <= 65_535 ? [] : ['must be between 1 and 65535, inclusive'];
}

function prefixErrors(prefix: string): readonly string[] {
  const errors = prefix === '' ? ['must be non-empty'] : subdomainErrors(prefix, 'bytes');
  return errors.map(it => `prefix part ${it}`);
}

function dotErrors(value: string): readonly string[] {
  if (value === '.') return ["must not be '.'"];
  if (value === '..') return ["must not be '..'"];
  return value.startsWith('..') ? ["must not start with '..'"] : [];
}

function subdomainErrors(value: string, unit: LengthUnit): readonly string[] {
  const errors = lengthErrors(value, 253, unit);
  return subdomainPattern.test(value) ? errors : [...errors, regexError(subdomainRule, subdomain, 'example.com')];
}

function lengthErrors(value: string, most: number, unit: LengthUnit = 'characters'): readonly string[] {
  // A UTF-16 unit is three bytes at most.
  if (value.length * 3 <= most) return NONE;
  return byteLength(value) > most ? [`must be no more than ${most} ${unit}`] : [];
}

function regexError(rule: string, pattern: string, ...examples: readonly string[]): string {
  return `${rule} (e.g. ${examples.map(it => `'${it}'`).join(',  or ')}, regex used for validation is '${pattern}')`;
}

function whole(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}
