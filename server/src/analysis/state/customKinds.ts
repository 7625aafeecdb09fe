import { asList, asObject, asText, type JsonObject, type JsonValue } from '../../base/json';
import { grouped } from '../../base/multiMap';
import type { PartMemo } from '../../base/partMemo';
import { type CustomDefinition, isSameDefinition, withCustomKinds, withDescriptions } from '../../kube/customKinds';
import type { Kube, StructuralSchema, Subresources } from '../../kube/kube';
import { structuralSchemaOf } from '../../kube/structuralSchema';
import { fieldAt } from '../../manifest/valueAt';
import type { WorkspaceObject } from '../../workspace/object';
import type { Snapshot } from '../../workspace/workspace';

/** The kinds that files of the workspace define, and the facts of Kubernetes with and without them. */
export interface DefinedKinds {
  readonly facts: Kube;
  readonly kube: Kube;
  /** `kube` with the newest descriptions, for people. */
  readonly documented: Kube;
  /** The `contentId`s of the defining objects, and the kinds; both tell whether the kinds changed. */
  readonly by: readonly object[];
  readonly kinds: readonly CustomDefinition[];
}

export const noDefinedKinds = (facts: Kube): DefinedKinds => ({
  facts,
  kube: facts,
  documented: facts,
  by: [],
  kinds: [],
});

/**
 * The kinds that a snapshot defines by CustomResourceDefinitions and ConstraintTemplates. `kube` is the same object as
 * before as long as the kinds are equal but for their descriptions. A kind with two different definitions is left out: it is unknown which one is
 * deployed.
 */
export function definedKinds(snapshot: Snapshot, before: DefinedKinds): DefinedKinds {
  const definitions = snapshot.objectsOf('apiextensions.k8s.io', 'CustomResourceDefinition');
  const templates = snapshot.objectsOf('templates.gatekeeper.sh', 'ConstraintTemplate');
  const by = [...definitions, ...templates].map(it => it.manifest.contentId);
  if (by.length === before.by.length && by.every((it, i) => it === before.by[i])) return before;
  const found = [
    ...definitions.flatMap(it => kindsOfDefinition(it.manifest.value, before.facts.parts)),
    ...templates.flatMap(it => kindsOfTemplate(it, before.facts)),
  ];
  const kinds = agreedOn(found);
  if (isSameKinds(kinds, before.kinds)) {
    return { ...before, by, kinds, documented: withDescriptions(before.kube, before.facts, kinds) };
  }
  const kube = withCustomKinds(before.facts, kinds);
  return { ...before, by, kinds, kube, documented: kube };
}

export const isSameKinds = (a: readonly CustomDefinition[], b: readonly CustomDefinition[]): boolean =>
  a.length === b.length && a.every((it, i) => isSameDefinition(it, b[i]!));

function agreedOn(found: readonly CustomDefinition[]): readonly CustomDefinition[] {
  const byKind = grouped(found, it => `${it.group}/${it.version} ${it.kind}`);
  return [...byKind.values()].flatMap(([first, ...others]) =>
    first !== undefined && others.every(it => isSameDefinition(it, first)) ? [first] : [],
  );
}

/** The kinds of one CustomResourceDefinition: those of its served versions that have a schema. */
export const kindsOfDefinition = (value: JsonObject, memo: PartMemo): readonly CustomDefinition[] =>
  memo.of('definedKinds', value, () => readDefinition(value, memo));

function readDefinition(value: JsonObject, memo: PartMemo): readonly CustomDefinition[] {
  const spec = fieldAt(value, 'spec');
  const [group, kind] = [asText(fieldAt(spec, 'group')), asText(fieldAt(spec, 'names', 'kind'))];
  if (group === undefined || kind === undefined || fieldAt(spec, 'preserveUnknownFields') === true) return [];
  return asList(fieldAt(spec, 'versions')).flatMap(it => {
    const [version, schema] = [asText(fieldAt(it, 'name')), asObject(fieldAt(it, 'schema', 'openAPIV3Schema'))];
    if (version === undefined || schema === undefined || fieldAt(it, 'served') !== true) return [];
    const resource = asText(fieldAt(spec, 'names', 'plural')) ?? '';
    const namespaced = fieldAt(spec, 'scope') === 'Namespaced';
    const subresources = subresourcesOf(fieldAt(it, 'subresources'));
    return [{ group, version, kind, resource, namespaced, ...lateSchema(schema, memo), subresources }];
  });
}

/** A function of its own, so that its closure keeps the schema alone. */
const lateSchema = (source: JsonObject, memo: PartMemo): Pick<CustomDefinition, 'source' | 'schema'> => ({
  source,
  schema: () => structuralSchemaOf(source, memo),
});

function subresourcesOf(value: JsonValue | undefined): Subresources {
  const scale = asObject(fieldAt(value, 'scale'));
  const status = asObject(fieldAt(value, 'status')) !== undefined;
  const pathAt = (name: string): string => asText(scale?.[name]) ?? '';
  if (pathAt('specReplicasPath') === '' || pathAt('statusReplicasPath') === '') return { status };
  const labelSelectorPath = pathAt('labelSelectorPath');
  return {
    status,
    scale: {
      specReplicasPath: pathAt('specReplicasPath'),
      statusReplicasPath: pathAt('statusReplicasPath'),
      ...(labelSelectorPath !== '' && { labelSelectorPath }),
    },
  };
}

const text = { type: 'string' } as const;

const kindsOfTemplate = ({ manifest: { value } }: WorkspaceObject, kube: Kube): readonly CustomDefinition[] =>
  kube.parts.of('templateKinds', value, () => readTemplate(value, kube));

/** The CustomResourceDefinition that Gatekeeper creates for a template. Upstream: crds.CreateSchema. */
function readTemplate(value: JsonObject, kube: Kube): readonly CustomDefinition[] {
  const spec = fieldAt(value, 'spec', 'crd', 'spec');
  const kind = asText(fieldAt(spec, 'names', 'kind'));
  if (kind === undefined) return [];
  const parameters = parametersOf(asObject(fieldAt(spec, 'validation')), fieldAt(value, 'apiVersion'), kube.parts);
  // `match` of a mutator has the same schema.
  const mutator = kube.kindOf('mutations.gatekeeper.sh/v1', 'AssignMetadata')?.structural;
  const match = mutator?.properties?.spec?.properties?.match;
  const points = { type: 'array', items: { type: 'object', properties: { name: text } } } as const;
  const schema: StructuralSchema = {
    type: 'object',
    properties: {
      metadata: { type: 'object' },
      spec: {
        type: 'object',
        properties: {
          enforcementAction: { ...text, default: 'deny' },
          scopedEnforcementActions: {
            type: 'array',
            items: { type: 'object', properties: { action: text, enforcementPoints: points } },
          },
          ...(match && { match }),
          ...(parameters && { parameters }),
        },
      },
      status: { 'x-kubernetes-preserve-unknown-fields': true },
    },
  };
  return ['v1beta1', 'v1alpha1'].map(version => ({
    group: 'constraints.gatekeeper.sh',
    version,
    kind,
    resource: kind.toLowerCase(),
    namespaced: false,
    source: schema as unknown as JsonObject,
    schema: () => schema,
    subresources: { status: true },
  }));
}

/** A legacy schema, the default of older versions, accepts any parameter. */
function parametersOf(
  validation: JsonObject | undefined,
  apiVersion: unknown,
  memo: PartMemo,
): StructuralSchema | undefined {
  const isLegacy = fieldAt(validation, 'legacySchema') ?? apiVersion !== 'templates.gatekeeper.sh/v1';
  const schema = asObject(fieldAt(validation, 'openAPIV3Schema'));
  if (isLegacy === true) return { 'x-kubernetes-preserve-unknown-fields': true };
  return schema && structuralSchemaOf(schema, memo);
}
