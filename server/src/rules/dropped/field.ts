import { isObject, type JsonValue } from '../../base/json';
import { t } from '../../base/l10n';
import { quoted } from '../../base/quoted';
import type { Kube, Schema } from '../../kube/kube';
import type { FieldPath } from '../../manifest/fieldPath';
import { valueAt } from '../../manifest/valueAt';
import { answerFor } from '../apiserver/answer';
import { dropGatedFields } from '../apiserver/validate/gatedFields';
import { layered } from '../framework/layers';
import { defineRule } from '../framework/rule';

interface Facts {
  readonly path: string;
  readonly isOfServer: boolean;
  /** Gates that are off and would keep the field if they were on. */
  readonly gates: readonly string[];
  /** Mounts that are dropped with volumes, and that would refer to nothing without them. */
  readonly mounts: readonly FieldPath[];
}

export default defineRule<Facts>({
  meta: {
    code: 'dropped/field',
    category: 'dropped',
    severity: 'warning',
    cost: 'typing',
    isGeneral: true,
    summary: 'The API server accepts the object but ignores a field.',
    why: 'What is written is not what is stored: the field belongs to a feature gate that is off, or only the server writes it.',
    remedy:
      'Remove the field, or choose a Kubernetes version and feature gates that keep it: `featureGates` in berth.yaml says which are on in your cluster, where kube-apiserver is started with `--feature-gates`.',
    details:
      'Hovering over the field shows the feature gate that it depends on. Fields that only the server writes (status, some of metadata) are reported as information.',
    source: { project: 'kubernetes', symbol: 'rest.RESTCreateStrategy.PrepareForCreate', fidelity: 'same' },
  },
  on: 'any',

  *check(target, context) {
    const { value, kind } = target;
    if (kind === undefined) return;
    const { kube } = context;
    // For a kind without a known strategy, the fields of disabled gates are known all the same.
    const ofGates = () => dropGatedFields(value, kube.gatedFields(kind.schema.definition));
    const { dropped } = answerFor(target, context) ?? ofGates();
    const gatesOf = (at: FieldPath) => gatesThatDrop(at, value, kind.schema, kube);
    // Mounts are dropped with their volumes, so that the gates of these bring them back.
    const gatesOfVolumes = () => [...new Set(dropped.filter(isOfVolumes).flatMap(gatesOf))];
    for (const at of dropped) {
      const path = at.toString();
      const isOfServer = SERVER_FIELDS.has(path);
      const own = gatesOf(at);
      const gates = own.length === 0 && isOfMounts(at) ? gatesOfVolumes() : own;
      yield {
        at,
        part: 'key',
        facts: { path, isOfServer, gates, mounts: isOfVolumes(at) ? dropped.filter(isOfMounts) : [] },
        unnecessary: true,
        ...((isOfServer || /^metadata\.\w+$/.test(path)) && { severity: 'info' as const }),
      };
    }
  },

  message: ({ at, facts: { path, isOfServer, gates } }, { kube }) => {
    const name = lastNameOf(at);
    const ignored = t`${quoted(name)} is ignored by the API server`;
    if (isOfServer) return t`${ignored}: only the server writes it`;
    if (path === 'metadata.namespace') return t`${ignored}: an object of this kind is in no namespace`;
    if (gates.length === 0) return layered(ignored, t`Kubernetes ${kube.minor} drops ${path}.`);
    const flag = `--feature-gates=${gates.map(it => `${it}=true`).join(',')}`;
    return gates.length === 1
      ? layered(
          t`${ignored}: the feature gate ${gates[0]} is off`,
          t`Kubernetes ${kube.minor} drops ${path}. The gate is on with ${flag}`,
        )
      : layered(
          t`${ignored}: the feature gates ${gates.join(' and ')} are off`,
          t`Kubernetes ${kube.minor} drops ${path}. The gates are on with ${flag}`,
        );
  },

  fixes: ({ at, facts: { path, mounts } }, { object }, _context, edit) => [
    {
      title: mounts.length > 0 ? t`Remove ${path} and its mounts` : t`Remove ${path}`,
      safety: 'safe',
      edits: [at, ...mounts].map(it => edit.remove(object, it)),
    },
  ],
});

/** Upstream: rest.FillObjectMetaSystemFields and what PrepareForCreate of most kinds resets. */
const SERVER_FIELDS: ReadonlySet<string> = new Set([
  'metadata.creationTimestamp',
  'metadata.deletionGracePeriodSeconds',
  'metadata.deletionTimestamp',
  'metadata.selfLink',
  'metadata.uid',
  'status',
]);

const isOfVolumes = (at: FieldPath): boolean => /\bvolumes(?:\[\d+\])?$/.test(at.toString());

/** Whether a path is that of mounts as a whole, which are dropped when their volume is. */
const isOfMounts = (at: FieldPath): boolean => /\bvolumeMounts(?:\[\d+\])?$/.test(at.toString());

/** The name of the field at a path, with the index of an item. */
function lastNameOf(at: FieldPath): string {
  const last = at.segments.findLastIndex(it => typeof it !== 'number');
  const rest = at.segments.slice(Math.max(0, last + 1)).map(it => `[${String(it)}]`);
  const name = at.segments[last];
  return `${typeof name === 'object' ? name.key : String(name ?? '')}${rest.join('')}`;
}

/**
 * The gates that are off and drop what is written at a path: those of the field, else those of fields inside, as a part
 * without the only field that it has is dropped as a whole.
 */
function gatesThatDrop(at: FieldPath, value: JsonValue, root: Schema, kube: Kube): readonly string[] {
  let schema: Schema | undefined = root;
  let gates: readonly string[] = [];
  for (const segment of at.segments) {
    const name: string = typeof segment === 'object' ? segment.key : String(segment);
    gates = schema?.type === 'object' ? kube.gatesOfField(schema.definition, name) : [];
    schema = innerOf(schema, name);
  }
  const all = gates.length > 0 ? gates : gatesInside(valueAt(value, at) ?? null, schema, kube);
  return [...new Set(all)].filter(it => !kube.isGateOn(it));
}

/** The gates of the fields that are written in a value. */
function gatesInside(value: JsonValue, schema: Schema | undefined, kube: Kube): readonly string[] {
  if (Array.isArray(value))
    return value.flatMap((it: JsonValue) => gatesInside(it, schema?.type === 'list' ? schema.items : undefined, kube));
  if (!isObject(value) || schema?.type !== 'object') return [];
  return Object.entries(value).flatMap(([name, it]) => [
    ...kube.gatesOfField(schema.definition, name),
    ...gatesInside(it as JsonValue, innerOf(schema, name), kube),
  ]);
}

function innerOf(schema: Schema | undefined, name: string): Schema | undefined {
  switch (schema?.type) {
    case 'object':
      return schema.fields.get(name)?.schema;
    case 'list':
      return schema.items;
    case 'map':
      return schema.values;
    default:
      return undefined;
  }
}
