import { FieldPath } from '../../manifest/fieldPath';
import { defineRule } from '../rule';

export default defineRule<{ readonly missing: 'apiVersion' | 'kind' }>({
  meta: {
    code: 'decode/no-kind',
    category: 'decode',
    severity: 'error',
    cost: 'typing',
    summary: 'An object does not say its apiVersion or its kind.',
    why: 'Without both, neither kubectl nor the API server can tell what it is.',
    remedy: 'Write `apiVersion` and `kind`.',
    details: 'A document that has neither is taken for something else than a Kubernetes object, and left alone.',
    source: {
      project: 'kubernetes',
      symbol: 'runtime.NewMissingKindErr, runtime.NewMissingVersionErr',
      fidelity: 'same',
    },
  },
  on: 'any',

  *check({ object, value }) {
    const looksLikeObject = value.metadata !== undefined || value.spec !== undefined;
    const isMissingVersion =
      object.apiVersion === '' && (object.kind !== '' || (looksLikeObject && 'apiVersion' in value));
    if (isMissingVersion && isText(value.apiVersion)) yield told('apiVersion');
    else if (object.kind === '' && object.apiVersion !== '' && looksLikeObject && isText(value.kind))
      yield told('kind');
  },

  message: ({ facts }) => `the object has no ${facts.missing}`,
});

/** A number or a mapping in their place is a type error, which another rule reports. */
function isText(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string';
}

function told(missing: 'apiVersion' | 'kind') {
  return { at: FieldPath.of(missing), part: 'value' as const, errorType: 'NoKind', facts: { missing } };
}
