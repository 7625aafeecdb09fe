import type { Kube } from '../../../../kube/kube';
import { applies } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';
import type { KindStrategy } from '../errors';
import { dropStatus } from '../shared/drops';
import { fields, pointer, requiredText, structOf, textPointer } from './declarative';
import { dnsLabel, dnsSubdomain, driverName, poolName, selectors, taintEffect, taintText } from './devices';
import { clusterMeta, specPath } from './meta';

const deviceSelector = (kube: Kube) =>
  pointer(
    fields({
      driver: textPointer((name, at) => driverName(name, at, kube)),
      pool: textPointer(poolName),
      device: textPointer(dnsLabel),
      ...(applies(minorChanges.taintsByClass, kube)
        ? { deviceClassName: textPointer(dnsSubdomain), selectors: selectors(kube) }
        : {}),
    }),
  );

/** Upstream: pkg/registry/resource/devicetaintrule and ValidateDeviceTaintRule. */
export const deviceTaintRule: KindStrategy = {
  drop: dropStatus,
  validate: (object, { kube }) => {
    const { deviceSelector: selector, taint } = structOf(object.spec);
    const at = specPath.child('taint');
    return [
      ...clusterMeta(object),
      ...deviceSelector(kube)(selector, specPath.child('deviceSelector')),
      ...taintText(structOf(taint), at),
      ...requiredText(taintEffect(kube))(structOf(taint).effect, at.child('effect')),
    ];
  },
};
