import type { Strategies } from '../errors';
import { mutatingBinding, validatingBinding } from './bindings';
import { mutatingPolicy, validatingPolicy } from './policies';
import { mutatingWebhooks, validatingWebhooks } from './webhooks';

/** Webhooks and admission policies, by `group/Kind`. */
export function admissionStrategies(): Strategies {
  return {
    'admissionregistration.k8s.io/MutatingAdmissionPolicy': mutatingPolicy,
    'admissionregistration.k8s.io/MutatingAdmissionPolicyBinding': mutatingBinding,
    'admissionregistration.k8s.io/MutatingWebhookConfiguration': mutatingWebhooks,
    'admissionregistration.k8s.io/ValidatingAdmissionPolicy': validatingPolicy,
    'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding': validatingBinding,
    'admissionregistration.k8s.io/ValidatingWebhookConfiguration': validatingWebhooks,
  };
}
