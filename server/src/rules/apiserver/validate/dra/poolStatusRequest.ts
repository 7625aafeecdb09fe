import { byteLength } from '../../../../base/byteLength';
import { has, mapField, withDefault, without } from '../../../../kube/goFields';
import { longNameErrors } from '../../../../kube/names';
import { FieldPath } from '../../../../manifest/fieldPath';
import { invalid, type KindStrategy, tooLong } from '../errors';
import { validateKindMeta } from '../kindMeta';
import {
  all,
  atMost,
  type Check,
  caselessName,
  fields,
  fullyQualifiedName,
  numberOf,
  requiredText,
  structOf,
  textPointer,
  type Value,
} from './declarative';
import { specPath } from './meta';

const DEFAULT_LIMIT = 100;

const atLeastOne: Check<Value> = (value, at) =>
  numberOf(value) < 1 ? [invalid(at, numberOf(value), 'must be greater than or equal to 1')] : [];

const LONGEST_POOL = 253;

/** +k8s:format=k8s-resource-pool-name. Upstream: validate.ResourcePoolName. */
const poolName: Check<string> = (name, at) => [
  ...(byteLength(name) > LONGEST_POOL ? [tooLong(at, LONGEST_POOL)] : []),
  ...name.split('/').flatMap((part, i) => {
    const messages = part === '' ? ['must not be empty'] : longNameErrors(part);
    return messages.map(it => invalid(at, part === '' ? name : part, `segment ${i}: ${it}`));
  }),
];

const spec = fields({
  driver: requiredText(caselessName(Number.POSITIVE_INFINITY)),
  poolName: textPointer(poolName),
  limit: all(atMost(1000), atLeastOne),
  defaultPartitionTypeAttribute: textPointer(fullyQualifiedName),
});

/** Upstream: pkg/registry/resource/resourcepoolstatusrequest and the declarative validation of v1alpha3. */
export const resourcePoolStatusRequest: KindStrategy = {
  defaults: object => mapField(object, 'spec', it => withDefault(it, 'limit', DEFAULT_LIMIT)),
  // Upstream holds the status by a pointer: an empty one is something, too.
  drop: object => {
    const dropped = has(object, 'status') ? [FieldPath.of('status')] : [];
    return { object: without(object, 'status'), dropped };
  },
  validate: object => [
    ...validateKindMeta(object, 'resource.k8s.io/ResourcePoolStatusRequest'),
    ...spec({ limit: DEFAULT_LIMIT, ...structOf(object.spec) }, specPath),
  ],
};
