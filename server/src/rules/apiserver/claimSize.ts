import { asObject } from '../../base/json';
import { t } from '../../base/l10n';
import { FieldPath } from '../../manifest/fieldPath';
import { fieldAt } from '../../manifest/valueAt';
import { layered } from '../framework/layers';
import { defineRule } from '../framework/rule';
import { type ReportedError, serverFinding } from './answer';
import { requiredFieldFixes } from './fixes/requiredFieldFixes';
import { errorText } from './messages/sentences';
import { required } from './validate/errors';

const SIZE = FieldPath.of('spec', 'resources').key('storage');

export default defineRule<ReportedError>({
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

  *check(target) {
    const { object, value } = target;
    if (object.group !== '') return;
    const requests = asObject(fieldAt(value, 'spec', 'resources', 'requests')) ?? {};
    // The server copies a limit to a request that is not written.
    const limits = asObject(fieldAt(value, 'spec', 'resources', 'limits')) ?? {};
    if (Object.hasOwn(requests, 'storage') || Object.hasOwn(limits, 'storage')) return;
    yield serverFinding(required(SIZE), target);
  },

  message: ({ facts: { error } }) =>
    layered(t('the claim does not say how much storage it asks for: add it'), errorText(error)),

  fixes: ({ at, facts }, target, context, edit) =>
    requiredFieldFixes({ error: facts.error, at, target, context, edit }),
});
