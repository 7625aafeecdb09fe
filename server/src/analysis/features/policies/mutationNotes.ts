import { t } from '../../../base/l10n';
import { jsonText } from '../../../base/printed';
import { elided } from '../../../base/shortened';
import { FieldPath } from '../../../manifest/fieldPath';
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

/** Hints with the changes of mutating policies: after the field, or after the kind for fields that are not written. */
export function mutationHints(mutated: readonly ObjectMutations[]): readonly InlayHint[] {
  return mutated.flatMap(({ object, policy, changes, affectedObject: other }) => {
    const { manifest } = object;
    if (other !== undefined) {
      const { end } = manifest.spanOf(FieldPath.of('kind'), 'value');
      const what = `${other.kind} ${other.name}`;
      const label = other.made === undefined ? t`→ changes ${what} (${policy})` : t`→ makes ${what} (${policy})`;
      return [{ offset: end, label }];
    }
    return changes.map(change => {
      const isWritten = manifest.has(change.at);
      const { end } = manifest.spanOf(isWritten ? change.at : FieldPath.of('kind'), 'value');
      const field = isWritten ? '' : `${change.at}: `;
      const label = change.after === undefined ? t('removed') : elided(jsonText(change.after), MAX_LABEL);
      return { offset: end, label: `→ ${field}${label} (${policy})` };
    });
  });
}

/** Hover with the changes of policies to an object as a diff: on its kind all of them, on a field its own. */
export function mutationHover(mutated: readonly ObjectMutations[], offset: number): Hover | undefined {
  const here = mutated.filter(
    ({ object: { manifest } }) => manifest.span.start <= offset && offset <= manifest.span.end,
  );
  const manifest = here[0]?.object.manifest;
  const at = manifest?.pathAt(offset);
  if (manifest === undefined || at === undefined) return undefined;
  const field = at.path.toString();
  const isWhole = field === 'kind' || field === 'metadata.name';
  const sections = here.flatMap(({ kind: by, policy, changes, isAgain, affectedObject: other }) => {
    const subject = `${by} **${plainMarkdown(policy)}**`;
    if (other !== undefined) return isWhole ? [otherInWords(subject, other, changes)] : [];
    const own = changes.filter(it => isWhole || it.at.toString() === field);
    const says = isAgain ? t`${subject} changes this object again:` : t`${subject} changes this object:`;
    return own.length === 0 ? [] : [`${says}\n\n${diffOf(own)}`];
  });
  if (sections.length === 0) return undefined;
  return { span: manifest.spanOf(at.path, at.part), markdown: sections.join('\n\n') };
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
