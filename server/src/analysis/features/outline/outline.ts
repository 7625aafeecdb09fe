import type { Span } from '../../../text/span';
import type { AnalysisContext } from '../../diagnostics/analysisContext';
import { type FoldingRange, foldingRangesOf } from './folding';
import { selectionRangesAt } from './selection';
import { type DocumentSymbol, documentSymbolsOf, type WorkspaceSymbol, workspaceSymbolsFor } from './symbols';

/** The structure of files. */
export interface Outline {
  documentSymbols(uri: string): readonly DocumentSymbol[];
  workspaceSymbols(query: string): readonly WorkspaceSymbol[];
  foldingRanges(uri: string): readonly FoldingRange[];
  /** What a selection at an offset grows to, step by step. */
  selectionRanges(uri: string, offset: number): readonly Span[];
}

export const outline = ({ moment: { files }, sceneOf }: AnalysisContext): Outline => ({
  documentSymbols: uri => documentSymbolsOf(sceneOf(uri).snapshot, uri),
  workspaceSymbols(query) {
    const objects = [...files.keys()].flatMap(uri => sceneOf(uri).written.objectsIn(uri));
    return workspaceSymbolsFor(objects, query);
  },
  foldingRanges(uri) {
    const file = files.get(uri);
    return file ? foldingRangesOf(file) : [];
  },
  selectionRanges: (uri, offset) => selectionRangesAt(sceneOf(uri).snapshot, uri, offset),
});
