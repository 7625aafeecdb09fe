import type { Kube, Schema } from '../../kube/kube';
import { quantityError } from '../../kube/quantity';
import type { Entry } from '../../manifest/manifest';
import { isTouching, type Span } from '../../text/span';
import type { WorkspaceObject } from '../../workspace/object';
import { firstDefinitionOf, namesGivenIn } from '../../workspace/references/definitions';
import type { Snapshot } from '../../workspace/workspace';

/** Types of LSP's SemanticTokenTypes, so that every theme has colours for them. */
export const TOKEN_TYPES = ['type', 'class', 'variable', 'enumMember', 'number'] as const;
export const TOKEN_MODIFIERS = ['declaration'] as const;

export interface SemanticToken {
  /** Inside of one line. */
  readonly span: Span;
  readonly type: (typeof TOKEN_TYPES)[number];
  readonly modifiers: readonly (typeof TOKEN_MODIFIERS)[number][];
}

/**
 * Tokens of the text in `within` that a YAML grammar cannot classify, in text order: kinds, defined and referenced names,
 * values of enumerations, quantities. A reference without a target stays plain text.
 */
export function semanticTokensOf(snapshot: Snapshot, kube: Kube, uri: string, within: Span): readonly SemanticToken[] {
  const objects = snapshot.objectsIn(uri).filter(it => isTouching(it.manifest.span, within));
  const tokens = objects.flatMap(it => [...nameTokens(it, snapshot), ...valueTokens(it, kube, within)]);
  const text = snapshot.files.get(uri)?.text ?? '';
  const shown = tokens.filter(({ span }) => isShown(span, within, text)).sort((a, b) => a.span.start - b.span.start);
  // A name takes precedence over a value of an enumeration.
  return shown.filter((it, i) => i === 0 || shown[i - 1]!.span.end <= it.span.start);
}

/** Tokens over several lines are left out, because not every editor supports them. */
const isShown = (span: Span, within: Span, text: string): boolean =>
  span.start < span.end &&
  span.start <= within.end &&
  within.start <= span.end &&
  !text.slice(span.start, span.end).includes('\n');

function nameTokens(object: WorkspaceObject, snapshot: Snapshot): readonly SemanticToken[] {
  const { manifest } = object;
  const given = namesGivenIn(snapshot, object).map(({ at, part }): SemanticToken => {
    const type = at.toString() === 'metadata.name' ? 'class' : 'variable';
    return { span: manifest.spanOf(at, part), type, modifiers: ['declaration'] };
  });
  const used = snapshot.references.of(object).flatMap((reference): readonly SemanticToken[] => {
    const { to } = reference.target;
    if (to === 'pods' || firstDefinitionOf(snapshot, { object, reference }) === undefined) return [];
    return [
      { span: manifest.spanOf(reference.at, 'value'), type: to === 'object' ? 'class' : 'variable', modifiers: [] },
    ];
  });
  return [...given, ...used];
}

function valueTokens(
  { manifest, apiVersion, kind }: WorkspaceObject,
  kube: Kube,
  within: Span,
): readonly SemanticToken[] {
  const schema = kube.kindOf(apiVersion, kind)?.schema;
  const below = (entries: readonly Entry[], of: Schema | undefined): readonly SemanticToken[] =>
    entries.flatMap(entry => {
      if (entry.span.end < within.start || within.end < entry.span.start) return [];
      const own = schemaOf(entry, of);
      if (entry.kind !== 'scalar') return below(entry.children, own);
      const type = own && typeOf(entry.text, own);
      return type ? [{ span: entry.value, type, modifiers: [] }] : [];
    });
  const written = manifest.entries();
  const ownKind = written.find(it => it.name === 'kind' && it.kind === 'scalar');
  const kindToken: readonly SemanticToken[] = ownKind ? [{ span: ownKind.value, type: 'type', modifiers: [] }] : [];
  return [...kindToken, ...below(written, schema)];
}

function schemaOf({ name }: Entry, schema: Schema | undefined): Schema | undefined {
  if (schema?.type === 'list') return schema.items;
  if (schema?.type === 'map') return schema.values;
  return schema?.type === 'object' && typeof name === 'string' ? schema.fields.get(name)?.schema : undefined;
}

function typeOf(text: string, schema: Schema): SemanticToken['type'] | undefined {
  if (schema.type === 'quantity') return quantityError(text) === undefined ? 'number' : undefined;
  if (schema.type === 'string' && schema.enum?.includes(text)) return 'enumMember';
  return undefined;
}
