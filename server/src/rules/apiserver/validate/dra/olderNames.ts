import type { Kube } from '../../../../kube/kube';
import { applies } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';
import { invalid, required } from '../errors';
import { type Check, caselessQualifiedName, cIdentifier, fullyQualifiedName } from './declarative';
import { driverName } from './devices';

/** The name of an attribute in a constraint, with its domain. Upstream: validateFullyQualifiedName. */
export function attributeNameOf(kube: Kube): Check<string> {
  if (applies(minorChanges.attributeNamesLowerCase, kube)) return fullyQualifiedName;
  if (applies(minorChanges.emptyNamesInvalid, kube)) return caselessQualifiedName;
  const isAtName = applies(minorChanges.attributeDomainAtName, kube);
  const withoutDomain: Check<string> = (name, at) =>
    isAtName
      ? name === ''
        ? []
        : [invalid(at, name, 'must include a domain')]
      : [required(at.child('domain'), 'must include a prefix')];
  return (name, at) => [...olderQualifiedName(kube)(name, at), ...(name.includes('/') ? [] : withoutDomain(name, at))];
}

/** The name of an attribute or a capacity until 1.34. Upstream: validateQualifiedName. */
export function olderQualifiedName(kube: Kube): Check<string> {
  const identifier: Check<string> = (name, at) =>
    applies(minorChanges.identifiersInvalid, kube)
      ? cIdentifier(name, at)
      : cIdentifier(name, at).map(it =>
          it.type === 'FieldValueInvalid' ? { ...it, type: 'FieldValueTypeInvalid' } : it,
        );
  const domain = applies(minorChanges.attributeDomainAtName, kube) ? 'domain' : 'prefix';
  return (name, at) => {
    if (name === '') return [required(at, 'name required')];
    const [first = '', id, ...more] = name.split('/');
    if (more.length > 0) return [];
    if (id === undefined) return identifier(first, at);
    return [
      ...(first === '' ? [required(at, `the ${domain} must not be empty`)] : driverName(first, at, kube)),
      ...(id === '' ? [required(at, 'the name must not be empty')] : identifier(id, at)),
    ];
  };
}
