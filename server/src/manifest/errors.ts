import type { ManifestFile, SyntaxProblem } from './manifest';

/** The errors for which a file or some of its documents cannot be read; those of the whole file first. */
export function errorsIn({
  problems,
  documents,
}: Pick<ManifestFile, 'problems' | 'documents'>): readonly SyntaxProblem[] {
  return [...problems, ...documents.flatMap(it => it.problems)].filter(it => it.severity === 'error');
}
