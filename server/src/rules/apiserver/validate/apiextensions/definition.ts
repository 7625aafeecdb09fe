import type { JsonObject } from '../../../../base/json';
import { has, items, record, records, text, texts, withDefaults, withField, without } from '../../../../kube/goFields';
import type { Kube } from '../../../../kube/kube';
import { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, invalid, type KindStrategy, required } from '../errors';
import { type NameFn, validateGenericObjectMeta, validateNameFn } from '../metadata';
import { conversionErrors, withServicePort } from './conversion';
import { approvalErrors, groupAndScopeErrors, labelError, nameErrors } from './names';
import { columnErrors, deprecationErrors, selectableFieldErrors, subresourceErrors } from './parts';
import { schemaErrors } from './schema';
import { allSchemas } from './schemaProps';
import { unsupportedKeyword } from './structural';
import { type InternalVersions, internalVersions, type VersionParts } from './versions';
import { definitionWarnings } from './warnings';

const SPEC = FieldPath.of('spec');

/** Upstream: pkg/registry/customresourcedefinition and apis/apiextensions/validation. */
export const definitionStrategy: KindStrategy = {
  defaults: object => {
    const spec = record(object, 'spec') ?? {};
    const names = record(spec, 'names') ?? {};
    const kind = text(names, 'kind');
    const named = withDefaults(names, {
      singular: kind.toLowerCase(),
      ...(kind !== '' && { listKind: `${kind}List` }),
    });
    const conversion = withServicePort(record(spec, 'conversion') ?? { strategy: 'None' });
    return withField(object, 'spec', { ...spec, names: named, conversion });
  },

  drop: object => {
    const stored = storedVersions(object);
    const status = record(object, 'status');
    return {
      object: withField(without(object, 'status'), 'status', { storedVersions: stored }),
      dropped: status !== undefined && isReset(status, stored) ? [FieldPath.of('status')] : [],
    };
  },

  *validate(object, { kube }) {
    const spec = record(object, 'spec') ?? {};
    yield* validateGenericObjectMeta(object, 'cluster', nameFn(spec));
    yield* specErrors(spec, kube);
    yield* storedVersionErrors(object);
    yield* approvalErrors(object);
    if (spec.preserveUnknownFields === true) {
      yield invalid(
        SPEC.child('preserveUnknownFields'),
        true,
        'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
      );
    }
  },

  warn: (object, { kube }) => definitionWarnings(internalVersions(record(object, 'spec') ?? {}, kube.parts), kube),
};

function nameFn(spec: JsonObject): NameFn {
  const wanted = `${text(record(spec, 'names'), 'plural')}.${text(spec, 'group')}`;
  return (name, use) => [
    ...validateNameFn.subdomain(name, use),
    ...(name === wanted ? [] : ['must be spec.names.plural+"."+spec.group']),
  ];
}

/** The first storage version. Upstream: PrepareForCreate. */
function storedVersions(object: JsonObject): readonly string[] {
  const stored = records(record(object, 'spec'), 'versions').find(it => it.storage === true);
  return stored === undefined ? [] : [text(stored, 'name')];
}

/** Whether the server's new status differs from the one that is written. */
function isReset(status: JsonObject, stored: readonly string[]): boolean {
  const names = record(status, 'acceptedNames') ?? {};
  const before = texts(status, 'storedVersions');
  return (
    Object.keys(names).some(
      it => has(names, it) && names[it] !== '' && !(Array.isArray(names[it]) && items(names, it).length === 0),
    ) ||
    items(status, 'conditions').length > 0 ||
    (has(status, 'observedGeneration') && status.observedGeneration !== 0) ||
    (before.length > 0 && before.join('\n') !== stored.join('\n'))
  );
}

function* storedVersionErrors(object: JsonObject): Iterable<FieldError> {
  const stored = texts(record(object, 'status'), 'storedVersions');
  const at = FieldPath.of('status', 'storedVersions');
  if (stored.length === 0) {
    yield invalid(at, [], 'must have at least one stored version');
    return;
  }
  // Each version is found once: upstream takes it out of the stored ones.
  const names = new Set(stored);
  for (const it of records(record(object, 'spec'), 'versions')) {
    const name = text(it, 'name');
    const isStored = names.delete(name);
    if (it.storage === true && !isStored) yield invalid(at, stored, `must have the storage version ${name}`);
  }
}

/** Upstream: validateCustomResourceDefinitionSpec. */
function* specErrors(spec: JsonObject, kube: Kube): Iterable<FieldError> {
  const internal = internalVersions(spec, kube.parts);
  const { common, versions } = internal;
  const hasStatusAt = statusOf(internal);
  yield* groupAndScopeErrors(spec);
  yield* presenceErrors(internal);
  yield* defaultsNeedPruning(spec, internal);
  for (const [i, it] of versions.entries()) {
    const at = SPEC.child('versions').index(i);
    yield* labelError(it.name, at.child('name'));
    yield* deprecationErrors(it, at.child('deprecationWarning'));
    const hasStatus = hasStatusAt(it.name);
    yield* partErrors(it, { schema: at.child('schema'), parts: at }, hasStatus, kube);
  }
  const names = new Set(versions.map(it => it.name));
  const at = SPEC.child('versions');
  if (names.size < versions.length) yield invalid(at, [], 'must contain unique version names');
  if (versions.filter(it => it.storage).length !== 1) {
    yield invalid(at, [], 'must have exactly one version marked as storage version');
  }
  const first = versions[0]?.name ?? '';
  if (first !== '') yield* labelError(first, SPEC.child('version'));
  yield* nameErrors(spec);
  const anyStatus = [common, ...versions].some(it => it.subresources?.status === true);
  yield* partErrors(common, { schema: SPEC.child('validation'), parts: SPEC }, anyStatus, kube);
  yield* conversionErrors(spec);
}

/** Each version needs a schema. */
function* presenceErrors({ common, versions }: InternalVersions): Iterable<FieldError> {
  if (common.validation?.schema !== undefined) return;
  for (const [i, it] of versions.entries()) {
    if (it.validation?.schema !== undefined) continue;
    yield required(SPEC.child('versions').index(i).child('schema', 'openAPIV3Schema'));
  }
}

function* defaultsNeedPruning(spec: JsonObject, { common, versions }: InternalVersions): Iterable<FieldError> {
  if (spec.preserveUnknownFields !== true) return;
  const schemas = [common, ...versions].flatMap(it => it.validation?.schema ?? []);
  if (schemas.some(it => [...allSchemas(it)].some(inner => inner.default !== undefined))) {
    yield invalid(SPEC.child('preserveUnknownFields'), true, 'must be false in order to use defaults in the schema');
  }
}

/** Whether the first version of a name has a status subresource. Upstream: getSubresourcesForVersion. */
function statusOf({ common, versions }: InternalVersions): (name: string) => boolean {
  if (versions.every(it => it.subresources === undefined)) return () => common.subresources?.status === true;
  const byName = new Map([...versions].reverse().map(it => [it.name, it.subresources?.status === true]));
  return name => byName.get(name) === true;
}

interface Places {
  readonly schema: FieldPath;
  readonly parts: FieldPath;
}

function* partErrors(
  { validation, subresources, columns, selectableFields }: VersionParts,
  at: Places,
  hasStatus: boolean,
  kube: Kube,
): Iterable<FieldError> {
  const schema = validation?.schema;
  if (schema !== undefined)
    yield* schemaErrors(schema, at.schema.child('openAPIV3Schema'), hasStatus ? 'with status' : 'without status', kube);
  if (subresources !== undefined) yield* subresourceErrors(subresources, at.parts.child('subresources'));
  for (const [i, it] of columns.entries()) {
    yield* columnErrors(it, at.parts.child('additionalPrinterColumns').index(i));
  }
  if (selectableFields.length === 0) return;
  const place = at.parts.child('selectableFields');
  if (schema === undefined) {
    yield invalid(place, '', 'may only be set when validations.schema is included');
    return;
  }
  const unsupported = unsupportedKeyword(schema, kube);
  if (unsupported !== undefined) yield invalid(at.parts.child('schema', 'openAPIV3Schema'), '', unsupported);
  yield* selectableFieldErrors(selectableFields, schema, place, kube);
}
