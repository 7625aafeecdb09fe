import { t } from '../../../base/l10n';
/** Reasons of FieldValueForbidden for which more can be said than "remove it". */
export const NOT_ALLOWED: readonly {
  readonly pattern: RegExp;
  readonly say: (field: string, detail: string) => string;
}[] = [
  {
    pattern: /^estimated (?:rule|messageExpression) cost exceeds budget by factor of (.+?) \(/,
    say: (field, detail) =>
      t`this ${field} could cost ${/factor of (.+?) \(/.exec(detail)?.[1] ?? t('more than')} what the server allows: limit the lists, maps and texts that it reads with maxItems, maxProperties and maxLength`,
  },
  {
    pattern: /^x-kubernetes-validations estimated .*exceeds budget by factor of (.+?) \(/,
    say: (field, detail) =>
      t`the rules below ${field} could cost ${/factor of (.+?) \(/.exec(detail)?.[1] ?? t('more than')} what the server allows: limit lists, maps and texts with maxItems, maxProperties and maxLength`,
  },
  {
    pattern: /^contributed to estimated rule cost total/,
    say: () => t('this rule is among the most expensive of a schema whose rules cost too much together'),
  },
  {
    pattern: /additionalProperties and properties are mutual exclusive/,
    say: () => t('"additionalProperties" is for maps and "properties" is for objects: keep one'),
  },
  {
    pattern: /must be (?:empty|undefined|false) to be structural/,
    say: field => t`${field} is not allowed inside allOf, anyOf, oneOf or not: declare it in the schema around`,
  },
  {
    pattern: /must not specify anything other than name and generateName/,
    say: () => t('the server knows the schema of metadata: write no more than type: object there'),
  },
  {
    pattern: /^name and selector are mutually exclusive/,
    say: () => t('"name" and "selector" exclude each other: keep one'),
  },
  {
    pattern: /^(\w+) is forbidden when subject kind is not '(\w+)'/,
    say: (field, detail) => t`${field} is for subjects of kind ${/'(\w+)'/.exec(detail)?.[1]}: remove it`,
  },
  {
    pattern: /may not specify more than 1 volume type per source/,
    say: () => t('a source has one type, this one has several: keep one of them'),
  },
  {
    pattern: /may not specify more than 1 handler type/,
    say: field => t`a probe or a hook has one action, this one has ${field} too: keep one of them`,
  },
  {
    pattern: /SizeLimit field must be a valid resource quantity/,
    say: field => t`${field} must not be negative`,
  },
  {
    pattern: /may not specify more than 1 volume type/,
    say: field => t`a volume has one type, this one has ${field} too: keep one of them`,
  },
  {
    pattern: /ephemeral containers not allowed in pod template/,
    say: () => t('ephemeral containers are added to a running Pod only: remove them from the template'),
  },
  {
    pattern: /cannot be set for an Ephemeral Container/,
    say: field => t`an ephemeral container cannot have ${field}: remove it`,
  },
  {
    pattern: /may not be set for init containers without restartPolicy=Always/,
    say: field => t`an init container has ${field} only as a sidecar: remove it, or set restartPolicy: Always`,
  },
  {
    pattern: /cannot be set on create|not allowed on create/,
    say: field => t`${field} cannot be set when the object is created: remove it`,
  },
  {
    pattern: /Bidirectional mount propagation is available only to privileged/,
    say: () => t('Bidirectional needs a privileged container: use HostToContainer, or make the container privileged'),
  },
  {
    pattern: /HugePages require cpu or memory/,
    say: () => t('huge pages go along with cpu or memory: request one of them too'),
  },
  {
    pattern: /may not use ReadWriteOncePod with other access modes/,
    say: () => t('ReadWriteOncePod stands alone: remove the other access modes'),
  },
  {
    pattern: /may not be specified when `operator` is 'Exists' or 'DoesNotExist'/,
    say: field => t`Exists and DoesNotExist look at the key alone: remove ${field}`,
  },
  {
    pattern: /may not specify both ipBlock and another peer/,
    say: () => t('an ipBlock stands alone: make a peer of its own of each selector beside it'),
  },
  {
    pattern: /^`parameters\.scope` is set to 'Cluster'/,
    say: field => t`${field} needs scope: Namespace: set that, or remove ${field}`,
  },
  {
    pattern: /(?:may not be set|cannot be set) for a windows pod/,
    say: field => t`${field} is not for Windows Pods (os.name: windows): remove it`,
  },
  {
    pattern: /may only be (?:used|specified) when|only allowed (?:when|if)/,
    say: (field, detail) =>
      t`${field} is only allowed ${/when .+|if .+/.exec(detail)?.[0].replaceAll('`', '').slice(0, 70) ?? t('elsewhere')}`,
  },
  {
    pattern: /may not be (?:specified|set) when (.+)/,
    say: (field, detail) =>
      t`${field} is not allowed ${/when .+/.exec(detail)?.[0].replaceAll('`', '').slice(0, 70)}: remove it`,
  },
];
