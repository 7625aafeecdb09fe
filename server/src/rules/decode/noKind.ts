import type { JsonObject } from '../../base/json';
import { t } from '../../base/l10n';
import { FieldPath } from '../../manifest/fieldPath';
import type { WorkspaceObject } from '../../workspace/object';
import { defineRule } from '../framework/rule';

export default defineRule<{ readonly field: 'apiVersion' | 'kind'; readonly isMissing: boolean }>({
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
    for (const field of ['apiVersion', 'kind'] as const) {
      const other = field === 'kind' ? object.apiVersion : object.kind;
      if (isText(value[field])) continue;
      if (other !== '')
        yield { at: FieldPath.of(field), part: 'value', errorType: 'TypeMismatch', facts: { field, isMissing: false } };
    }
    const missing = missingField(object, value);
    if (missing === undefined || !isText(value[missing])) return;
    yield { at: FieldPath.of(missing), part: 'value', errorType: 'NoKind', facts: { field: missing, isMissing: true } };
  },

  message: ({ facts }) => (facts.isMissing ? t`the object has no ${facts.field}` : t`${facts.field} must be text`),
});

function missingField({ apiVersion, kind }: WorkspaceObject, value: JsonObject): 'apiVersion' | 'kind' | undefined {
  const looksLikeObject = value.metadata !== undefined || value.spec !== undefined;
  if (apiVersion === '') return kind !== '' || (looksLikeObject && 'apiVersion' in value) ? 'apiVersion' : undefined;
  return kind === '' && looksLikeObject ? 'kind' : undefined;
}

/** Whether it is text or absent; anything else is a type error. */
function isText(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string';
}
