import { FieldPath } from '../manifest/fieldPath';
import type { ManifestFile } from '../manifest/manifest';
import type { Span } from '../text/span';
import type { WorkspaceObject } from '../workspace/workspace';
import { CannotEdit } from './editText';
import { withFields, withMoreFixes } from './fixes';
import { identityOf } from './identity';
import type { Fix, Problem, Severity } from './problem';
import type { EditTools, RuleMeta } from './rule';
import { asText, fieldAt } from './values';

export const IGNORE_ANNOTATION = 'berth.dev/ignore';

export const UNUSED_SUPPRESSION: RuleMeta = {
  code: 'berth/unused-suppression',
  category: 'policy',
  severity: 'warning',
  cost: 'typing',
  summary: 'A suppression silences nothing.',
  why: 'The problem it was written for is gone, or its code is misspelt. Left in place it would hide the next mistake.',
  remedy: 'Remove it.',
  details: [
    'A comment silences one code on the line below it, or on its own line when it stands at the end of one:',
    '',
    '```yaml',
    '# berth-ignore placement/duplicate-toleration: the second value is for the old nodes',
    'tolerations:',
    '```',
    '',
    `The annotation \`${IGNORE_ANNOTATION}\` silences codes for a whole object: \`CODE: reason\`, one a line.`,
    'On one line a comma parts them where a new code follows it.',
  ].join('\n'),
};

export const SUPPRESSION_WITHOUT_REASON: RuleMeta = {
  code: 'berth/suppression-without-reason',
  category: 'policy',
  severity: 'warning',
  cost: 'typing',
  summary: 'A suppression gives no reason, so it silences nothing.',
  why: 'Who reads it later cannot tell whether it still holds.',
  remedy: 'Write why after the code: `# berth-ignore CODE: reason`.',
};

interface Suppression {
  readonly code: string;
  readonly reason: string;
  /** What to underline, and what a fix takes away. */
  readonly span: Span;
  readonly document: number;
  readonly object?: WorkspaceObject;
  readonly covers: (problem: Problem) => boolean;
  readonly removal: () => Fix;
}

interface Options {
  readonly severity?: Readonly<Record<string, Severity | 'off'>>;
  /** tell: problems that are silenced come marked; absent: they do not come. */
  readonly suppressed?: 'tell';
  /** Codes that nothing could report this time. */
  readonly notAsked?: (code: string) => boolean;
}

/** Takes away what comments and annotations of the file silence, and tells of suppressions that do not work. */
export function suppress(
  problems: readonly Problem[],
  file: ManifestFile,
  objects: readonly WorkspaceObject[],
  options: Options,
  edit: EditTools,
): readonly Problem[] {
  const suppressions = [...commentsOf(file), ...objects.flatMap(it => annotationsOf(it, edit))];
  if (suppressions.length === 0) return problems;
  const valid = suppressions.filter(it => it.reason !== '');
  const matches = (it: Suppression, problem: Problem) => it.code === problem.code && it.covers(problem);
  const kept = problems.flatMap(problem => {
    const silencer = isFixed(problem) ? undefined : valid.find(it => matches(it, problem));
    if (silencer === undefined) return [problem];
    const { reason, object } = silencer;
    const by = object === undefined ? ('comment' as const) : ('annotation' as const);
    return options.suppressed === 'tell' ? [withFields(problem, { suppressed: { by, reason } })] : [];
  });
  const silent = valid.filter(
    it =>
      options.severity?.[it.code] !== 'off' &&
      options.notAsked?.(it.code) !== true &&
      !problems.some(problem => matches(it, problem)),
  );
  const told = [
    ...suppressions.filter(it => it.reason === '').map(it => tell(SUPPRESSION_WITHOUT_REASON, it, file, options)),
    ...silent.map(it => tell(UNUSED_SUPPRESSION, it, file, options)),
  ];
  return [...kept, ...told.filter(it => it !== undefined)];
}

/** Adds the offer to silence a problem where it stands. */
export function withIgnoreFix(problem: Problem, file: ManifestFile): Problem {
  if (file.format === 'json' || isFixed(problem) || problem.code.startsWith('berth/')) return problem;
  return withMoreFixes(problem, () => {
    const start = file.text.lastIndexOf('\n', problem.span.start - 1) + 1;
    const indent = /^[ \t]*/.exec(file.text.slice(start))?.[0] ?? '';
    const newText = `${indent}# berth-ignore ${problem.code}: \n`;
    return [
      {
        title: `Ignore ${problem.code} here (say why after the colon)`,
        safety: 'unsafe',
        edits: [{ uri: file.uri, span: { start, end: start }, newText }],
      },
    ];
  });
}

/** Text that cannot be read is not a matter of opinion. */
function isFixed(problem: Problem): boolean {
  return problem.category === 'syntax';
}

function tell(meta: RuleMeta, it: Suppression, file: ManifestFile, options: Options): Problem | undefined {
  const severity = options.severity?.[meta.code] ?? meta.severity;
  if (severity === 'off') return undefined;
  const message =
    meta === UNUSED_SUPPRESSION
      ? `nothing here reports ${it.code}: this suppression has no effect`
      : `the suppression of ${it.code} gives no reason and has no effect: write \`${it.code}: why\``;
  const fixes = meta === UNUSED_SUPPRESSION ? () => [it.removal()] : () => [];
  const problem: Problem = {
    code: meta.code,
    category: meta.category,
    severity,
    message,
    uri: file.uri,
    document: it.document,
    ...(it.object?.manifest.item !== undefined && { item: it.object.manifest.item }),
    ...(it.object !== undefined && { object: identityOf(it.object) }),
    span: it.span,
    related: [],
    fixes: [],
    ...(meta === UNUSED_SUPPRESSION && { unnecessary: true as const }),
  };
  return withMoreFixes(problem, () => orNone(fixes));
}

function orNone(make: () => readonly Fix[]): readonly Fix[] {
  try {
    return make();
  } catch (error) {
    if (error instanceof CannotEdit) return [];
    throw error;
  }
}

function commentsOf(file: ManifestFile): readonly Suppression[] {
  return file.documents.flatMap(doc =>
    doc.suppressions.map(({ code, reason, span, target }) => ({
      code,
      reason: reason.trim(),
      span,
      document: doc.index,
      covers: (problem: Problem) => problem.span.start >= target.start && problem.span.start <= target.end,
      removal: () => ({
        title: 'Remove this suppression',
        safety: 'safe' as const,
        edits: [{ uri: file.uri, span: commentLine(file.text, span), newText: '' }],
      }),
    })),
  );
}

/** The comment with its line, or with the blanks before it when something else stands on the line. */
function commentLine(text: string, span: Span): Span {
  const start = text.lastIndexOf('\n', span.start - 1) + 1;
  const lead = text.slice(start, span.start);
  if (/\S/.test(lead)) return { start: start + lead.trimEnd().length, end: span.end };
  return { start, end: text[span.end] === '\n' ? span.end + 1 : span.end };
}

function annotationsOf(object: WorkspaceObject, edit: EditTools): readonly Suppression[] {
  const value = asText(fieldAt(object.manifest.value, 'metadata', 'annotations', IGNORE_ANNOTATION));
  if (value === undefined) return [];
  const at = FieldPath.of('metadata', 'annotations').key(IGNORE_ANNOTATION);
  const lines = ignoreLines(value);
  return lines.map(({ code, reason }) => ({
    code,
    reason,
    span: object.manifest.spanOf(at, 'entry'),
    document: object.manifest.document,
    object,
    covers: problem => problem.document === object.manifest.document && problem.item === object.manifest.item,
    removal: () => ({
      title: lines.length === 1 ? 'Remove this annotation' : `Remove ${code} from this annotation`,
      safety: 'safe',
      edits: [
        lines.length === 1
          ? edit.remove(object, at)
          : edit.replaceValue(object, at, annotationText(lines.filter(it => it.code !== code))),
      ],
    }),
  }));
}

/** `CODE: reason` lines; on one line a comma parts them where a new code follows it. */
function ignoreLines(value: string): readonly { readonly code: string; readonly reason: string }[] {
  return value
    .split(/\n|,(?=\s*[a-z]+\/[a-z0-9-]+\s*(?::|,|$))/)
    .map(line => line.trim())
    .filter(line => line !== '')
    .map(line => {
      const colon = line.indexOf(':');
      if (colon < 0) return { code: line, reason: '' };
      return { code: line.slice(0, colon).trim(), reason: line.slice(colon + 1).trim() };
    });
}

function annotationText(lines: readonly { readonly code: string; readonly reason: string }[]): string {
  return JSON.stringify(lines.map(({ code, reason }) => `${code}: ${reason}`).join(', '));
}
