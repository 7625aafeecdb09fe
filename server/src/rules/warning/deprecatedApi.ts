import { asObject, type JsonValue } from '../../base/json';
import type { ApiLife, KindInfo, Kube, Schema } from '../../kube/kube';
import { FieldPath } from '../../manifest/fieldPath';
import { defineRule } from '../framework/rule';
import { isAtLeast } from '../minors/minorChange';

interface Facts {
  readonly apiVersion: string;
  readonly kind: string;
  readonly life: ApiLife;
}

const API_VERSION = FieldPath.of('apiVersion');

export default defineRule<Facts>({
  meta: {
    code: 'warning/deprecated-api',
    category: 'warning',
    severity: 'warning',
    cost: 'typing',
    summary: 'The API version of this kind is deprecated.',
    why: 'The server still takes the object and warns of it. A later Kubernetes will not know the version any more, and a manifest that uses it will be refused.',
    remedy: 'Use the version that takes its place.',
    details:
      'The text is the API server’s own. Versions that are gone already are reported by [decode/unknown-kind](../decode/unknown-kind.md).',
    source: {
      project: 'kubernetes',
      symbol: 'k8s.io/apiserver endpoints/deprecation.WarningMessage',
      fidelity: 'same',
    },
    url: 'https://kubernetes.io/docs/reference/using-api/deprecation-guide/',
  },
  on: 'any',

  *check({ object, kind }, { kube }) {
    if (kind?.origin !== 'built-in') return;
    const life = kube.apiLife(object.apiVersion, object.kind);
    if (life?.deprecated === undefined || !isAtLeast(kube.minor, life.deprecated)) return;
    yield { at: API_VERSION, part: 'value', facts: { apiVersion: object.apiVersion, kind: object.kind, life } };
  },

  message: ({ facts: { apiVersion, kind, life } }) =>
    [
      `${apiVersion} ${kind} is deprecated in v${life.deprecated}+`,
      ...(life.removed === undefined ? [] : [`, unavailable in v${life.removed}+`]),
      ...(life.replacement === undefined ? [] : [`; use ${life.replacement}`]),
    ].join(''),

  fixes: ({ facts }, { object, value, kind }, { kube }, edit) =>
    replacements(facts, kind, kube).map(it => {
      const version = it.group === '' ? it.version : `${it.group}/${it.version}`;
      return {
        title: `Change apiVersion to ${version}`,
        // The written object keeps its meaning only if the other version has all of its fields.
        safety: hasFieldsOf(value, it.schema) ? 'safe' : 'unsafe',
        edits: [edit.replaceValue(object, API_VERSION, version)],
      };
    }),
});

/**
 * The version that upstream recommends if it has the same kind, else the versions of the group that are served and will
 * stay.
 */
function replacements({ life, kind }: Facts, from: KindInfo | undefined, kube: Kube): readonly KindInfo[] {
  const [version = '', name] = life.replacement?.split(' ') ?? [];
  const named = name === kind ? kube.kindOf(version, kind) : undefined;
  if (named !== undefined) return [named];
  return kube
    .kinds()
    .filter(it => it.origin === 'built-in' && it.group === from?.group && it.kind === kind && it.served === 'on')
    .filter(it => it.version !== from?.version);
}

function hasFieldsOf(value: JsonValue, schema: Schema): boolean {
  if (schema.type === 'list') {
    return Array.isArray(value) && (value as readonly JsonValue[]).every(it => hasFieldsOf(it, schema.items));
  }
  if (schema.type !== 'object' && schema.type !== 'map') return true;
  const written = Object.entries(asObject(value) ?? {});
  return written.every(([name, it]) => {
    const inner = schema.type === 'map' ? schema.values : schema.fields.get(name)?.schema;
    return inner !== undefined && hasFieldsOf(it, inner);
  });
}
