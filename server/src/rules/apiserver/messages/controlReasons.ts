import { t } from '../../../base/l10n';
import { field, itIs, type Reason, shown } from './reasonWords';

/** Reasons of FieldValueInvalid of RBAC, Events, Leases, Evictions, signers and metadata. Upstream: the messages of their groups. */
export const REASONS_OF_CONTROL: readonly Reason[] = [
  {
    pattern: /^namespaced rules cannot apply to non-resource URLs/,
    describe: () => t('a Role is about one namespace, and URLs are in none: use a ClusterRole'),
  },
  {
    pattern: /^rules cannot apply to both regular resources and non-resource URLs/,
    describe: () => t('a rule is about resources or about URLs, this one is about both: make two rules of it'),
  },
  { pattern: /^invalid label selector\./, describe: () => t('the selector cannot be used: correct its labels') },
  {
    pattern: /^does not match event\.namespace/,
    describe: e => t`the Event must be in the namespace of its object${e.value === '' ? '' : `, ${shown(e)}`}`,
  },
  {
    pattern: /^has invalid value: (.*)$/,
    describe: (e, [, type = '']) => t`${field(e)} must be Normal or Warning${type === '' ? '' : t`; it is "${type}"`}`,
  },
  { pattern: /^needs to be unset/, describe: e => t`${field(e)} belongs to Events of version v1: remove it` },
  { pattern: /^should be at least (\d+)/, describe: (e, [, n]) => t`${field(e)} must be at least ${n}` },
  {
    pattern: /^can have at most (\d+) characters/,
    describe: (e, [, n]) => t`${field(e)} has more than ${n} characters: shorten it`,
  },
  {
    pattern: /^must be a valid semantic version/,
    describe: e => t`${shown(e)} is no version: write one such as 1.37.0`,
  },
  {
    pattern: /^domain names .+ are reserved/,
    describe: e => t`the domain of ${shown(e)} belongs to Kubernetes: use one of your own`,
  },
  {
    pattern: /^must be a lowercase UUID/,
    describe: e => t`${shown(e)} is no UID: write that of the Pod, such as 6ba7b810-9dad-11d1-80b4-00c04fd430c8`,
  },
  {
    pattern: /^must be a fully qualified domain and path/,
    describe: e => t`${shown(e)} is no signer: write a domain, "/" and a name, such as example.com/signer-name`,
  },
  { pattern: / is disallowed from being an owner$/, describe: () => t('an Event cannot be an owner: remove it') },
  {
    pattern: /^must be <group>\/<version> or <version>|^unexpected GroupVersion string/,
    describe: e => t`${shown(e)} is no API version: write the group, "/" and the version, such as apps/v1`,
  },
  {
    pattern: /^finalizer orphan and foregroundDeletion/,
    describe: () => t('the finalizers orphan and foregroundDeletion exclude each other: keep one'),
  },
  {
    pattern: /(?:must|should) be a non-negative integer$/,
    describe: e => t`${field(e)} must be at least 0${itIs(e)}`,
  },
  { pattern: /^must be non-empty if specified/, describe: e => t`${field(e)} is blank: write a text, or remove it` },
];
