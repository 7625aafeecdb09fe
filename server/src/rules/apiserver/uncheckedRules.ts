import { asObject } from '../../base/json';
import { t } from '../../base/l10n';
import { FieldPath } from '../../manifest/fieldPath';
import { fieldAt } from '../../manifest/valueAt';
import { defineRule } from '../framework/rule';
import { ruleCount } from './validate/apiextensions/ordinary';
import { MOST_RULES } from './validate/apiextensions/ruleBudget';
import { internalVersions } from './validate/apiextensions/versions';

export default defineRule<{ readonly count: number }>({
  meta: {
    code: 'apiserver/unchecked-rules',
    category: 'apiserver',
    severity: 'info',
    cost: 'typing',
    summary: 'A schema has so many CEL rules that Berth checks only some of them.',
    why: 'Berth checks 10,000 rules of each schema, so that its time and memory stay small. The API server checks all, so it may refuse what Berth does not.',
    remedy: 'Divide the definition, or put rules together.',
    details: 'Rules of inner schemas are checked before those of the schemas around them.',
    source: { project: 'kubernetes', symbol: 'ValidateCustomResourceDefinitionOpenAPISchema', fidelity: 'inspired' },
  },
  on: ['CustomResourceDefinition'],

  *check({ object, value }, { kube }) {
    const spec = asObject(fieldAt(value, 'spec'));
    if (object.group !== 'apiextensions.k8s.io' || spec === undefined) return;
    for (const [i, { validation }] of internalVersions(spec, kube.parts).written.entries()) {
      const count = validation?.schema === undefined ? 0 : ruleCount(validation.schema, kube);
      if (count <= MOST_RULES) continue;
      const at = FieldPath.of('spec', 'versions').index(i).child('schema', 'openAPIV3Schema');
      yield { at, part: 'key', facts: { count } };
    }
  },

  message: ({ facts: { count } }) =>
    t`only ${MOST_RULES.toLocaleString('en')} of the ${count.toLocaleString('en')} CEL rules of this schema are checked`,
});
