import { asText } from '../../base/json';
import { t } from '../../base/l10n';
import { push } from '../../base/multiMap';
import { FieldPath } from '../../manifest/fieldPath';
import type { ManifestFile } from '../../manifest/manifest';
import { fieldAt } from '../../manifest/valueAt';
import { lineStart } from '../../text/lineStart';
import type { Span } from '../../text/span';
import type { WorkspaceObject } from '../../workspace/object';
import { CannotEdit } from '../edits/editText';
import { withFields, withMoreFixes } from '../framework/fixes';
import { identityOf } from '../framework/identity';
import type { Fix, Problem, Severity } from '../framework/problem';
import { type EditTools, MOST_OF_ONE_OBJECT, type RuleMeta } from '../framework/rule';
import { EXPLORATION_FINDING } from '../metas/exploration';
import { SYSTEM_FINDING } from '../metas/system';

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
  /** The range to underline, which is also what the fix removes. */
  readonly span: Span;
  readonly document: number;
  readonly object?: WorkspaceObject;
  /** The range of text, or the object, in which problems are suppressed. */
  readonly covers: Span | ObjectPosition;
  readonly removal: () => Fix;
}

interface ObjectPosition {
  readonly document: number;
  readonly item: number | undefined;
}

interface Options {
  readonly severity?: Readonly<Record<string, Severity | 'off'>>;
  /** report: suppressed problems are included and marked; absent: they are left out. */
  readonly suppressed?: 'report';
  /** Whether no rule that reports the code ran this time. */
  readonly isNotRun?: (code: string) => boolean;
  /** A clause about a code that Berth does not know; undefined for a known one. */
  readonly unknownCode?: (code: string) => string | undefined;
}

/**
 * Removes the problems that comments and annotations of the file suppress, and reports suppressions that have no
 * effect.
 */
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
  const coveringOf = createCovering(valid);
  const used = new Set<Group>();
  const kept = problems.flatMap(problem => {
    const groups = coveringOf(problem);
    for (const it of groups) used.add(it);
    const suppression = isUnsuppressible(problem) ? undefined : earliestOf(groups);
    if (suppression === undefined) return [problem];
    const { reason, object } = suppression;
    const by = object === undefined ? ('comment' as const) : ('annotation' as const);
    return options.suppressed === 'report' ? [withFields(problem, { suppressed: { by, reason } })] : [];
  });
  // Those that are only counted need no suggestions.
  const { unknownCode: _, ...silent } = options;
  const working = new Set([...used].flatMap(it => it.members));
  const unused = valid.filter(
    it => options.severity?.[it.code] !== 'off' && options.isNotRun?.(it.code) !== true && !working.has(it),
  );
  const reported = [
    ...suppressions
      .filter(it => it.reason === '')
      .map(it => suppressionProblem(SUPPRESSION_WITHOUT_REASON, it, file, options)),
    ...unused.map((it, i) =>
      suppressionProblem(UNUSED_SUPPRESSION, it, file, i < MOST_OF_ONE_OBJECT ? options : silent),
    ),
  ];
  return [...kept, ...reported.filter(it => it !== undefined)];
}

/** Suppressions of one code that cover the same range or object, in the order of the text. */
interface Group {
  readonly members: Suppression[];
  readonly order: number;
  readonly covers: Suppression['covers'];
}

/** Finds the groups that cover a problem: the few of its line, and that of its object. */
function createCovering(suppressions: readonly Suppression[]): (problem: Problem) => readonly Group[] {
  const ofLines = new Map<string, Group[]>();
  const ofObjects = new Map<string, Group>();
  const groups = new Map<string, Group>();
  for (const [order, it] of suppressions.entries()) {
    const key = `${it.code} ${'start' in it.covers ? `${it.covers.start} ${it.covers.end}` : positionOf(it.covers)}`;
    const known = groups.get(key);
    if (known !== undefined) {
      known.members.push(it);
      continue;
    }
    const group = { members: [it], order, covers: it.covers };
    groups.set(key, group);
    if ('start' in it.covers) push(ofLines, it.code, group);
    else ofObjects.set(key, group);
  }
  for (const list of ofLines.values()) list.sort((a, b) => startOf(a) - startOf(b));
  return problem => {
    const ofObject = ofObjects.get(`${problem.code} ${positionOf(problem)}`);
    const lines = coveringLines(ofLines.get(problem.code) ?? [], problem.span.start);
    return ofObject === undefined ? lines : [...lines, ofObject];
  };
}

const positionOf = ({ document, item }: { readonly document?: number; readonly item?: number | undefined }): string =>
  `${document}/${item}`;

const startOf = ({ covers }: Group): number => ('start' in covers ? covers.start : -1);

/** Ranges of lines do not overlap, so those that cover an offset are the last that begin at or before it. */
function coveringLines(groups: readonly Group[], offset: number): readonly Group[] {
  let low = 0;
  let high = groups.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (startOf(groups[middle]!) <= offset) low = middle + 1;
    else high = middle;
  }
  const found: Group[] = [];
  for (let i = low - 1; i >= 0; i--) {
    const group = groups[i]!;
    if (!('start' in group.covers) || group.covers.end < offset) break;
    found.push(group);
  }
  return found;
}

function earliestOf(groups: readonly Group[]): Suppression | undefined {
  const [first, ...others] = groups;
  return others.reduce((best, it) => (best !== undefined && it.order < best.order ? it : best), first)?.members[0];
}

/** Adds a fix that suppresses the problem with a comment. */
export function withIgnoreFix(problem: Problem, file: ManifestFile): Problem {
  if (file.format === 'json' || isUnsuppressible(problem) || isAboutBerth(problem)) return problem;
  return withMoreFixes(problem, () => {
    const start = lineStart(file.text, problem.span.start);
    const indent = /^[ \t]*/.exec(file.text.slice(start))?.[0] ?? '';
    const newText = `${indent}# berth-ignore ${problem.code}: \n`;
    return [
      {
        title: t`Ignore ${problem.code} here (say why after the colon)`,
        safety: 'unsafe',
        edits: [{ uri: file.uri, span: { start, end: start }, newText }],
      },
    ];
  });
}

/** Mistakes in Berth's own files and comments are there to be mended. */
const isAboutBerth = ({ code }: Problem): boolean => code.startsWith('berth/') && !FOUND.has(code);

/** What explorations find. */
const FOUND: ReadonlySet<string> = new Set([SYSTEM_FINDING.code, EXPLORATION_FINDING.code]);

/** Syntax errors cannot be suppressed. */
function isUnsuppressible(problem: Problem): boolean {
  return problem.category === 'syntax';
}

function suppressionProblem(
  meta: RuleMeta,
  it: Suppression,
  file: ManifestFile,
  options: Options,
): Problem | undefined {
  const severity = options.severity?.[meta.code] ?? meta.severity;
  if (severity === 'off') return undefined;
  const unknown = options.unknownCode?.(it.code);
  const message =
    meta === UNUSED_SUPPRESSION
      ? unknown === undefined
        ? t`nothing here reports ${it.code}: this suppression has no effect`
        : t`this suppression has no effect: ${it.code} ${unknown}`
      : t`the suppression of ${it.code} gives no reason and has no effect: write \`${it.code}: why\``;
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
      covers: target,
      removal: () => ({
        title: t('Remove this suppression'),
        safety: 'safe' as const,
        edits: [{ uri: file.uri, span: commentLine(file.text, span), newText: '' }],
      }),
    })),
  );
}

/**
 * The range of the comment and its line, or of the comment and the blanks before it if the line contains anything else.
 */
function commentLine(text: string, span: Span): Span {
  const start = lineStart(text, span.start);
  const lead = text.slice(start, span.start);
  if (/\S/.test(lead)) return { start: start + lead.trimEnd().length, end: span.end };
  return { start, end: text[span.end] === '\n' ? span.end + 1 : span.end };
}

function annotationsOf(object: WorkspaceObject, edit: EditTools): readonly Suppression[] {
  const value = asText(fieldAt(object.manifest.value, 'metadata', 'annotations', IGNORE_ANNOTATION));
  if (value === undefined) return [];
  const at = FieldPath.of('metadata', 'annotations').key(IGNORE_ANNOTATION);
  const lines = ignoreLines(value);
  const span = object.manifest.spanOf(at, 'entry');
  return lines.map(({ code, reason }) => ({
    code,
    reason,
    span,
    document: object.manifest.document,
    object,
    covers: { document: object.manifest.document, item: object.manifest.item },
    removal: () => ({
      title: lines.length === 1 ? t('Remove this annotation') : t`Remove ${code} from this annotation`,
      safety: 'safe',
      edits: [
        lines.length === 1
          ? edit.remove(object, at)
          : edit.replaceValue(object, at, annotationText(lines.filter(it => it.code !== code))),
      ],
    }),
  }));
}

/** Lines of `CODE: reason`. A comma also separates entries if a new code follows it. */
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
