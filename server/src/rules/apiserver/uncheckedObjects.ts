import { asList, asObject } from '../../base/json';
import { t } from '../../base/l10n';
import { asksTooMuch, MOST_ASKED } from '../../kube/schemaSize';
import { structuralSchemaOf } from '../../kube/structuralSchema';
import { FieldPath } from '../../manifest/fieldPath';
import { fieldAt } from '../../manifest/valueAt';
import { defineRule } from '../framework/rule';

export default defineRule<object>({
  meta: {
    code: 'apiserver/unchecked-objects',
    category: 'apiserver',
    severity: 'info',
    cost: 'typing',
    summary: 'A schema asks so much of each object that Berth does not check objects by it.',
    why: 'Required fields, defaults, alternatives and CEL rules of one level are gone through for each object, however small. Berth does so for 1,000, so that its time stays small. The API server has no such limit, so it may refuse objects that Berth does not.',
    remedy: 'Divide the level into several, or put rules together.',
    details: 'Unknown fields and values of wrong types are told all the same.',
    source: { project: 'kubernetes', symbol: 'validation.NewSchemaValidator', fidelity: 'inspired' },
  },
  on: ['CustomResourceDefinition'],

  *check({ object, value }, { kube }) {
    if (object.group !== 'apiextensions.k8s.io') return;
    for (const [i, version] of asList(fieldAt(value, 'spec', 'versions')).entries()) {
      const schema = asObject(fieldAt(version, 'schema', 'openAPIV3Schema'));
      if (schema === undefined || !asksTooMuch(structuralSchemaOf(schema, kube.parts), kube.parts)) continue;
      const at = FieldPath.of('spec', 'versions').index(i).child('schema', 'openAPIV3Schema');
      yield { at, part: 'key', facts: {} };
    }
  },

  message: () =>
    t`this schema has more than ${MOST_ASKED.toLocaleString('en')} required fields, defaults, alternatives and rules at one level: objects are not checked by it here`,
});
