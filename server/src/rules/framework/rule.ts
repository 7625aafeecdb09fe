import type { JsonObject, JsonValue } from '../../base/json';
import type { KindInfo, Kube } from '../../kube/kube';
import type { FieldPath, SpanPart } from '../../manifest/fieldPath';
import type { FileRole } from '../../workspace/fileRoles';
import type { WorkspaceObject } from '../../workspace/object';
import type { Snapshot } from '../../workspace/workspace';
import type { PlacementFacts } from './placementFacts';
import type { PodSecurity } from './podSecurity';
import type { Category, FileEdit, Fix, Severity } from './problem';

/** What a rule says about itself. Hover, `berth explain`, settings and the docs page read this and nothing else. */
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
   * typing: looks at one object alone; workspace: looks at other objects too; placement: asks what the scheduler decides,
   * which takes so long that an editor is told of it later.
   */
  readonly cost: 'typing' | 'workspace' | 'placement';
  /** Gives way to a rule of the same category that says the same of the same field, and more of it. */
  readonly isGeneral?: true;
  /** Page of kubernetes.io that documents what the rule is about. */
  readonly url?: string;
  /** An opinion: it is run only where this preset, or the rule itself, is turned on. */
  readonly preset?: Preset;
}

/** Sets of rules that hold opinions; none is on by default. */
export type Preset = 'best-practice';

/** A problem as the rule sees it: a place and the facts, not yet a message in an editor. */
export interface Finding<Facts> {
  readonly at: FieldPath;
  readonly part: SpanPart;
  readonly facts: Facts;
  /** Where it differs from the rule's own. */
  readonly severity?: Severity;
  readonly errorType?: string;
  /** The path to print, where the API server prints another one than that of the text. */
  readonly fieldPath?: string;
  readonly related?: readonly { readonly object: WorkspaceObject; readonly at: FieldPath; readonly message: string }[];
  readonly unnecessary?: true;
  /** So many others like it were counted and not found one by one. */
  readonly more?: number;
}

export interface RuleContext {
  readonly kube: Kube;
  readonly snapshot: Snapshot;
  /** What one rule has worked out about the object at hand, by a name, for the rules that read it too. */
  readonly answers?: Map<string, unknown>;
  /** How the server is configured for Pod security; absent where it is told nothing. */
  readonly podSecurity?: PodSecurity;
  /**
   * What stands at a path that a kustomization names and that is no manifest of the workspace; undefined, or absent,
   * where nobody has looked.
   */
  readonly isThere?: (uri: string) => 'file' | 'folder' | 'kustomization' | 'nothing' | undefined;
  /** Whether the chosen cluster has an object that the workspace does not write; absent when there is no such source. */
  readonly isInCluster?: (group: string, kind: string, namespace: string | undefined, name: string) => boolean;
  /** Whether the chosen cluster has told all objects of a kind, so that what it does not have is not there. */
  readonly isListedInCluster?: (group: string, kind: string, namespace: string | undefined) => boolean;
  /** Names of a kind in the chosen cluster, in one namespace where the kind has them. */
  readonly clusterNames?: (group: string, kind: string, namespace: string | undefined) => readonly string[];
  /** Objects of a kind in the chosen cluster, as far as they were asked for as a whole. */
  readonly clusterObjects?: (group: string, kind: string) => readonly Readonly<Record<string, unknown>>[];
  /**
   * What the scheduler makes of an object's environment, worked out when first asked for; absent, or undefined, where
   * nobody describes the cluster's nodes.
   */
  readonly placement?: (object: WorkspaceObject) => PlacementFacts | undefined;
}

/** So many findings of one code in one object are told one by one; the others are counted. */
export const MOST_OF_ONE_OBJECT = 1_000;

/** The object a rule looks at. */
export interface RuleTarget {
  readonly object: WorkspaceObject;
  readonly value: JsonObject;
  readonly kind: KindInfo | undefined;
}

export interface Rule<Facts> {
  readonly meta: RuleMeta;
  /** Kinds it looks at (`Pod`, `PriorityClass`, …), `podSpec` for every kind that holds a Pod or a Pod template, or `any`. */
  readonly on: readonly string[] | 'podSpec' | 'any';
  /** The files it speaks of; those of whole objects when absent. */
  readonly reads?: readonly FileRole[];
  check(target: RuleTarget, context: RuleContext): Iterable<Finding<Facts>>;
  message(finding: Finding<Facts>, context: RuleContext): string;
  fixes?(finding: Finding<Facts>, target: RuleTarget, context: RuleContext, edit: EditTools): readonly Fix[];
}

/** Makes text edits by field path, keeping comments and style; implemented by `rules/edits/edit.ts`. */
export interface EditTools {
  /** Replaces a scalar. */
  replaceValue(object: WorkspaceObject, at: FieldPath, newText: string): FileEdit;
  /** Removes a field or list item with its line. */
  remove(object: WorkspaceObject, at: FieldPath): FileEdit;
  renameKey(object: WorkspaceObject, at: FieldPath, newKey: string): FileEdit;
  /** Adds `key: value` to the mapping at `parent`; `value` is YAML text, indented as needed. */
  insertField(object: WorkspaceObject, parent: FieldPath, key: string, value: string): FileEdit;
  /**
   * Writes a value at a path that is missing or empty, with the objects on the way that are missing, in the style of
   * what stands around it.
   */
  write(object: WorkspaceObject, at: FieldPath, value: JsonValue): FileEdit;
  /** Adds an item at the end of a list that has at least one. */
  append(object: WorkspaceObject, list: FieldPath, item: JsonValue): FileEdit;
  /** Appends a document to the object's file. */
  appendDocument(object: WorkspaceObject, text: string): FileEdit;
}

export function defineRule<Facts>(rule: Rule<Facts>): Rule<Facts> {
  return Object.freeze(rule);
}

export type AnyRule = Rule<unknown>;

/** What a rule found in one object: field paths and facts, no place in a text yet. */
export interface RuleFinding {
  readonly rule: AnyRule;
  readonly finding: Finding<unknown>;
}
