import type { Kube } from '../../../../kube/kube';
import { FieldPath } from '../../../../manifest/fieldPath';
import { applies } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';
import { type FieldError, invalid, type KindStrategy } from '../errors';
import { type NameFn, validateNameFn, validateObjectMeta } from '../metadata';
import { extendedResourceName, fields, list, longName, textPointer } from './declarative';
import { deviceConfiguration, pastItemsOf, selectors } from './devices';
import { specPath } from './meta';
import { olderListErrors } from './olderErrors';

const mostConfigs = 32;

const deviceClassSpec = (kube: Kube) =>
  fields({
    selectors: selectors(kube),
    config: list({ most: mostConfigs, past: pastItemsOf(kube) }, (it, at) => deviceConfiguration(it, at, kube)),
    extendedResourceName: textPointer((name, at) => extendedName(name, at, kube)),
  });

/** Upstream: pkg/registry/resource/deviceclass and ValidateDeviceClass. */
export const deviceClass: KindStrategy = {
  validate: (object, { kube }) => [
    ...validateObjectMeta(
      object,
      'cluster',
      applies(minorChanges.classNameDeclared, kube) ? className : validateNameFn.subdomain,
    ),
    ...olderListErrors(deviceClassSpec(kube)(object.spec, specPath), kube),
  ],
};

/** Generated code checks the name; generateName is checked only with the metadata of every kind. */
const className: NameFn = (name, use) => (use === 'prefix' ? [] : longName(name, FieldPath.root).map(it => it.detail));

/** Before 1.37 a hand-written check has one message for all errors. Upstream: v1helper.IsExtendedResourceName. */
function extendedName(name: string, at: FieldPath, kube: Kube): readonly FieldError[] {
  const errors = extendedResourceName(name, at);
  if (applies(minorChanges.extendedNameDeclared, kube) || errors.length === 0) return errors;
  return [invalid(at, name, 'must be a valid extended resource name')];
}
