import { jsonText } from '../../../base/printed';
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
      const verb = other.made === undefined ? 'changes' : 'makes';
      return [{ offset: end, label: `→ ${verb} ${other.kind} ${other.name} (${policy})` }];
    }
    return changes.map(change => {
      const isWritten = manifest.has(change.at);
      const { end } = manifest.spanOf(isWritten ? change.at : FieldPath.of('kind'), 'value');
      const field = isWritten ? '' : `${change.at}: `;
      const label = change.after === undefined ? 'removed' : shortly(jsonText(change.after));
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
    if (other !== undefined) return isWhole ? [`${subject} ${otherInWords(other, changes)}`] : [];
    const own = changes.filter(it => isWhole || it.at.toString() === field);
    return own.length === 0 ? [] : [`${subject} changes this object${isAgain ? ' again' : ''}:\n\n${diffOf(own)}`];
  });
  if (sections.length === 0) return undefined;
  return { span: manifest.spanOf(at.path, at.part), markdown: sections.join('\n\n') };
}

/** Another object that a policy changes or creates because of this one. */
function otherInWords({ kind, name, made }: AffectedObject, changes: readonly FieldChange[]): string {
  const object = `${plainMarkdown(kind)} ${codeSpan(name)}`;
  if (made === undefined) return `changes the existing ${object} because of this one:\n\n${diffOf(changes)}`;
  return `makes ${object} because of this one:\n\n${codeBlock('yaml', yamlLibrary().stringify(made).trimEnd())}`;
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

const shortly = (text: string): string => (text.length > MAX_LABEL ? `${text.slice(0, MAX_LABEL)}…` : text);
