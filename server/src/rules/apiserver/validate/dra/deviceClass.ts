import { type DeviceSelectors, deviceSelectors } from '../../../../kube/cel/deviceSelector';
import { FieldPath } from '../../../../manifest/fieldPath';
import type { KindStrategy } from '../errors';
import { type NameFn, pathSegmentErrors, validateObjectMeta } from '../metadata';
import { extendedResourceName, fields, list, longName, textPointer } from './declarative';
import { deviceConfiguration, selectors } from './devices';
import { dropFields } from './drop';
import { specPath, withoutGeneration } from './meta';

const mostConfigs = 32;

const deviceClassSpec = (compiler: DeviceSelectors) =>
  fields({
    selectors: selectors(compiler),
    config: list({ most: mostConfigs }, deviceConfiguration),
    extendedResourceName: textPointer(extendedResourceName),
  });

/** Upstream: pkg/registry/resource/deviceclass and ValidateDeviceClass. */
export const deviceClass: KindStrategy = withoutGeneration({
  drop: (object, validation) =>
    dropFields(object, [{ gates: ['DRAExtendedResource'], path: 'spec.extendedResourceName' }], validation),
  validate: (object, { kube }) => [
    ...validateObjectMeta(object, 'cluster', className),
    ...deviceClassSpec(deviceSelectors(kube))(object.spec, specPath),
  ],
});

/** The name is checked by generated code, generateName only as a part of a path. */
const className: NameFn = (name, use) =>
  use === 'prefix' ? pathSegmentErrors(name, use) : longName(name, FieldPath.root).map(it => it.detail);
