import { t } from '../../base/l10n';
import { lazyByObject } from '../../base/lazy';
import { grouped } from '../../base/multiMap';
import { nearestNames } from '../../base/nearest';
import { quoted } from '../../base/quoted';
import { textsOf } from '../../workspace/kustomize';
import { filledInto, mayBecome, namesBefore, namespaceOf } from '../../workspace/kustomizeFilled';
import type { WorkspaceObject } from '../../workspace/object';
import { isBuiltIn } from '../../workspace/references/generatedObjects';
import type { ObjectTarget, Reference } from '../../workspace/references/references';
import type { KindName, ReferenceRow } from '../../workspace/references/row';
import { kindsWith } from '../../workspace/references/table';
import type { Fix } from '../framework/problem';
import type { Rule, RuleContext, RuleMeta, RuleTarget } from '../framework/rule';
import { absenceSeverity, absenceText, isDefined } from '../reading/absence';
import { isLocationCertain, mayBeElsewhere } from '../reading/unknownNamespace';

export interface Missing extends Pick<ObjectTarget, 'group' | 'kind' | 'namespace' | 'name'> {
  /** Where it is looked for once the referring object is deployed, if that is another namespace. */
  readonly deployedIn?: string | undefined;
}

export interface MissingOptions {
  readonly meta: RuleMeta;
  /** The rows of the table that the rule checks. */
  readonly isChecked: (row: ReferenceRow) => boolean;
  /** References that the rule skips, for example because another field gives the same name. */
  readonly isSkipped?: (reference: Reference, target: RuleTarget, context: RuleContext) => boolean;
  /** Names that exist in every cluster, for fixes. */
  readonly existingNames?: readonly string[];
  /** The text of an object that would fix the problem. */
  readonly define?: (missing: Missing) => string;
}

/** Selects rows whose target has one of some kinds. */
export function targetsKind(...kinds: readonly KindName[]): (row: ReferenceRow) => boolean {
  return ({ aim }) => aim.to === 'object' && kinds.includes(aim.kind);
}

/** A rule that reports names of objects that are neither defined nor created by others. */
export function missingRule({ meta, isChecked, isSkipped, existingNames = [], define }: MissingOptions): Rule<Missing> {
  return {
    meta,
    on: kindsWith(isChecked),

    check(target, context) {
      const missing = missingOf(target, context);
      if (missing.length === 0) return [];
      return missing.flatMap(reference => {
        const { target: aim, row, at } = reference;
        if (!isChecked(row) || isSkipped?.(reference, target, context) === true) return [];
        const { group, kind, namespace, name } = aim;
        const isLocal = namespace !== undefined && !isLocationCertain(target.object, aim);
        const deployedIn = isLocal ? namespaceOf(target.object, context.snapshot.roles.kustomizations) : undefined;
        const facts = { group, kind, namespace, name, ...(deployedIn !== undefined && { deployedIn }) };
        return [
          {
            at,
            part: 'value' as const,
            facts,
            severity: absenceSeverity(context, isLocationCertain(target.object, aim) ? aim : undefined),
          },
        ];
      });
    },

    message: ({ facts, severity }, context) => t`${inWords(facts)} ${absenceText(context, severity)}`,

    fixes: ({ at, facts }, { object }, context, edit) => [
      ...nearest(facts.name, [...namesOf(context, facts), ...existingNames]).map(
        (name): Fix => ({
          title: t`Change to ${name}`,
          safety: 'unsafe',
          edits: [edit.replaceValue(object, at, name)],
        }),
      ),
      ...(define === undefined
        ? []
        : [
            {
              title: t`Define ${facts.kind} ${facts.name} at the end of this file`,
              safety: 'unsafe' as const,
              edits: [edit.appendDocument(object, define(facts))],
            },
          ]),
    ],
  };
}

type ToObject = Reference & { readonly target: ObjectTarget };

/** The references of an object to objects that do not exist, computed once for all rules. */
function missingOf({ object }: RuleTarget, context: RuleContext): readonly ToObject[] {
  const known = context.answers?.get('references/missing') as readonly ToObject[] | undefined;
  if (known !== undefined) return known;
  const missing = context.snapshot.references
    .of(object)
    .filter((it): it is ToObject => it.target.to === 'object' && !it.isOptional && !exists(context, it.target))
    .filter(it => !mayBeElsewhere(context, object, it.target));
  context.answers?.set('references/missing', missing);
  return missing;
}

/** Whether an object is written, created by a written object, in the chosen cluster, or in every cluster. */
export function exists(context: RuleContext, target: ObjectTarget): boolean {
  const { group, kind, namespace, name, scope } = target;
  if (!isName(name) || (namespace !== undefined && !isName(namespace)) || isBuiltIn(target)) return true;
  if (isDefined(context, group, kind, namespace, name)) return true;
  if (scope === 'unknown' && isDefined(context, group, kind, undefined, name)) return true;
  if (group === '' && kind === 'Namespace' && isNamespaceFilledIn(context, name)) return true;
  return context.snapshot.references.generatorsOf(target).length > 0 || isFilledIn(context, target);
}

/** So many Namespaces are looked at for one that a kustomization renames: most workspaces have a few dozen. */
const MOST_NAMESPACES = 1_000;

/** Whether kustomizations give some Namespace this name; true where there are too many Namespaces to tell. */
export function isNamespaceFilledIn({ snapshot }: RuleContext, name: string): boolean {
  const { kustomizations } = snapshot.roles;
  if (!kustomizations.namespaces().has(name)) return false;
  const namespaces = snapshot.objectsOf('', 'Namespace');
  if (namespaces.length > MOST_NAMESPACES) return true;
  return namespaces.some(({ manifest }) =>
    textsOf('namespace', kustomizations.buildersOf(manifest.uri)).includes(name),
  );
}

/** Whether the kustomizations of an object give it the name and the namespace. */
function isFilledIn({ snapshot }: RuleContext, target: ObjectTarget): boolean {
  const { kustomizations } = snapshot.roles;
  const { group, kind, namespace } = target;
  const names = namesBefore(target.name, kustomizations);
  if (names === 'many') return true;
  return names.some(name =>
    [...new Set([namespace, snapshot.namespace ?? 'default'])]
      .flatMap(it => snapshot.find(group, kind, it, name))
      .some(it => {
        const filled = filledInto(it, kustomizations);
        return filled !== undefined && mayBecome(it, target, filled);
      }),
  );
}

/** Whether a text is a valid object name; anything else is a placeholder, or is refused as such. */
export function isName(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._:-]*$/.test(text);
}

export function inWords({ kind, name, ...of }: Missing): string {
  const namespace = of.deployedIn ?? of.namespace;
  return namespace === undefined
    ? `${kind} ${quoted(name)}`
    : t`${kind} ${quoted(name)} of namespace ${quoted(namespace)}`;
}

/** At most three names for a fix, the nearest first. */
export function nearest(name: string, candidates: Iterable<string>): readonly string[] {
  return [...new Set(nearestNames(name, candidates))].slice(0, 3);
}

function namesOf({ snapshot, clusterNames }: RuleContext, { group, kind, namespace }: Missing): readonly string[] {
  const written = writtenNames(snapshot.objectsOf(group, kind)).get(namespace) ?? [];
  return [...written, ...(clusterNames?.(group, kind, namespace) ?? [])];
}

/** The names by namespace, once for all problems of one state: any number of objects may be missing. */
const writtenNames = lazyByObject(
  (objects: readonly WorkspaceObject[]): ReadonlyMap<string | undefined, readonly string[]> => {
    const byNamespace = grouped(objects, it => it.namespace);
    return new Map([...byNamespace].map(([namespace, all]) => [namespace, all.flatMap(it => it.name ?? [])]));
  },
);
