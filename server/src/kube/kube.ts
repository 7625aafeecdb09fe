import type { CelCompilers } from './cel/compilers';

/** The facts of one Kubernetes minor with one set of feature gates. Immutable. Made by `loadKube` in `load.ts`. */
export interface Kube {
  /** For example "1.37". */
  readonly minor: string;
  /** The kind, when this minor knows it (served or not), a built-in one or one by its published CRD schema. */
  kindOf(apiVersion: string, kind: string): KindInfo | undefined;
  kinds(): readonly KindInfo[];
  /** Compilers of the CEL expressions that objects hold. */
  readonly cel: CelCompilers;
  /** The life of an API version over all known minors. */
  apiLife(apiVersion: string, kind: string): ApiLife | undefined;
  gate(name: string): Gate | undefined;
  gates(): readonly Gate[];
  /** False for a gate this minor does not know. */
  isGateOn(name: string): boolean;
  /** The gates that a field of a definition hangs on: with any of them off the server removes the field on create. */
  gatesOfField(definition: string, field: string): readonly string[];
  /** What the server removes of objects of a definition at these gates; undefined when it removes nothing. */
  gatedFields(definition: string): GatedFields | undefined;
  /** Documentation of a definition or of one of its fields, as upstream writes it. Loaded when first asked for. */
  description(definition: string, field?: string): string | undefined;
}

/** The fields of one definition that the server removes on create because a gate is off, and where more of them are. */
export interface GatedFields {
  readonly removed: readonly string[];
  readonly parts: ReadonlyMap<string, GatedPart>;
  /** Of these parts the first one that is there loses all gated fields, each later one those of `inLater` only. */
  readonly firstOf: readonly string[];
  readonly inLater: GatedFields | undefined;
}

/** A field that holds objects with gated fields: one, a list of them, or a map of them. */
export interface GatedPart {
  readonly isMap: boolean;
  readonly fields: GatedFields;
}

export interface KindInfo {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly resource: string;
  readonly namespaced: boolean;
  /** Whether the API server of this minor serves it: by default, only when the group version is enabled, or not at all. */
  readonly served: 'on' | 'off' | 'no';
  readonly origin: 'built-in' | 'crd';
  readonly schema: ObjectSchema;
  /** The published schema of a custom resource that an API server serves, as it judges objects by it. */
  readonly structural?: StructuralSchema;
}

/** A schema of a CustomResourceDefinition. Upstream: apiextensions/v1.JSONSchemaProps. */
export interface StructuralSchema {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly format?: string;
  readonly nullable?: boolean;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, StructuralSchema>>;
  readonly additionalProperties?: StructuralSchema | boolean;
  readonly items?: StructuralSchema;
  readonly allOf?: readonly StructuralSchema[];
  readonly anyOf?: readonly StructuralSchema[];
  readonly oneOf?: readonly StructuralSchema[];
  readonly not?: StructuralSchema;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[];
}

/** A CEL rule of a schema. Upstream: apiextensions/v1.ValidationRule. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate';
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

export type Schema =
  | ObjectSchema
  | { readonly type: 'map'; readonly values: Schema }
  | {
      readonly type: 'list';
      readonly items: Schema;
      readonly listType?: 'atomic' | 'set' | 'map';
      readonly mapKeys?: readonly string[];
    }
  | { readonly type: 'string'; readonly format?: string; readonly enum?: readonly string[] }
  | { readonly type: 'integer'; readonly format?: 'int32' | 'int64' }
  | { readonly type: 'number' }
  | { readonly type: 'boolean' }
  | { readonly type: 'quantity' }
  | { readonly type: 'intOrString' }
  /** metav1.Time, MicroTime, Duration: strings with a grammar of their own. */
  | { readonly type: 'time' | 'microTime' | 'duration' }
  /** base64 */
  | { readonly type: 'bytes' }
  /** RawExtension, JSON, FieldsV1, anything a CRD preserves. */
  | { readonly type: 'any' };

export interface ObjectSchema {
  readonly type: 'object';
  /** Public definition name: io.k8s.api.core.v1.PodSpec; for a part of a CRD schema, a name made of kind and path. */
  readonly definition: string;
  readonly fields: ReadonlyMap<string, Field>;
}

export interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  readonly default?: unknown;
}

export type GateStage = 'ALPHA' | 'BETA' | 'GA' | 'DEPRECATED';

export interface Gate {
  readonly name: string;
  readonly enabled: boolean;
  readonly default: boolean;
  readonly stage: GateStage;
  readonly locked: boolean;
  /** Minor since which it is at this stage. */
  readonly since: string;
  /** Number, for example 3294, with its title's link in `url` when known. */
  readonly keps: readonly number[];
  readonly summary?: string;
}

export interface ApiLife {
  readonly introduced?: string;
  readonly deprecated?: string;
  readonly removed?: string;
  /** "apps/v1 Deployment" */
  readonly replacement?: string;
  /** Minor → on | off; absent when that minor does not have it. */
  readonly served: Readonly<Record<string, 'on' | 'off'>>;
}
