import type { RuleMeta } from './rule';

function syntaxMeta(name: string, summary: string, why: string, remedy: string): RuleMeta {
  return { code: `syntax/${name}`, category: 'syntax', severity: 'error', cost: 'typing', summary, why, remedy };
}

/** What the parser reports; each code of `manifest/` has its entry here. */
export const SYNTAX_METAS: readonly RuleMeta[] = [
  syntaxMeta(
    'yaml',
    'The text is not YAML.',
    'kubectl cannot read the document, so nothing of it reaches the API server.',
    'Mend the place that is underlined: most often it is the indentation, a tab, or a missing quote.',
  ),
];
