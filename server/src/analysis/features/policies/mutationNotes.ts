import { t } from '../../../base/l10n';
import { grouped } from '../../../base/multiMap';
import { jsonText } from '../../../base/printed';
import { elided } from '../../../base/shortened';
import { FieldPath } from '../../../manifest/fieldPath';
import type { ManifestObject } from '../../../manifest/manifest';
import type { AffectedObject, FieldChange, MutationPreview } from '../../../policy/mutation';
import { codeBlock, codeSpan, plainMarkdown } from '../../../text/markdown';
import { printable } from '../../../text/printable';
import type { WorkspaceObject } from '../../../workspace/object';
import type { Hover } from '../annotations';
import type { InlayHint } from '../inlayHints/hint';
import { yamlLibrary } from './yamlLibrary';

/** Changes of policies to one object. */
export interface ObjectMutations extends MutationPreview {
  readonly object: WorkspaceObject;
}

const MAX_LABEL = 60;

/** More changes of one object are counted, as hints and in a hover. */
const MOST_CHANGES = 20;

/** Hints with the changes of mutating policies: after the field, or after the kind for fields that are not written. */
export function mutationHints(mutated: readonly ObjectMutations[]): readonly InlayHint[] {
  return [...grouped(mutated, it => it.object)].flatMap(([{ manifest }, own]) => {
    const changes = own.flatMap(changesIn);
    const hints = changes.slice(0, MOST_CHANGES).map(it => hintOf(it, manifest));
    const left = changes.length - hints.length;
    if (left === 0) return hints;
    const label = left === 1 ? t('→ 1 more change') : t`→ ${left} more changes`;
    return [...hints, { offset: afterKind(manifest), label }];
  });
}

/** One change that a policy makes: of a field, or of another object. */
type PolicyChange = { readonly policy: string } & (
  | { readonly field: FieldChange }
  | { readonly other: AffectedObject }
);

function changesIn({ policy, changes, affectedObject: other }: ObjectMutations): readonly PolicyChange[] {
  return other === undefined ? changes.map(field => ({ policy, field })) : [{ policy, other }];
}

function hintOf(change: PolicyChange, manifest: ManifestObject): InlayHint {
  const { policy } = change;
  if ('other' in change) {
    const { kind, name, made } = change.other;
    const what = `${kind} ${name}`;
    const label = made === undefined ? t`→ changes ${what} (${policy})` : t`→ makes ${what} (${policy})`;
    return { offset: afterKind(manifest), label };
  }
  const { at, after } = change.field;
  const isWritten = manifest.has(at);
  const field = isWritten ? '' : `${at}: `;
  const label = after === undefined ? t('removed') : elided(jsonText(after), MAX_LABEL);
  return {
    offset: isWritten ? manifest.spanOf(at, 'value').end : afterKind(manifest),
    label: `→ ${field}${label} (${policy})`,
  };
}

const afterKind = (manifest: ManifestObject): number => manifest.spanOf(FieldPath.of('kind'), 'value').end;

/** Hover with the changes of policies to the object at an offset as a diff: on its kind all of them, on a field its own. */
export function mutationHover(mutated: readonly ObjectMutations[], offset: number): Hover | undefined {
  const manifest = mutated[0]?.object.manifest;
  const at = manifest?.pathAt(offset);
  if (manifest === undefined || at === undefined) return undefined;
  const field = at.path.toString();
  const isWhole = field === 'kind' || field === 'metadata.name';
  const own = mutated.flatMap(({ changes, ...it }) => {
    if (it.affectedObject !== undefined) return isWhole ? [{ ...it, changes }] : [];
    const ofField = changes.filter(change => isWhole || change.at.toString() === field);
    return ofField.length === 0 ? [] : [{ ...it, changes: ofField }];
  });
  if (own.length === 0) return undefined;
  const left = own.length - MOST_CHANGES;
  const sections = [
    ...own.slice(0, MOST_CHANGES).map(mutationInWords),
    ...(left > 0 ? [left === 1 ? t('… and 1 more change') : t`… and ${left} more changes`] : []),
  ];
  return { span: manifest.spanOf(at.path, at.part), markdown: sections.join('\n\n') };
}

function mutationInWords({ kind: by, policy, changes, isAgain, affectedObject: other }: ObjectMutations): string {
  const subject = `${by} **${plainMarkdown(policy)}**`;
  if (other !== undefined) return otherInWords(subject, other, changes);
  const says = isAgain ? t`${subject} changes this object again:` : t`${subject} changes this object:`;
  return `${says}\n\n${diffOf(changes)}`;
}

/** Another object that a policy changes or creates because of this one. */
function otherInWords(subject: string, { kind, name, made }: AffectedObject, changes: readonly FieldChange[]): string {
  const object = `${plainMarkdown(kind)} ${codeSpan(name)}`;
  if (made === undefined)
    return `${t`${subject} changes the existing ${object} because of this one:`}\n\n${diffOf(changes)}`;
  const text = codeBlock('yaml', yamlLibrary().stringify(made).trimEnd());
  return `${t`${subject} makes ${object} because of this one:`}\n\n${text}`;
}

function diffOf(changes: readonly FieldChange[]): string {
  const lines = changes.flatMap(({ at: path, before, after }) => [
    ...(before === undefined ? [] : [printable(`- ${path}: ${jsonText(before)}`)]),
    ...(after === undefined ? [] : [printable(`+ ${path}: ${jsonText(after)}`)]),
  ]);
  return codeBlock('diff', lines.join('\n'));
}

/** Joins two hovers, the second below the first. */
export function joinedHover(first: Hover | undefined, second: Hover | undefined): Hover | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return { span: first.span, markdown: `${first.markdown}\n\n---\n\n${second.markdown}` };
}
