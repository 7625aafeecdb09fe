import type { Kube } from '../../../../kube/kube';
import { applies } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';
import { type FieldError, required } from '../errors';

/** Lists of objects → the field that must differ. Lists of names are not among them. */
const keyOf: Readonly<Record<string, string>> = {
  consumesCounters: 'counterSet',
  devices: 'name',
  firstAvailable: 'name',
  requests: 'name',
  sharedCounters: 'name',
};

/** The errors with duplicates at the field that must differ, as older minors report them. Upstream: validateSet. */
export function duplicatesIn(errors: readonly FieldError[], kube: Kube): readonly FieldError[] {
  if (applies(minorChanges.duplicatesAtItem, kube)) return errors;
  return errors.map(it => {
    if (it.type !== 'FieldValueDuplicate') return it;
    const [holder, list, index] = it.at.segments.slice(-3);
    const key = typeof index === 'number' && typeof list === 'string' ? keyOf[list] : undefined;
    const isNames = list === 'requests' && holder !== 'devices';
    return key === undefined || isNames ? it : { ...it, at: it.at.child(key) };
  });
}

/** The errors with lists of too many items as older minors report them. Upstream: validateSlice. */
export function olderListErrors(errors: readonly FieldError[], kube: Kube): readonly FieldError[] {
  if (applies(minorChanges.deviceListsTooMany, kube)) return errors;
  return errors.map(it => {
    if (it.type !== 'FieldValueTooMany') return it;
    const most = /\d+/.exec(it.detail)?.[0] ?? '';
    return { ...it, type: 'FieldValueTooLong', detail: `may not be longer than ${most}` };
  });
}

/** The errors of a claim as older minors report them. */
export function olderClaimErrors(errors: readonly FieldError[], kube: Kube): readonly FieldError[] {
  return olderListErrors(duplicatesIn(errors, kube), kube);
}

/** The errors of a slice with that of an attribute without a value as older minors report it. */
export function olderSliceErrors(all: readonly FieldError[], kube: Kube): readonly FieldError[] {
  const errors = olderListErrors(all, kube);
  if (applies(minorChanges.emptyAttributeInvalid, kube)) return errors;
  return errors.map(it => {
    const isAttribute = it.at.segments.at(-2) === 'attributes' && it.detail.startsWith('must specify one of');
    return isAttribute ? required(it.at, 'exactly one value must be specified') : it;
  });
}
