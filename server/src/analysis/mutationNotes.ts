import { FieldPath } from '../manifest/fieldPath';
import type { FieldChange, MutationPreview } from '../policy/mutation';
import type { WorkspaceObject } from '../workspace/workspace';
import type { Hover } from './analysis';
import type { InlayHint } from './hints/hint';

/** What policies make of one object. */
export interface MutatedObject extends MutationPreview {
  readonly object: WorkspaceObject;
}

const MAX_LABEL = 60;

/** What mutating policies write into fields, behind those fields; what is not written at all, behind the kind. */
export function mutationHints(mutated: readonly MutatedObject[]): readonly InlayHint[] {
  return mutated.flatMap(({ object, policy, changes }) =>
    changes.map(change => {
      const { manifest } = object;
      const isWritten = manifest.has(change.at);
      const { end } = manifest.spanOf(isWritten ? change.at : FieldPath.of('kind'), 'value');
      const field = isWritten ? '' : `${change.at}: `;
      const label = change.after === undefined ? 'removed' : shortly(JSON.stringify(change.after));
      return { offset: end, label: `→ ${field}${label} (${policy})` };
    }),
  );
}

/** The changes that policies make to an object, as a diff: at its kind all of them, at a field those of the field. */
export function mutationHover(mutated: readonly MutatedObject[], offset: number): Hover | undefined {
  const here = mutated.filter(
    ({ object: { manifest } }) => manifest.span.start <= offset && offset <= manifest.span.end,
  );
  const manifest = here[0]?.object.manifest;
  const at = manifest?.pathAt(offset);
  if (manifest === undefined || at === undefined) return undefined;
  const field = at.path.toString();
  const isAbout = (change: FieldChange): boolean =>
    field === 'kind' || field === 'metadata.name' || change.at.toString() === field;
  const sections = here.flatMap(({ kind: by, policy, changes }) => {
    const own = changes.filter(isAbout);
    if (own.length === 0) return [];
    const diff = own.flatMap(({ at: path, before, after }) => [
      ...(before === undefined ? [] : [`- ${path}: ${JSON.stringify(before)}`]),
      ...(after === undefined ? [] : [`+ ${path}: ${JSON.stringify(after)}`]),
    ]);
    return [`${by} **${policy}** changes this object:\n\n\`\`\`diff\n${diff.join('\n')}\n\`\`\``];
  });
  if (sections.length === 0) return undefined;
  return { span: manifest.spanOf(at.path, at.part), markdown: sections.join('\n\n') };
}

/** One answer of two: the text of the second goes below that of the first. */
export function joinedHover(first: Hover | undefined, second: Hover | undefined): Hover | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return { span: first.span, markdown: `${first.markdown}\n\n---\n\n${second.markdown}` };
}

const shortly = (text: string): string => (text.length > MAX_LABEL ? `${text.slice(0, MAX_LABEL)}…` : text);
