import type { JsonObject, JsonValue, UnknownObject } from '../../base/json';
import type { KindInfo, Kube } from '../../kube/kube';
import type { FieldPath, SpanPart } from '../../manifest/fieldPath';
import type { Span } from '../../text/span';
import type { FileRole } from '../../workspace/fileRoles';
import type { WorkspaceObject } from '../../workspace/object';
import type { Snapshot } from '../../workspace/workspace';
import type { Layers } from './layers';
import type { NodePorts } from './nodePorts';
import type { PlacementFacts } from './placementFacts';
import type { PodSecurity } from './podSecurity';
import type { Category, FileEdit, Fix, Severity } from './problem';

/**
 * A rule's metadata: the only source for hover, `berth explain`, settings and the docs page. Its texts are English, and
 * looked up when a page is printed; a text that is put together looks up its parts when it is read.
 */
export interface RuleMeta {
  /** `room/name`, stable. */
  readonly code: string;
  readonly category: Category;
  readonly severity: Severity;
  readonly summary: string;
  readonly why: string;
  readonly remedy: string;
  /** More for the page: history, examples; Markdown. */
  readonly details?: string;
  readonly source?: { readonly project: string; readonly symbol: string; readonly fidelity: 'same' | 'inspired' };
  readonly since?: string;
  readonly until?: string;
  /**
   * typing: looks at one object alone; workspace: looks at other objects, too; placement: needs the scheduler's
   * decisions, which take so long that the editor shows them later.
   */
  readonly cost: 'typing' | 'workspace' | 'placement';
  /**
   * A general rule's finding is dropped if another rule of the same category reports the same error of the same field.
   */
  readonly isGeneral?: true;
  /** A page of kubernetes.io about the rule's topic. */
  readonly url?: string;
  /** The rule is a matter of opinion: it runs only if this preset, or the rule itself, is turned on. */
  readonly preset?: Preset;
}

/** Sets of rules that are matters of opinion; none is on by default. */
export type Preset = 'best-practice';

/** What a rule finds: a field path and facts, not yet a message. */
export interface Finding<Facts> {
  readonly at: FieldPath;
  readonly part: SpanPart;
  /** The part of a string value that is underlined, in UTF-16 units of the value. */
  readonly within?: Span;
  readonly facts: Facts;
  /** Set if it differs from the rule's own. */
  readonly severity?: Severity;
  readonly errorType?: string;
  /** The path to print, if the API server prints another one than that of the text. */
  readonly fieldPath?: string;
  readonly related?: readonly { readonly object: WorkspaceObject; readonly at: FieldPath; readonly message: string }[];
  readonly unnecessary?: true;
  /** How many similar findings were counted but not listed. */
  readonly more?: number;
}

export interface RuleContext {
  readonly kube: Kube;
  readonly snapshot: Snapshot;
  /** Intermediate results about the current object, by name, for the rules that share them. */
  readonly answers?: Map<string, unknown>;
  /** How the API server is configured for Pod security; absent if that is unknown. */
  readonly podSecurity?: PodSecurity;
  /** The node ports that the API server gives to Services; its default when absent. */
  readonly nodePorts?: NodePorts;
  /**
   * What exists at a path that a kustomization names and that is not a manifest of the workspace; undefined, or absent,
   * if it has not been checked.
   */
  readonly pathKind?: (uri: string) => 'file' | 'folder' | 'kustomization' | 'nothing' | undefined;
  /** Whether the chosen cluster has an object that is not in the workspace; absent without a cluster. */
  readonly isInCluster?: (group: string, kind: string, namespace: string | undefined, name: string) => boolean;
  /** Whether the chosen cluster has listed all objects of a kind, so that an unlisted object does not exist. */
  readonly isListedInCluster?: (group: string, kind: string, namespace: string | undefined) => boolean;
  /** Names of a kind in the chosen cluster, in one namespace if the kind is namespaced. */
  readonly clusterNames?: (group: string, kind: string, namespace: string | undefined) => readonly string[];
  /** The version that the chosen cluster runs, as it writes it; absent if it does not tell. */
  readonly clusterVersion?: string;
  /** Objects of a kind in the chosen cluster, as far as whole objects were requested. */
  readonly clusterObjects?: (group: string, kind: string) => readonly UnknownObject[];
  /**
   * The scheduler's results for an object's environment, computed when first needed; absent, or undefined, if the
   * cluster's nodes are not described.
   */
  readonly placement?: (object: WorkspaceObject) => PlacementFacts | undefined;
}

/** How many findings of one code in one object are listed; the others are counted. */
export const MOST_OF_ONE_OBJECT = 1_000;

/** How many other locations of one finding are told. */
export const MOST_RELATED = 20;

/** The object that a rule checks. */
export interface RuleTarget {
  readonly object: WorkspaceObject;
  readonly value: JsonObject;
  readonly kind: KindInfo | undefined;
}

export interface Rule<Facts> {
  readonly meta: RuleMeta;
  /**
   * Kinds that it checks (`Pod`, `PriorityClass`, …), `podSpec` for every kind with a Pod or a Pod template, or `any`.
   */
  readonly on: readonly string[] | 'podSpec' | 'any';
  /** Whether it can find anything with these facts; always when absent. Asked once for each kind of objects. */
  readonly concerns?: (kube: Kube) => boolean;
  /** Roles of the files that it checks; whole objects when absent. */
  readonly reads?: readonly FileRole[];
  check(target: RuleTarget, context: RuleContext): Iterable<Finding<Facts>>;
  message(finding: Finding<Facts>, context: RuleContext): string | Layers;
  fixes?(finding: Finding<Facts>, target: RuleTarget, context: RuleContext, edit: EditTools): readonly Fix[];
}

/** Makes text edits by field path that keep comments and style; implemented by `rules/edits/edit.ts`. */
export interface EditTools {
  /** Replaces a scalar. */
  replaceValue(object: WorkspaceObject, at: FieldPath, newText: string): FileEdit;
  /** Removes a field or list item with its line. */
  remove(object: WorkspaceObject, at: FieldPath): FileEdit;
  renameKey(object: WorkspaceObject, at: FieldPath, newKey: string): FileEdit;
  /** Adds `key: value` to the mapping at `parent`; `value` is YAML text, indented as needed. */
  insertField(object: WorkspaceObject, parent: FieldPath, key: string, value: string): FileEdit;
  /**
   * Writes a value at a path that is missing or empty, together with missing parent objects, in the style of the
   * surrounding text.
   */
  write(object: WorkspaceObject, at: FieldPath, value: JsonValue): FileEdit;
  /** Adds an item at the end of a list that has at least one. */
  append(object: WorkspaceObject, list: FieldPath, item: JsonValue): FileEdit;
  /** Appends a document to the object's file. */
  appendDocument(object: WorkspaceObject, text: string): FileEdit;
  /** Turns the whole object into another value; fields that stay keep their text and comments. */
  rewrite(object: WorkspaceObject, wanted: JsonObject): readonly FileEdit[];
}

export function defineRule<Facts>(rule: Rule<Facts>): Rule<Facts> {
  return Object.freeze(rule);
}

export type AnyRule = Rule<unknown>;

/** A rule with one of its findings in an object, without a position in the text. */
export interface RuleFinding {
  readonly rule: AnyRule;
  readonly finding: Finding<unknown>;
}
