import type { RuleMeta } from '../framework/rule';

function syntaxMeta(name: string, severity: RuleMeta['severity'], summary: string, remedy: string): RuleMeta {
  const why =
    'kubectl and the API server read the file as YAML or JSON. What they cannot read does not reach the cluster.';
  return { code: `syntax/${name}`, category: 'syntax', severity, cost: 'typing', summary, why, remedy };
}

/** The codes of the parser, and of files that the command line cannot read. */
export const SYNTAX_METAS: readonly RuleMeta[] = [
  syntaxMeta(
    'after-end',
    'warning',
    'Text stands after the `...` that ends a document.',
    'Begin a new document with `---`, or remove the text.',
  ),
  syntaxMeta(
    'alias',
    'error',
    'An alias names an anchor that does not exist before it, or its own.',
    'Define the anchor above it (`&name`), or correct the name.',
  ),
  syntaxMeta(
    'alias-limit',
    'error',
    'Aliases unfold to more than a reader allows.',
    'Unfold fewer aliases: write the values out, or split the file.',
  ),
  syntaxMeta(
    'binary',
    'error',
    'The file is not text.',
    'Leave such files out of the folder that is checked, or save the file as UTF-8.',
  ),
  syntaxMeta(
    'control-character',
    'error',
    'A character stands in the text that YAML does not allow.',
    'Remove the character, or write it as an escape inside double quotes.',
  ),
  syntaxMeta(
    'encoding',
    'error',
    'The bytes of the file are not the text that its encoding promises.',
    'Save the file as UTF-8, or as UTF-16 with a byte order mark.',
  ),
  syntaxMeta(
    'escape',
    'error',
    'An escape in a quoted text is not one that YAML knows.',
    'Use single quotes to keep backslashes as they are, or double the backslash.',
  ),
  syntaxMeta(
    'indentation',
    'error',
    'A line is indented by a number of spaces that fits no level.',
    'Indent the line as the lines of its level are.',
  ),
  syntaxMeta(
    'key',
    'error',
    'A key is missing, or it is none that JSON can hold.',
    'Write a name before the colon; quote it when it looks like something else.',
  ),
  syntaxMeta(
    'key-type',
    'warning',
    'A key without quotes is read as a boolean or a number, so that its name is another one.',
    'Put the key in quotes.',
  ),
  syntaxMeta('merge', 'error', '`<<` merges something that is no mapping.', 'Merge a mapping, or a list of mappings.'),
  syntaxMeta('missing-colon', 'error', 'A key has no colon after it.', 'Write a colon and a space after the key.'),
  syntaxMeta('number', 'error', 'A number is none that JSON can hold.', 'Write another number, or quote it.'),
  syntaxMeta('tab', 'error', 'A tab is used for indentation.', 'Indent with spaces.'),
  syntaxMeta('tag', 'error', 'A tag does not fit its value.', 'Remove the tag, or write a value that fits it.'),
  syntaxMeta('too-deep', 'error', 'Values are nested deeper than a reader allows.', 'Nest less deeply.'),
  syntaxMeta('too-large', 'error', 'The file is larger than Berth reads.', 'Split the file.'),
  syntaxMeta('unclosed', 'error', 'A quote, bracket or brace is not closed.', 'Close it.'),
  syntaxMeta(
    'yaml',
    'error',
    'The text is not YAML.',
    'Mend the place that is underlined: most often it is the indentation, a tab, or a missing quote.',
  ),
  syntaxMeta(
    'unreadable',
    'error',
    'The command line could not read a file or folder that it was asked to check.',
    'The message says why: fix the path or the permissions, or leave the file out with `.berthignore`.',
  ),
];
