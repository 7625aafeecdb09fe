import type { JsonObject } from '../../base/json';
import { inItems, objects, withMissing } from './fields';

/** What v1beta1 meant where nothing is written. Upstream: admissionregistration/v1beta1 SetDefaults_ValidatingWebhook. */
const MEANT: JsonObject = {
  failurePolicy: 'Ignore',
  matchPolicy: 'Exact',
  timeoutSeconds: 30,
  admissionReviewVersions: ['v1beta1'],
};

const WITHOUT_EFFECTS = ['None', 'NoneOnDryRun'];

/** Webhook configurations of v1beta1. v1 has other defaults, and refuses webhooks whose side effects are not known. */
export function webhooks(value: JsonObject): JsonObject {
  return inItems(value, 'webhooks', it => {
    const known = withMissing(it, MEANT);
    return declaresEffects(it) ? known : { ...known, sideEffects: 'None' };
  });
}

const declaresEffects = (it: JsonObject): boolean => WITHOUT_EFFECTS.includes(String(it.sideEffects));

/** Whether nothing has to be assumed of a webhook. */
export function declareEffects(value: JsonObject): boolean {
  return objects(value.webhooks).every(declaresEffects);
}
