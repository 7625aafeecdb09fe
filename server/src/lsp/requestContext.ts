import type { Analysis, PodAt } from '../analysis/analysis';
import type { WhatIf } from '../analysis/previewModel';
import type { LinesByUri } from './convert';
import type { PlacementWork } from './placementWork';
import type { PreviewParams } from './protocol';

/** What handlers of requests need. */
export interface RequestContext {
  readonly analysis: () => Analysis;
  readonly canonicalUri: (uri: string) => string;
  readonly linesOf: LinesByUri;
  readonly placementWork: PlacementWork;
}

/** What the preview shows; undefined: there is no such file. */
export function previewTarget(
  { canonicalUri, linesOf }: RequestContext,
  { textDocument, position, pod, whatIf }: PreviewParams,
): (PodAt & { readonly whatIf?: WhatIf }) | undefined {
  const uri = textDocument && canonicalUri(textDocument.uri);
  const lines = uri === undefined ? undefined : linesOf(uri);
  if (uri === undefined || lines === undefined) return undefined;
  const offset = position ? lines.offset(position) : 0;
  return { uri, offset, ...(pod !== undefined && { pod }), ...(whatIf && { whatIf }) };
}
