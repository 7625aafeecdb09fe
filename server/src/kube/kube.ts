import type { PartMemo } from '../base/partMemo';
import type { CelCompilers } from './cel/compilers';
import type { KubernetesVersion } from './version';

/**
 * The facts of one Kubernetes minor with one set of feature gates, and the patch release that was asked for. Immutable.
 * Created by `loadKube` in `load.ts`.
 */
export interface Kube extends KubernetesVersion {
  /** The kind if this minor knows it (served or not): a built-in one, or one with a published CRD schema. */
  kindOf(apiVersion: string, kind: string): KindInfo | undefined;
  kinds(): readonly KindInfo[];
  /**
   * The API of this minor, without its schemas: what its server serves, or would if it were turned on, and added kinds. Those
   * that Berth knows of projects around Kubernetes are not among them.
   */
  api(): readonly ApiName[];
  /** Compilers of the CEL expressions in objects. */
  readonly cel: CelCompilers;
  /** Answers that follow from a part of an object and these facts, those of added kinds apart. */
  readonly parts: PartMemo;
  /** The life of an API version over all known minors. */
  apiLife(apiVersion: string, kind: string): ApiLife | undefined;
  /** What has a life, as `apps/v1 Deployment`. */
  apiLives(): readonly string[];
  gate(name: string): Gate | undefined;
  gates(): readonly Gate[];
  /** False for a gate that this minor does not have. */
  isGateOn(name: string): boolean;
  /** The gates of a field of a definition: if any of them is off, the server removes the field on create. */
  gatesOfField(definition: string, field: string): readonly string[];
  /** The fields that the server removes from objects of a definition with these gates; undefined if there are none. */
  gatedFields(definition: string): GatedFields | undefined;
  /**
   * What became of a field over the supported minors, this one may lack it; undefined: every minor has it, and no gate
   * ever removed it. Loaded on demand.
   */
  fieldLife(definition: string, field: string): FieldLife | undefined;
  /** Documentation of a definition or of one of its fields, as upstream writes it. Loaded on demand. */
  description(definition: string, field?: string): string | undefined;
}

/**
 * The fields of one definition that the server removes on create because a gate is off, and the parts that contain more
 * of them.
 */
export interface GatedFields {
  readonly removed: readonly string[];
  readonly parts: ReadonlyMap<string, GatedPart>;
  /** The first of these parts that is present loses all gated fields, each later one only those in `inLater`. */
  readonly firstOf: readonly string[];
  readonly inLater: GatedFields | undefined;
}

/** A field whose value is an object with gated fields, or a list or map of such objects. */
export interface GatedPart {
  readonly isMap: boolean;
  readonly fields: GatedFields;
}

/** How a kind, and its resource, are called. */
export interface ApiName {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly resource: string;
}

export interface KindInfo extends ApiName {
  readonly namespaced: boolean;
  /** Whether this minor's API server serves it: by default, only if the group version is enabled, or not at all. */
  readonly served: 'on' | 'off' | 'no';
  readonly origin: 'built-in' | 'crd';
  readonly schema: ObjectSchema;
  /** The published schema of a custom resource, by which the API server validates objects. */
  readonly structural?: StructuralSchema;
  /** Of a custom resource, if its definition is known. */
  readonly subresources?: Subresources;
}

/** What a definition serves beside its resources. Upstream: apiextensions/v1.CustomResourceSubresources. */
export interface Subresources {
  readonly status: boolean;
  readonly scale?: ScaleSubresource;
}

/** Paths such as `.spec.replicas`. */
export interface ScaleSubresource {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** A schema of a CustomResourceDefinition. Upstream: apiextensions/v1.JSONSchemaProps. */
export interface StructuralSchema {
  /** object, array, string, integer, number or boolean; any word before the definition is accepted. */
  readonly type?: string;
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
  readonly 'x-kubernetes-map-type'?: string;
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
  /** RawExtension, JSON, FieldsV1, anything that a CRD preserves. */
  | { readonly type: 'any' };

export interface ObjectSchema {
  readonly type: 'object';
  /**
   * Public name of the definition: io.k8s.api.core.v1.PodSpec; for a part of a CRD schema, a name composed of kind and
   * path.
   */
  readonly definition: string;
  readonly fields: ReadonlyMap<string, Field>;
  /** Whether other fields are kept as they are: in a custom resource whose schema says so. */
  readonly isOpen?: boolean;
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
  /** The first minor at this stage. */
  readonly since: string;
  /** Number, for example 3294; `url` has the link of its title if it is known. */
  readonly keps: readonly number[];
  readonly summary?: string;
}

/** What became of a field from the oldest supported minor to the newest. */
export interface FieldLife {
  /** The first minor that has it; undefined: the oldest one has it. */
  readonly first?: string;
  /** The last minor that has it; undefined: the newest one has it. */
  readonly last?: string;
  /** The gates that ever removed it from all objects. */
  readonly gates: readonly GateLife[];
}

/** The states of a gate by ascending minor, without those of minors that do not have it. */
export interface GateLife {
  readonly name: string;
  readonly states: readonly GateState[];
}

export interface GateState {
  readonly minor: string;
  readonly stage: GateStage;
  readonly default: boolean;
  readonly locked: boolean;
}

export interface ApiLife {
  readonly introduced?: string;
  readonly deprecated?: string;
  /** The minor that upstream's lifecycle declares for the removal. */
  readonly removed?: string;
  /** The first minor that does not have it; absent where the newest known minor has it. */
  readonly gone?: string;
  /** "apps/v1 Deployment" */
  readonly replacement?: string;
  /** A clause: what to do where no API version takes its place. */
  readonly advice?: string;
  /** Minor → on | off; absent if that minor does not have it. */
  readonly served: Readonly<Record<string, 'on' | 'off'>>;
}
