/** The verbs of the command line, each of which runs code of its own: `test/start/purposes` holds them against its help. */
const VERBS: readonly string[] = [
  'check',
  'place',
  'upgrade',
  'what-if',
  'explore',
  'baseline',
  'test',
  'policy',
  'explain',
  'snapshot',
  'lsp',
  'version',
  'completion',
];

/** What a command line runs for: what was compiled is kept for each verb, and once for all words that are none. */
export function purposeOf(verb: string | undefined): string {
  return verb !== undefined && VERBS.includes(verb) ? verb : 'other';
}
