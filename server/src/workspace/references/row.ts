/** The types of the table of references, which is data only; `references.ts` evaluates it. */

/** A kind that a field may refer to. */
export interface KindName {
  readonly group: string;
  readonly kind: string;
  readonly scope: 'namespace' | 'cluster';
}

/** A condition on a field in the same object as the name: the row applies only if it has one of the values. */
export interface ReferenceCondition {
  readonly field: string;
  readonly is: readonly string[];
}

/** What the name refers to. The fields of a target are in the same object as the name. */
export type RowTarget =
  /** An object of a kind, in the own namespace or in that of `namespaceField`. */
  | { readonly to: 'object'; readonly kind: KindName; readonly namespaceField?: string }
  /**
   * An object whose kind is given beside its name; `groupField` is an API group, or an apiVersion if its name says so.
   */
  | {
      readonly to: 'typed';
      readonly groupField: 'apiGroup' | 'apiVersion' | 'group';
      readonly namespaceField?: string;
      /** Its kind and its group count where their fields are absent. */
      readonly defaultKind?: KindName;
    }
  /** A name inside any object of a kind: a profile of a scheduler configuration. */
  | { readonly to: 'partOfAny'; readonly kind: KindName; readonly names: readonly string[] }
  /** A name inside the same object: patterns below the container, the PodSpec or the object. */
  | { readonly to: 'local'; readonly scope: LocalScope; readonly what: string; readonly names: readonly string[] }
  /** A name inside the Pods that a selector of the same object matches; `names` are patterns below their PodSpec. */
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
      /**
       * own: the own namespace; peer: those of `namespaces` and `namespaceSelector` beside the selector, else the own
       * one.
       */
      readonly namespaces: 'own' | 'peer';
    };

export type LocalScope = 'container' | 'podSpec' | 'object';

/** A name inside the object that the row refers to: a key of a ConfigMap, a port of a Service. */
export interface PartRow {
  /** The path of the part, relative to the object that contains the row's name. */
  readonly at: string;
  /** The noun for it in a message. */
  readonly what: string;
  /** The paths of such names in the target object; `{}` at the end matches the keys of a map. */
  readonly names: readonly string[];
}

export interface ReferenceRow {
  /** The path of the name (or selector) below the path of its bundle: `volumes[].configMap.name`. */
  readonly at: string;
  readonly aim: RowTarget;
  readonly when?: ReferenceCondition;
  /** The field beside the name that makes the target optional if it is `true`. */
  readonly optionalField?: string;
  /** Set if a missing target does no harm. */
  readonly isOptional?: true;
  readonly parts?: readonly PartRow[];
}

/** The path of a bundle's rows in objects of a kind, and the scope of local names there. */
export interface BundleLocation {
  readonly group: string;
  readonly kind: string;
  /** '' for the object itself. */
  readonly path: string;
  /** How many leading steps of `path` lead to the enclosing PodSpec. */
  readonly podSpecDepth?: number;
}

export interface Bundle {
  readonly places: readonly BundleLocation[];
  readonly rows: readonly ReferenceRow[];
}
