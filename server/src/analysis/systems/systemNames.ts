import { readSystem } from '../../explore/system/read';
import { usesIn } from '../../explore/system/uses';
import type { ManifestFile } from '../../manifest/manifest';
import type { Span } from '../../text/span';

interface Place {
  readonly uri: string;
  readonly span: Span;
}

/** Where the name at an offset of a system is declared. */
export function systemDefinition(
  file: ManifestFile,
  offset: number,
): { readonly span: Span; readonly locations: readonly Place[] } | undefined {
  const use = usesIn(readSystem(file).document).find(it => isAt(it.span, offset));
  return use && { span: use.span, locations: [{ uri: file.uri, span: use.declared }] };
}

/** The uses of what is named or declared at an offset of a system. */
export function systemReferences(
  file: ManifestFile,
  offset: number,
  wanted: 'uses' | 'usesAndDefinitions',
): readonly Place[] {
  const uses = usesIn(readSystem(file).document);
  const declared = uses.find(it => isAt(it.span, offset) || isAt(it.declared, offset))?.declared;
  if (declared === undefined) return [];
  const spans = uses.filter(it => it.declared.start === declared.start).map(it => it.span);
  const all = wanted === 'uses' ? spans : [declared, ...spans];
  const distinct = new Map(all.map(it => [it.start, it]));
  return [...distinct.values()].map(span => ({ uri: file.uri, span }));
}

const isAt = ({ start, end }: Span, offset: number): boolean => offset >= start && offset <= end;
