import { t } from '../../../base/l10n';
import { field, itIs, type Reason, shown } from './reasonWords';

/** Reasons of FieldValueInvalid of certificates, API priority and the API server's own kinds. */
export const REASONS_OF_SYSTEM: readonly Reason[] = [
  {
    pattern: /^must be `spec\.version\+"\."\+spec\.group`: (.+)$/,
    describe: (_, [, name]) => t`an APIService is named after its version and group: name it ${name}`,
  },
  {
    pattern: /^must be positive and less than (\d+)$/,
    describe: (e, [, most]) => t`${field(e)} must be from 1 to ${most}${itIs(e)}`,
  },
  {
    pattern: /^local APIServices may not have/,
    describe: e => t`${field(e)} is for an APIService with a "service": remove it, or add the service`,
  },
  {
    pattern: /^may not be true if caBundle is present/,
    describe: e => t`${field(e)} and "caBundle" exclude each other: keep one`,
  },
  {
    pattern: /^only the schema named 'exempt' may have/,
    describe: e => t`${field(e)} 1 is for the FlowSchema "exempt" alone: use 2 or more`,
  },
  { pattern: /^must start with slash/, describe: e => t`${shown(e)} must begin with "/"` },
  { pattern: /^wildcard can only do suffix/, describe: e => t`"*" may only follow a "/" at the end of ${shown(e)}` },
  { pattern: /^must not contain double slash/, describe: e => t`${shown(e)} must not contain "//"` },
  {
    pattern: /must equal the fixed value$/,
    describe: () => t('the server itself makes the object of this name: its spec cannot be another'),
  },
  {
    pattern: /^required entropy bits of deckSize (\d+)/,
    describe: (e, [, queues]) => t`${field(e)} is too much for ${queues} queues${itIs(e)}: lower it`,
  },
  {
    pattern: /^should not be greater than queues \((-?\d+)\)/,
    describe: (e, [, queues]) => t`${field(e)} must be at most the ${queues} queues${itIs(e)}`,
  },
  {
    pattern: /^must be 'Exempt' if and only if/,
    describe: e =>
      e.value === 'Exempt'
        ? t('only the object named "exempt" may have the type Exempt')
        : t('the object named "exempt" must have the type Exempt'),
  },
  {
    pattern: /^PEM block type must be|^asn1: /,
    describe: e => t`${field(e)} must be a request for a certificate in PEM, written in base64`,
  },
  {
    pattern: /^crypto\/rsa: |^x509: |^invalid signature$/,
    describe: e => t`the signature in ${field(e)} is not that of its key: make the request again`,
  },
  {
    pattern: /^could not verify proof-of-possession/,
    describe: e => t`${field(e)} is not the signature of the Pod's uid with this key`,
  },
  {
    pattern: /^the legacy signerName is not allowed/,
    describe: e => t`${shown(e)} signs nothing in this version: name another signer`,
  },
  {
    pattern: /^ClusterTrustBundle for signerName \S+ must be named with prefix (\S+)$/,
    describe: (e, [, prefix]) => t`${shown(e)} must begin with its signer: ${prefix}NAME`,
  },
  {
    pattern: /^at least one trust anchor/,
    describe: e => t`${field(e)} holds no certificate in PEM`,
  },
  {
    pattern: /^entry (\d+) (.+)$/,
    describe: (e, [, index, what]) => t`entry ${index} of ${field(e)} cannot be used: it ${what}`,
  },
  { pattern: /^duplicate trust anchor/, describe: e => t`${field(e)} holds a certificate twice: remove one` },
  {
    pattern: /^exactly one of \(stubPKCS10Request\)/,
    describe: () => t('the request needs either "stubPKCS10Request", or "pkixPublicKey" and "proofOfPossession"'),
  },
  {
    pattern: /^must be in the range \[(\d+), (\d+)\]$/,
    describe: (e, [, least, most]) => t`${field(e)} must be from ${least} to ${most}${itIs(e)}`,
  },
  {
    pattern: /^(?:elliptic public|RSA) keys must (.+)$/,
    describe: (e, [, rule]) => t`the key in ${field(e)} must ${rule}${itIs(e)}`,
  },
  {
    pattern: /^may not specify a duration less than (\d+) seconds/,
    describe: (e, [, least]) => t`${field(e)} must be at least ${least}${itIs(e)}`,
  },
  { pattern: /^must not be empty$/, describe: e => t`${field(e)} is empty: give it a value` },
  { pattern: /^segment \d+: /, describe: e => t`${shown(e)} must be names with one "/" between them` },
];
