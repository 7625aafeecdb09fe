import { FieldPath } from '../../manifest/fieldPath';
import { defineRule } from '../rule';
import { asObject, fieldAt } from '../values';

const RESOURCES = FieldPath.of('spec', 'resources');

export default defineRule<Record<string, never>>({
  meta: {
    code: 'apiserver/claim-size',
    category: 'apiserver',
    severity: 'error',
    cost: 'typing',
    summary: 'A claim does not say how much storage it requests.',
    why: 'The API server refuses it.',
    remedy: 'Write `resources.requests.storage`.',
    source: { project: 'kubernetes', symbol: 'core validation.ValidatePersistentVolumeClaimSpec', fidelity: 'same' },
  },
  on: ['PersistentVolumeClaim'],

  *check({ object, value }) {
    if (object.group !== '') return;
    const requests = asObject(fieldAt(value, 'spec', 'resources', 'requests')) ?? {};
    // The server copies a limit to a request that is not written.
    const limits = asObject(fieldAt(value, 'spec', 'resources', 'limits')) ?? {};
    if (Object.hasOwn(requests, 'storage') || Object.hasOwn(limits, 'storage')) return;
    yield { at: RESOURCES.key('storage'), part: 'key', errorType: 'FieldValueRequired', facts: {} };
  },

  message: () => 'spec.resources[storage]: Required value',
});
