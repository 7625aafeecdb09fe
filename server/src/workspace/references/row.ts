/** What a row of the table of references says. All of it is data; `references.ts` reads it. */

/** A kind that a field names an object of. */
export interface KindName {
  readonly group: string;
  readonly kind: string;
  readonly scope: 'namespace' | 'cluster';
}

/** A field beside the one at hand that must have a value for the row to hold. */
export interface ReferenceCondition {
  readonly field: string;
  readonly is: readonly string[];
}

/** What the named thing is. Fields that it speaks of stand beside the name, in the same object. */
export type Aim =
  /** An object of a kind, in the own namespace unless `namespaceField` says which. */
  | { readonly to: 'object'; readonly kind: KindName; readonly namespaceField?: string }
  /** An object whose kind stands beside its name; `groupField` is an API group, or an apiVersion where it is called so. */
  | {
      readonly to: 'typed';
      readonly groupField: 'apiGroup' | 'apiVersion' | 'group';
      readonly namespaceField?: string;
      /** Where the kind must be told by the row, as its field is another one or has a default. */
      readonly defaultKind?: KindName;
    }
  /** A name inside some object of a kind, whichever it is: a profile of a scheduler configuration. */
  | { readonly to: 'partOfAny'; readonly kind: KindName; readonly names: readonly string[] }
  /** A name inside the own object: patterns below the container, the PodSpec or the object. */
  | { readonly to: 'local'; readonly scope: LocalScope; readonly what: string; readonly names: readonly string[] }
  /** A name inside the Pods that a selector of the own object chooses; `names` are patterns below their PodSpec. */
  | {
      readonly to: 'podPart';
      readonly selector: string;
      readonly form: 'labels' | 'labelSelector';
      readonly what: string;
      readonly names: readonly string[];
    }
  /** Pods by their labels. */
  | {
      readonly to: 'pods';
      readonly form: 'labels' | 'labelSelector';
      /** own: the own namespace; peer: those of `namespaces` and `namespaceSelector` beside it, else the own one. */
      readonly namespaces: 'own' | 'peer';
    };

export type LocalScope = 'container' | 'podSpec' | 'object';

/** A name inside the object that the row names: a key of a ConfigMap, a port of a Service. */
export interface PartRow {
  /** Where it stands, from the object that holds the name of the row. */
  readonly at: string;
  /** What it is called in a message. */
  readonly what: string;
  /** Where such names are defined in the named object; `{}` at the end stands for the keys of a map. */
  readonly names: readonly string[];
}

export interface ReferenceRow {
  /** Where the name (or the selector) stands below the place of its bundle: `volumes[].configMap.name`. */
  readonly at: string;
  readonly aim: Aim;
  readonly when?: ReferenceCondition;
  /** Field beside the name that says with `true` that nothing need be there. */
  readonly optionalField?: string;
  /** Nothing breaks when it is absent. */
  readonly isOptional?: true;
  readonly parts?: readonly PartRow[];
}

/** Where the rows of a bundle stand: a path in objects of a kind, with what is local there. */
export interface ReferencePlace {
  readonly group: string;
  readonly kind: string;
  /** '' for the object itself. */
  readonly path: string;
  /** How many leading steps of `path` lead to the PodSpec around it. */
  readonly podSpecDepth?: number;
}

export interface Bundle {
  readonly places: readonly ReferencePlace[];
  readonly rows: readonly ReferenceRow[];
}
