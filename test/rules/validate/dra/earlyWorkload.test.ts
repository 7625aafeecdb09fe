import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../server/src/base/json';
import { answer } from '../answers';

const errorsOf = (spec: JsonObject) => {
  const metadata = { name: 'a', namespace: 'b' };
  return answer({ apiVersion: 'scheduling.k8s.io/v1alpha1', kind: 'Workload', metadata, spec }, { minor: '1.35' })
    .errors;
};
const group = (of: JsonObject = {}): JsonObject => ({ name: 'a', policy: { basic: {} }, ...of });

test.each<[string, JsonObject, readonly string[]]>([
  ['a group', { podGroups: [group(), group({ name: 'b', policy: { gang: { minCount: 1 } } })] }, []],
  ['no group', {}, ['spec.podGroups: Required must have at least one item']],
  [
    'too many groups, which are not looked at',
    { podGroups: Array.from({ length: 9 }, () => group({ name: '' })) },
    ['spec.podGroups: TooMany must have at most 8 items'],
  ],
  ['a name twice', { podGroups: [group(), group()] }, ['spec.podGroups[1].name: Duplicate']],
  [
    'no policy and both',
    { podGroups: [group({ policy: {} }), group({ name: 'b', policy: { basic: {}, gang: { minCount: 0 } } })] },
    [
      'spec.podGroups[0].policy: Required exactly one of `basic`, `gang` is required',
      'spec.podGroups[1].policy: Invalid exactly one of `basic`, `gang` is required, but multiple fields are set',
    ],
  ],
  [
    'a gang of none',
    { podGroups: [group({ policy: { gang: {} } })], controllerRef: { kind: 'Job' } },
    ['spec.controllerRef.name: Required', 'spec.podGroups[0].policy.gang.minCount: Invalid must be greater than zero'],
  ],
])('Workload v1alpha1 of 1.35: %s', (_, spec, errors) => {
  expect(errorsOf(spec)).toEqual(errors);
});
