import { byteLength } from '../../../../base/byteLength';
import type { JsonObject } from '../../../../base/json';
import { record, records, text, texts } from '../../../../kube/goFields';
import { legacyIpErrors } from '../../../../kube/ip';
import { dns1123SubdomainErrors, dns1123SubdomainWithUnderscoreErrors } from '../../../../kube/names';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { applies } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';
import { type FieldError, invalid, invalids, required, type Validation } from '../errors';
import { subdomain } from '../shared/checks';

const MOST_NAMESERVERS = 3;
const MOST_SEARCHES = 32;
const MOST_SEARCH_BYTES = 2048;

/** Upstream: core validation.validatePodDNSConfig. */
export function* validateDnsConfig(spec: JsonObject, at: FieldPath, validation: Validation): Iterable<FieldError> {
  const config = record(spec, 'dnsConfig');
  const servers = texts(config, 'nameservers');
  const serversPath = at.child('nameservers');
  if (text(spec, 'dnsPolicy') === 'None') {
    if (config === undefined) {
      yield required(at, 'must provide `dnsConfig` when `dnsPolicy` is None');
      return;
    }
    if (servers.length === 0) {
      yield required(serversPath, 'must provide at least one DNS nameserver when `dnsPolicy` is None');
      return;
    }
  }
  if (servers.length > MOST_NAMESERVERS) {
    yield invalid(serversPath, servers, `must not have more than ${MOST_NAMESERVERS} nameservers`);
  }
  for (const [i, it] of servers.entries()) yield* address(it, serversPath.index(i), validation);
  yield* validateSearches(texts(config, 'searches'), at.child('searches'), validation);
  for (const [i, option] of records(config, 'options').entries()) {
    if (text(option, 'name') === '') yield required(at.child('options').index(i), 'must not be empty');
  }
}

function* validateSearches(searches: readonly string[], at: FieldPath, validation: Validation): Iterable<FieldError> {
  if (searches.length > MOST_SEARCHES) {
    yield invalid(at, searches, `must not have more than ${MOST_SEARCHES} search paths`);
  }
  if (byteLength(searches.join(' ')) > MOST_SEARCH_BYTES) {
    const detail = `must not have more than ${MOST_SEARCH_BYTES} characters (including spaces) in the search list`;
    yield invalid(at, searches, detail);
  }
  const isRelaxed = hasRelaxedSearches(validation);
  for (const [i, search] of searches.entries()) {
    if (isRelaxed && search === '.') continue;
    const name = search.replace(/\.$/, '');
    const errors = isRelaxed ? dns1123SubdomainWithUnderscoreErrors(name) : dns1123SubdomainErrors(name);
    yield* invalids(at.index(i), name, errors);
  }
}

/** The gate exists from 1.32 to 1.36; afterwards it is locked on. */
function hasRelaxedSearches({ kube, isOn }: Validation): boolean {
  return applies(minorChanges.relaxedSearches, kube) || isOn('RelaxedDNSSearchValidation');
}

/** Upstream: core validation.ValidateHostAliases. */
export function* validateHostAliases(spec: JsonObject, list: FieldPath, validation: Validation): Iterable<FieldError> {
  for (const [i, alias] of records(spec, 'hostAliases').entries()) {
    const at = list.index(i);
    yield* address(text(alias, 'ip'), at.child('ip'), validation);
    for (const [j, name] of texts(alias, 'hostnames').entries()) yield* subdomain(name, at.child('hostnames').index(j));
  }
}

/** Upstream: core validation.IsValidIPForLegacyField. */
function address(value: string, at: FieldPath, { isOn }: Validation): readonly FieldError[] {
  return invalids(at, value, legacyIpErrors(value, isOn('StrictIPCIDRValidation') ? 'strict' : 'sloppy'));
}
