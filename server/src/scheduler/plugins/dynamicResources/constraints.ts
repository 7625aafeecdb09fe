import { ownOf } from '../../../base/ownOf';
import type { ConstraintModel } from '../../../cluster/devices/claims';
import type { DeviceModel } from '../../../cluster/devices/devices';
import type { DeviceAttribute } from '../../../kube/cel/deviceSelector';
import type { DeviceFeatures } from './features';

/**
 * A constraint on values that the devices of a claim must share, or must not share. Each successful `add` is undone by
 * one `remove`.
 */
export interface Constraint {
  add(request: string, alternative: string, device: DeviceModel): boolean;
  remove(request: string, alternative: string): void;
}

/** undefined for a kind of constraint that the allocator does not support. */
export function constraintOf(
  { requests, ...it }: ConstraintModel,
  { allocator }: DeviceFeatures,
): Constraint | undefined {
  const isAbout = (request: string, alternative: string): boolean =>
    requests.size === 0 || requests.has(request) || (alternative !== '' && requests.has(`${request}/${alternative}`));
  const { matchAttribute, distinctAttribute } = it;
  if (matchAttribute !== undefined) return tracked(isAbout, matchAttribute, allEqual);
  return distinctAttribute === undefined || allocator === 'stable'
    ? undefined
    : tracked(isAbout, distinctAttribute, allDistinct);
}

type Value = readonly [type: string, text: string];

function tracked(
  isAbout: (request: string, alternative: string) => boolean,
  attribute: string,
  joins: (value: Value, others: readonly Value[]) => boolean,
): Constraint {
  const values: Value[] = [];
  return {
    add(request, alternative, device) {
      if (!isAbout(request, alternative)) return true;
      const found = attributeOf(device, attribute);
      const value = found ? scalarOf(found) : undefined;
      if (value === undefined || !joins(value, values)) return false;
      values.push(value);
      return true;
    },
    remove(request, alternative) {
      if (isAbout(request, alternative)) values.pop();
    },
  };
}

const isSame = (a: Value, b: Value): boolean => a[0] === b[0] && a[1] === b[1];

/** The first device passes, whatever the type of its value. */
function allEqual(value: Value, [first]: readonly Value[]): boolean {
  return first === undefined || (value[0] !== 'unknown' && isSame(value, first));
}

function allDistinct(value: Value, others: readonly Value[]): boolean {
  return others.length === 0 || (value[0] !== 'unknown' && !others.some(it => isSame(value, it)));
}

/** By the qualified name, or without the domain where that is the driver. Upstream: lookupAttribute. */
function attributeOf({ attributes, driver }: DeviceModel, name: string): DeviceAttribute | undefined {
  if (Object.hasOwn(attributes, name)) return attributes[name];
  const slash = name.indexOf('/');
  if (slash < 0 || name.slice(0, slash) !== driver) return undefined;
  const id = name.slice(slash + 1);
  return ownOf(attributes, id);
}

function scalarOf({ string, int, bool, version }: DeviceAttribute): Value {
  if (typeof string === 'string') return ['string', string];
  if (typeof int === 'number' || typeof int === 'bigint') return ['int', String(int)];
  if (typeof bool === 'boolean') return ['bool', String(bool)];
  return typeof version === 'string' ? ['version', version] : ['unknown', ''];
}
