import { NAMED } from '../../workspace/references/kinds';
import { defineRule } from '../framework/rule';
import { isAbsenceCertain } from '../reading/absence';
import { type Missing, missingRule } from './missing';

export default defineRule<Missing>(
  missingRule({
    meta: {
      code: 'references/gateway-missing',
      category: 'reference',
      severity: 'error',
      cost: 'workspace',
      summary: 'A route names a Gateway, or a Gateway a GatewayClass, that is defined nowhere.',
      why: 'No controller takes care of it: the route is not accepted and gets no request.',
      remedy:
        'Correct the name or the namespace, or define the object. Controllers of gateways often bring their GatewayClass along.',
      url: 'https://gateway-api.sigs.k8s.io/reference/spec/',
    },
    isChecked: ({ aim, at }) =>
      (aim.to === 'object' && aim.kind === NAMED.gatewayClass) ||
      (aim.to === 'typed' && at === 'spec.parentRefs[].name'),
    // Controllers bring their class along.
    isSkipped: ({ target }, _target, context) =>
      target.to === 'object' &&
      target.kind === NAMED.gatewayClass.kind &&
      !isAbsenceCertain(context, { ...NAMED.gatewayClass, namespace: undefined }) &&
      context.snapshot.objectsOf(NAMED.gatewayClass.group, NAMED.gatewayClass.kind).length === 0,
  }),
);
