import { compareText } from '../base/compareText';
import { t } from '../base/l10n';
import { lazy, lazyByObject } from '../base/lazy';
import { nearestOfFirst } from '../base/nearest';
import { createPartMemo } from '../base/partMemo';
import { apiLifeKeys, apiLives, type PackedLife } from './apiLives';
import { celCompilers } from './cel/compilers';
import { type DefinitionField, gatedFieldsIndex, isRemovedEverywhere } from './gatedFields';
import type {
  ApiName,
  Field,
  FieldLife,
  Gate,
  GateLife,
  GateStage,
  GateState,
  KindInfo,
  Kube,
  ObjectSchema,
  Schema,
  StructuralSchema,
} from './kube';
import { OWN_KINDS, ownDescription, ownFields } from './ownKinds';
import { defaultOfEarlierPatch } from './patchGates';
import { type KubernetesVersion, knownVersion, type Release, releaseOf, supportedMinors } from './version';

export { newestMinor, supportedMinors } from './version';

/** The gates that decide whether the server keeps a field on create. */
export interface FieldGate {
  /** If any of these is off, the field is removed, whatever else is set. */
  readonly gates: readonly string[];
  /** Gate → paths from the object's root: with the gate off, the field is removed only if these are set, too. */
  readonly requires?: Readonly<Record<string, readonly string[]>>;
  /** Any one of these keeps the field. */
  readonly anyOf?: readonly string[];
  /** If any of these is on, the field is removed. */
  readonly whenOn?: readonly string[];
  /** A value with which an init container keeps the field, whatever `conditional` contains. */
  readonly keptInInitContainers?: string;
  /** Gates that remove the field, with the exceptions of `requires` and `keptInInitContainers`. */
  readonly conditional?: readonly string[];
}

/** Kube with facts that only some rooms need. */
export interface KubeFacts extends Kube {
  /** The release of these facts: "1.37.1". */
  readonly release: string;
  /** The gates that must be on for `name` to be on. */
  gateDependencies(name: string): readonly string[];
  /** `field` may end in `[*]` for the items of a list. */
  fieldGate(definition: string, field: string): FieldGate | undefined;
  /** A definition by its public name; undefined if this minor does not have it. */
  schemaOf(definition: string): Schema | undefined;
  definitions(): readonly string[];
}

/** Returns the bytes of a pack, plain or compressed by Brotli. */
export type ReadPack = (name: string) => Uint8Array;

type PackedSchema =
  | { readonly ref: string }
  | { readonly type: 'list'; readonly items: PackedSchema; readonly listType?: ListType; readonly mapKeys?: string[] }
  | { readonly type: 'map'; readonly values: PackedSchema }
  | Exclude<Schema, { type: 'object' | 'list' | 'map' }>;

type ListType = 'atomic' | 'set' | 'map';

interface PackedField {
  readonly schema: PackedSchema;
  readonly required?: true;
  readonly default?: unknown;
}

type PackedDefinition = { readonly schema: PackedSchema } | { readonly fields: Readonly<Record<string, PackedField>> };

interface PackedKind extends ApiName {
  readonly namespaced: boolean;
  readonly served: 'on' | 'off' | 'no';
  readonly definition: string;
}

interface PackedGate {
  readonly default: boolean;
  readonly stage: GateStage;
  readonly locked?: true;
  readonly since?: string;
  readonly keps?: readonly number[];
  readonly summary?: string;
  readonly dependsOn?: readonly string[];
}

interface PackedFieldGate {
  readonly gates: readonly string[];
  readonly requires?: Readonly<Record<string, readonly string[]>>;
  readonly anyOf?: readonly string[];
  readonly whenOn?: readonly string[];
  readonly keptInInitContainers?: string;
}

type Definitions = Readonly<Record<string, PackedDefinition>>;

interface MinorFacts {
  readonly minor: string;
  readonly kubernetes: string;
  readonly kinds: readonly PackedKind[];
  readonly gates: Readonly<Record<string, PackedGate>>;
  readonly fieldGates: Readonly<Record<string, PackedFieldGate>>;
}

interface MinorPack extends MinorFacts {
  readonly definitionNames: () => readonly string[];
  /** Parsed on demand. */
  readonly definition: (name: string) => PackedDefinition | undefined;
}

/** Kinds outside Kubernetes: `crds` of related projects, `policy-kinds` of the policy engines. */
interface CrdPack {
  readonly kinds: readonly PackedKind[];
  readonly definitions: Definitions;
  readonly structural: Readonly<Record<string, StructuralSchema>>;
}

interface FieldLifePack {
  readonly minors: readonly string[];
  /** `definition.field` → its first and last minor; '' for the oldest and the newest. */
  readonly fields: Readonly<Record<string, readonly [string, string]>>;
  readonly gates: Readonly<Record<string, readonly string[]>>;
  /** Gate → minor → state. */
  readonly states: Readonly<Record<string, Readonly<Record<string, Omit<PackedGate, 'since'>>>>>;
}

type Descriptions = Readonly<Record<string, string>>;

interface PolicyKindPack extends CrdPack {
  readonly descriptions: Readonly<Record<string, Descriptions>>;
}

interface DescriptionPack {
  readonly texts: readonly (readonly [string, Descriptions])[];
  readonly minors: Readonly<Record<string, readonly number[]>>;
  readonly crds: Readonly<Record<string, Descriptions>>;
}

/**
 * The facts of a version, those of its minor, with feature gates set as given (unknown and locked ones are ignored;
 * `gateProblems` reports them). Only this minor's pack is read; CRD schemas, lives of API versions and descriptions are
 * read on demand. Facts that somebody holds are not made again. Throws if the minor is not one of `supportedMinors`.
 */
export function loadKube(
  version: string,
  featureGates: Readonly<Record<string, boolean>>,
  readPack: ReadPack,
): KubeFacts {
  const known = knownVersion(version);
  if (known === undefined) {
    throw new RangeError(`Kubernetes ${version} is not supported; supported are ${supportedMinors.join(', ')}`);
  }
  const held = factsHeld(readPack);
  const key = JSON.stringify([known, Object.entries(featureGates).sort(([a], [b]) => compareText(a, b))]);
  const facts = held.get(key)?.deref() ?? factsFrom(packsOf(known.minor, readPack), known, featureGates);
  held.set(key, new WeakRef(facts));
  return facts;
}

/** The facts that were made from some packs. */
const factsHeld = lazyByObject((_: ReadPack) => new Map<string, WeakRef<KubeFacts>>());

function factsFrom(packs: Packs, known: KubernetesVersion, featureGates: Readonly<Record<string, boolean>>): KubeFacts {
  const { minor } = known;
  const { pack, crds, policyKinds, lives, fieldLives } = packs;
  const schemaOf = schemaReader(
    name =>
      pack.definition(name) ??
      ownDefinition(name) ??
      own((isPolicyEngines(name) ? policyKinds() : crds()).definitions, name),
  );
  const builtIn = kindIndex(pack.kinds, 'built-in', schemaOf);
  const ownKinds = kindIndex(OWN_KINDS, 'crd', schemaOf);
  const custom = lazy(() => kindIndex(crds().kinds, 'crd', schemaOf, crds().structural));
  const gates = gateIndex(pack.gates, featureGates, releaseOf(known));
  const ofEngines = lazy(() => kindIndex(policyKinds().kinds, 'crd', schemaOf, policyKinds().structural));
  const allKinds = lazy(() =>
    [builtIn, ownKinds, custom(), ofEngines()].flatMap(it => [...it.values()].map(kind => kind())),
  );
  const fieldGates = lazy(() => new Map(Object.entries(pack.fieldGates).map(([name, it]) => [name, fieldGateOf(it)])));
  const fieldGate = (definition: string, field: string) => fieldGates().get(`${definition}.${field}`);
  const wholePartGates = (field: string) =>
    (own(WHOLE_PART_GATES, field) ?? []).filter(it => gates.get(it)?.locked === false);
  const lifeOf = lazy(() => apiLives(lives(), supportedMinors));
  const isGateOn = (name: string) => gates.get(name)?.enabled ?? false;
  const gatedFields = lazy(() => {
    const gated = [...fieldGates()].filter(([, it]) => it.gates.some(gate => !isGateOn(gate))).map(([name]) => name);
    const removed = new Set(gated.filter(isRemovedEverywhere));
    return gatedFieldsIndex(it => definitionFields(pack.definition(it)), removed);
  });
  return {
    ...known,
    release: pack.kubernetes,
    kindOf: (apiVersion, kind) => {
      const key = `${apiVersion} ${kind}`;
      const beside = isPolicyEngines(apiVersion) ? ofEngines : custom;
      return (builtIn.get(key) ?? ownKinds.get(key) ?? beside().get(key))?.();
    },
    kinds: allKinds,
    api: lazy(() => pack.kinds.filter(it => it.served !== 'no')),
    cel: celCompilers({ minor, isGateOn }),
    parts: createPartMemo(),
    apiLife: (apiVersion, kind) => lifeOf()(apiVersion, kind),
    apiLives: lazy(() => apiLifeKeys(lives())),
    fieldLife: (definition, field) => fieldLifeIn(fieldLives(), `${definition}.${field}`),
    gate: name => gates.get(name),
    gates: () => [...gates.values()],
    gateDependencies: name => own(pack.gates, name)?.dependsOn ?? [],
    isGateOn,
    gatesOfField: (definition, field) =>
      fieldGate(definition, field)?.gates ?? wholePartGates(`${definition}.${field}`),
    fieldGate,
    gatedFields: definition => gatedFields()(definition),
    schemaOf,
    definitions: () => [
      ...pack.definitionNames(),
      ...[crds(), policyKinds()].flatMap(it => Object.keys(it.definitions)),
    ],
    description: (definition, field = '') => descriptionIn(packs, definition, field),
  };
}

/** Gates that are off and remove more than the field itself: an item of a list with whatever refers to it. */
const WHOLE_PART_GATES: Readonly<Record<string, readonly string[]>> = {
  'io.k8s.api.core.v1.Volume.image': ['ImageVolume'],
};

/** The packs that all minors share, read on demand. */
const sharedPacks = lazyByObject((readPack: ReadPack) => ({
  crds: lazy(() => unpack<CrdPack>(readPack, 'crds.json.br')),
  policyKinds: lazy(() => unpack<PolicyKindPack>(readPack, 'policy-kinds.json.br')),
  lives: lazy(() => unpack<Readonly<Record<string, PackedLife>>>(readPack, 'api-lives.json.br')),
  fieldLives: lazy(() => unpack<FieldLifePack>(readPack, 'field-lives.json.br')),
  allDescriptions: lazy(() => unpack<DescriptionPack>(readPack, 'descriptions.json.br')),
}));

type Packs = ReturnType<typeof packsOf>;

/** The packs for a minor; all but the minor's own pack are read on demand. */
function packsOf(minor: string, readPack: ReadPack) {
  const shared = sharedPacks(readPack);
  return {
    ...shared,
    pack: minorPack(decompressed(readPack, `${minor}.json.br`)),
    descriptions: lazy(() => descriptionIndex(shared.allDescriptions(), minor)),
  };
}

function fieldLifeIn({ minors, fields, gates, states }: FieldLifePack, field: string): FieldLife | undefined {
  const [first, last] = own(fields, field) ?? ['', ''];
  const names = own(gates, field) ?? [];
  if (first === '' && last === '' && names.length === 0) return undefined;
  const lifeOf = (name: string): GateLife => ({ name, states: statesOf(minors, own(states, name) ?? {}) });
  return { ...(first !== '' && { first }), ...(last !== '' && { last }), gates: names.map(lifeOf) };
}

function statesOf(minors: readonly string[], states: FieldLifePack['states'][string]): readonly GateState[] {
  return minors.flatMap(minor => {
    const it = own(states, minor);
    return it === undefined ? [] : [{ minor, stage: it.stage, default: it.default, locked: it.locked ?? false }];
  });
}

function descriptionIn({ policyKinds, descriptions }: Packs, definition: string, field: string): string | undefined {
  const ofOwn = ownDescription(definition, field);
  if (ofOwn !== undefined) return ofOwn;
  const texts = isPolicyEngines(definition) ? own(policyKinds().descriptions, definition) : descriptions()(definition);
  return texts && own(texts, field);
}

/** Finds the gate that was probably meant, for the first unknown gates of one text. */
const nearestGate = (kube: Kube) => nearestOfFirst(() => kube.gates().map(it => it.name));

/** A clause about a gate that a minor does not have, with the one that was probably meant; undefined for a known one. */
export function unknownGate(kube: Kube, name: string, nearestOf = nearestGate(kube)): string | undefined {
  if (kube.gate(name) !== undefined) return undefined;
  const nearest = nearestOf(name);
  const hint = nearest === undefined ? '' : t`; did you mean ${nearest}?`;
  return t`Kubernetes ${kube.minor} has no feature gate ${name}${hint}`;
}

/** The error of a chosen feature gate, a sentence. */
interface GateProblem {
  readonly gate: string;
  readonly message: string;
}

/** The errors of chosen feature gates: unknown names and locked gates. */
export function gateProblems(kube: Kube, gates: Readonly<Record<string, boolean>>): readonly GateProblem[] {
  const nearestOf = nearestGate(kube);
  return Object.entries(gates).flatMap(([name, wanted]) => {
    const gate = kube.gate(name);
    if (gate === undefined)
      return [{ gate: name, message: (unknownGate(kube, name, nearestOf) ?? '').replace(/[^?]$/, '$&.') }];
    if (!gate.locked || gate.default === wanted) return [];
    const message = t`Feature gate ${name} is locked to ${gate.default} in Kubernetes ${kube.minor} and cannot be set to ${wanted}.`;
    return [{ gate: name, message }];
  });
}

/** Whether an API version, or a definition named after one, belongs to Gatekeeper or Kyverno. */
const isPolicyEngines = (name: string): boolean => /(?:^|\.)(?:gatekeeper\.sh|kyverno\.io)\//.test(name);

function ownDefinition(name: string): PackedDefinition | undefined {
  const fields = ownFields(name);
  return fields && { fields };
}

function unpack<T>(readPack: ReadPack, name: string): T {
  return JSON.parse(decompressed(readPack, name)) as T;
}

// Node's compression module is loaded only for compressed packs.
const zlib = (): typeof import('node:zlib') => require('node:zlib');

/** A pack starts with a brace; compressed data of Brotli never does. */
const BRACE = 0x7b;

function decompressed(readPack: ReadPack, name: string): string {
  const bytes = Buffer.from(readPack(name));
  return (bytes[0] === BRACE ? bytes : zlib().brotliDecompressSync(bytes)).toString('utf8');
}

/** The first line has everything but the definitions, each of which is a line of its own: a check needs few of them. */
function minorPack(text: string): MinorPack {
  const [first = '', ...lines] = text.split('\n');
  const texts = new Map(
    lines.map(line => {
      const end = line.indexOf(' ');
      return [line.slice(0, end), line.slice(end + 1)];
    }),
  );
  const parsed = new Map<string, PackedDefinition>();
  return {
    ...(JSON.parse(first) as MinorFacts),
    definitionNames: () => [...texts.keys()],
    definition(name) {
      const known = parsed.get(name);
      if (known !== undefined) return known;
      const definition = texts.get(name);
      if (definition === undefined) return undefined;
      const made = JSON.parse(definition) as PackedDefinition;
      parsed.set(name, made);
      return made;
    },
  };
}

/** Each schema is built once, on demand. */
function schemaReader(packedOf: (name: string) => PackedDefinition | undefined): (name: string) => Schema | undefined {
  const cache = new Map<string, Schema>();
  const schemaOf = (name: string): Schema | undefined => {
    const known = cache.get(name);
    if (known) return known;
    const packed = packedOf(name);
    if (packed === undefined) return undefined;
    const schema = 'schema' in packed ? resolve(packed.schema) : objectSchema(name, packed.fields);
    cache.set(name, schema);
    return schema;
  };
  const resolve = (packed: PackedSchema): Schema => {
    if ('ref' in packed) return schemaOf(packed.ref) ?? { type: 'any' };
    if (packed.type === 'map') return { type: 'map', values: resolve(packed.values) };
    if (packed.type !== 'list') return packed;
    return { ...packed, items: resolve(packed.items) };
  };
  const objectSchema = (definition: string, packed: Readonly<Record<string, PackedField>>): ObjectSchema => {
    // Definitions refer to each other in circles, so the fields are read on demand.
    const fields = lazy(() => new Map(Object.entries(packed).map(([name, it]) => [name, fieldOf(name, it)])));
    return {
      type: 'object',
      definition,
      get fields() {
        return fields();
      },
    };
  };
  const fieldOf = (name: string, it: PackedField): Field => ({
    name,
    schema: resolve(it.schema),
    required: it.required ?? false,
    ...(it.default !== undefined && { default: it.default }),
  });
  return schemaOf;
}

function definitionFields(packed: PackedDefinition | undefined): readonly DefinitionField[] {
  if (packed === undefined || 'schema' in packed) return [];
  return Object.entries(packed.fields).map(([name, { schema }]) => ({ name, ...heldBy(schema) }));
}

/** The definition of a schema's value, or of the items of its lists and maps. */
function heldBy(schema: PackedSchema): Omit<DefinitionField, 'name'> {
  if ('ref' in schema) return { holds: schema.ref, isMap: false };
  if (schema.type === 'list') return heldBy(schema.items);
  return schema.type === 'map' ? { ...heldBy(schema.values), isMap: true } : { holds: undefined, isMap: false };
}

function kindIndex(
  kinds: readonly PackedKind[],
  origin: KindInfo['origin'],
  schemaOf: (name: string) => Schema | undefined,
  structuralOf: CrdPack['structural'] = {},
): ReadonlyMap<string, () => KindInfo> {
  return new Map(
    kinds.map(({ definition, ...it }) => [
      `${it.group === '' ? it.version : `${it.group}/${it.version}`} ${it.kind}`,
      lazy((): KindInfo => {
        const schema = schemaOf(definition);
        if (schema?.type !== 'object') throw new Error(`The pack has no object schema ${definition}`);
        const structural = own(structuralOf, definition);
        return { ...it, origin, schema, ...(structural && { structural }) };
      }),
    ]),
  );
}

function gateIndex(
  packed: Readonly<Record<string, PackedGate>>,
  chosen: Readonly<Record<string, boolean>>,
  release: Release,
): ReadonlyMap<string, Gate> {
  return new Map(
    Object.entries(packed).map(([name, it]) => {
      const locked = it.locked ?? false;
      const byDefault = defaultOfEarlierPatch(name, release) ?? it.default;
      const gate: Gate = {
        name,
        enabled: locked ? byDefault : (own(chosen, name) ?? groupChoice(it, chosen) ?? byDefault),
        default: byDefault,
        stage: it.stage,
        locked,
        since: it.since ?? '',
        keps: it.keps ?? [],
        ...(it.summary !== undefined && { summary: it.summary }),
      };
      return [name, gate];
    }),
  );
}

/** AllAlpha and AllBeta set every gate of their stage that is not set itself. */
function groupChoice(gate: PackedGate, chosen: Readonly<Record<string, boolean>>): boolean | undefined {
  if (gate.stage === 'ALPHA') return own(chosen, 'AllAlpha');
  return gate.stage === 'BETA' ? own(chosen, 'AllBeta') : undefined;
}

function fieldGateOf(packed: PackedFieldGate): FieldGate {
  const isConditional = (gate: string) =>
    (packed.requires && gate in packed.requires) ||
    (packed.keptInInitContainers !== undefined && gate === 'ContainerRestartRules');
  const conditional = packed.gates.filter(isConditional);
  return {
    ...packed,
    gates: packed.gates.filter(it => !isConditional(it)),
    ...(conditional.length > 0 && { conditional }),
  };
}

function descriptionIndex(pack: DescriptionPack, minor: string): (definition: string) => Descriptions | undefined {
  const ofMinor = new Map((pack.minors[minor] ?? []).flatMap(i => pack.texts.slice(i, i + 1)));
  return definition => ofMinor.get(definition) ?? own(pack.crds, definition);
}

function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
