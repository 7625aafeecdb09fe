import { formatQuantity, type Quantity, quantityOf, zeroQuantity } from '../../../../kube/quantity';
import { isSet, type Value } from './declarative';

/** The quantity, zero if the field is absent or invalid. */
export function readQuantity(value: Value): Quantity {
  return (isSet(value) ? quantityOf(value) : undefined) ?? zeroQuantity;
}

/** The quantity as upstream prints it. */
export function shownQuantity(value: Value): string {
  return formatQuantity(readQuantity(value));
}

export function isPositive(value: Value): boolean {
  return readQuantity(value).amount > 0n;
}

export function isNegative(value: Value): boolean {
  return readQuantity(value).amount < 0n;
}
