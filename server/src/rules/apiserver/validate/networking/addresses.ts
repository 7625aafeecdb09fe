import type { JsonObject } from '../../../../base/json';
import { mapField, record, text, texts } from '../../../../kube/goFields';
import { cidrErrors, ipFamily, parseCidr } from '../../../../kube/ip';
import type { Kube } from '../../../../kube/kube';
import { FieldPath } from '../../../../manifest/fieldPath';
import { applies } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';
import { type FieldError, invalid, invalids, type KindStrategy, required } from '../errors';
import { validateKindMeta } from '../kindMeta';
import { pathSegmentErrors } from '../metadata';
import { subdomain } from '../shared/checks';
import { dropStatus } from '../shared/drops';

/** Upstream: pkg/apis/networking/validation. */

/** Upstream: ValidateServiceCIDR. */
export const serviceCidrStrategy: KindStrategy = {
  drop: (object, { isOn }) => (isOn('ServiceCIDRStatusFieldWiping') ? dropStatus(object) : { object, dropped: [] }),
  *validate(object, { kube }) {
    yield* validateKindMeta(object, 'networking.k8s.io/ServiceCIDR');
    yield* validateCidrs(texts(record(object, 'spec'), 'cidrs'), FieldPath.of('spec', 'cidrs'), kube);
  },
};

function* validateCidrs(cidrs: readonly string[], at: FieldPath, kube: Kube): Iterable<FieldError> {
  if (cidrs.length === 0) yield required(at, 'at least one CIDR required');
  else if (cidrs.length > 2) yield invalid(at, { CIDRs: cidrs }, 'may only hold up to 2 values');
  else {
    const [first, second] = cidrs.map(familyOf);
    const isEachChecked = applies(minorChanges.rangesOneByOne, kube);
    const isDual = first !== undefined && second !== undefined && first !== second;
    if (isEachChecked || cidrs.length === 1 || isDual)
      for (const [i, cidr] of cidrs.entries()) yield* invalids(at.index(i), cidr, cidrErrors(cidr));
    if (isEachChecked ? second === undefined || first !== second : cidrs.length === 1 || isDual) return;
    const detail = 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';
    yield invalid(at, cidrs, detail);
  }
}

function familyOf(cidr: string): 'IPv4' | 'IPv6' | undefined {
  const parsed = parseCidr(cidr);
  return parsed === undefined ? undefined : ipFamily(parsed.ip);
}

/** Upstream: ValidateIPAddress; its noopNameGenerator takes generateName for the name. */
export const ipAddressStrategy: KindStrategy = {
  defaults: object => mapField(object, 'metadata', withNameOfPrefix),
  *validate(object) {
    yield* validateKindMeta(object, 'networking.k8s.io/IPAddress');
    yield* validateParent(record(record(object, 'spec'), 'parentRef'), FieldPath.of('spec', 'parentRef'));
  },
};

function withNameOfPrefix(metadata: JsonObject): JsonObject {
  return text(metadata, 'name') === '' ? { ...metadata, name: text(metadata, 'generateName') } : metadata;
}

/** Upstream: validateIPAddressParentReference. */
function* validateParent(reference: JsonObject | undefined, at: FieldPath): Iterable<FieldError> {
  if (reference === undefined) {
    yield required(at);
    return;
  }
  const group = text(reference, 'group');
  if (group !== '') yield* subdomain(group, at.child('group'));
  for (const field of ['resource', 'name', 'namespace']) {
    const value = text(reference, field);
    if (value !== '') yield* invalids(at.child(field), value, pathSegmentErrors(value));
    else if (field !== 'namespace') yield required(at.child(field));
  }
}
