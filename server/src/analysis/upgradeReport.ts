import { t } from '../base/l10n';
import { codeSpan, plainMarkdown } from '../text/markdown';
import { printable } from '../text/printable';
import { type PodChange, type UpgradeEffect, URGENCIES, type Urgency } from './upgrade/change';

/** The report of an upgrade as `berth upgrade --format json` writes it, in words. Small: the extension loads it, too. */

export { URGENCIES } from './upgrade/change';

/** A change with its place in lines, counted from 0. */
export interface ListedChange {
  readonly change: UpgradeEffect;
  readonly urgency: Urgency;
  readonly since: string;
  readonly until?: string;
  readonly removedIn?: string;
  readonly pods?: readonly PodChange[];
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'info' | 'hint';
  readonly message: string;
  /** The short sentence of the message. */
  readonly headline?: string;
  readonly fieldPath?: string;
  readonly path: string;
  readonly range: { readonly start: Position; readonly end: Position };
  readonly object?: { readonly kind: string; readonly name?: string };
  readonly fixes: readonly { readonly title: string; readonly edits: readonly ListedEdit[] }[];
}

export interface ListedEdit {
  readonly path: string;
  readonly range: ListedChange['range'];
  readonly newText: string;
}

interface Position {
  readonly line: number;
  readonly character: number;
}

const URGENCY_TITLES: Readonly<Record<Urgency, () => string>> = {
  apply: () => t('Breaks at apply'),
  run: () => t('Breaks at run time'),
  silent: () => t('Changes silently'),
  tidy: () => t('Can be tidied'),
};

export const urgencyTitle = (urgency: Urgency): string => URGENCY_TITLES[urgency]();

/** `since 1.35`, `from 1.33 until 1.36`. */
export function sinceInWords({ since, until }: Pick<ListedChange, 'since' | 'until'>): string {
  return until === undefined ? t`since ${since}` : t`from ${since} until ${until}`;
}

type Said = Pick<ListedChange, 'change' | 'since' | 'removedIn' | 'message' | 'headline' | 'fieldPath'>;

/** A change in a sentence without its place, on one line. */
export function changeInWords({ change, since, removedIn, fieldPath, message, headline = message }: Said): string {
  const said = headline.trim().replace(/(?<!\s)\s*\n\s*/g, ' ');
  if (change === 'ended') return t`Ends with ${since}: ${said}`;
  if (change === 'mended') return t`Left behind with ${since}: ${said}`;
  if (change === 'kept') return t`${fieldPath} is kept and takes effect; before: ${said}`;
  if (change === 'refused-otherwise') return t`Refused before, too, now also for this: ${said}`;
  return removedIn === undefined || said.includes(removedIn) ? said : t`${said}; it goes with ${removedIn}`;
}

/** A change as a problem of the editor; one that is met on the way alone is not there after the upgrade. */
export function markInWords(change: Said & Pick<ListedChange, 'until'>, to: string): string {
  const said = changeInWords(change);
  const words = change.until === undefined ? t`After the upgrade to ${to}: ${said}` : t`On the way to ${to}: ${said}`;
  return `${words} (${sinceInWords(change)})`;
}

/** How many changes of one urgency are listed. */
const LISTED = 500;

/** What a document about an upgrade is made of. */
interface ListedUpgrade {
  readonly versions: readonly string[];
  readonly changes: readonly ListedChange[];
  readonly notes?: readonly string[];
}

/**
 * The changes as a Markdown document.
 * @param linkTo where the place of a change is; absent: places are no links
 */
export function upgradeMarkdown(
  { versions, changes, notes = [] }: ListedUpgrade,
  linkTo?: (change: ListedChange) => string | undefined,
): string {
  const [from, to] = [versions[0] ?? '', versions.at(-1) ?? ''];
  const between = versions.slice(1, -1).join(', ');
  const way = between === '' ? '' : ` ${t`The way leads over ${plainMarkdown(between)}.`}`;
  const sections = URGENCIES.flatMap(urgency => {
    const own = changes.filter(it => it.urgency === urgency);
    if (own.length === 0) return [];
    const more = own.length > LISTED ? [`- ${t`and ${own.length - LISTED} more`}`] : [];
    const items = own.slice(0, LISTED).map(it => itemOf(it, linkTo?.(it)));
    return [`## ${urgencyTitle(urgency)}`, [...items, ...more].join('\n')];
  });
  const head = `# ${t`Upgrade of Kubernetes from ${plainMarkdown(from)} to ${plainMarkdown(to)}`}`;
  const nothing = changes.length === 0 ? [t('Nothing changes for these files.')] : [`${summaryOf(changes)}${way}`];
  return `${[head, ...nothing, ...notes.map(lineOf), ...sections].join('\n\n')}\n`;
}

function summaryOf(changes: readonly ListedChange[]): string {
  const counts = URGENCIES.map(it => `${urgencyTitle(it)}: ${changes.filter(one => one.urgency === it).length}`);
  return `${counts.join(', ')}.`;
}

function itemOf(change: ListedChange, link: string | undefined): string {
  const { path, range, object, code, fixes } = change;
  const place = lineOf(`${path}:${range.start.line + 1}`);
  const what = object === undefined ? '' : ` ${lineOf(`${object.kind} ${object.name ?? ''}`.trim())}`;
  const help = fixes[0] === undefined ? '' : ` *${lineOf(fixes[0].title)}.*`;
  const linked = link === undefined ? place : `[${place}](<${link}>)`;
  return `- ${linked}${what}, ${sinceInWords(change)}: ${lineOf(changeInWords(change))} (${codeSpan(code)})${help}`;
}

/** An item stays on one line, whatever names say. */
const lineOf = (text: string): string => plainMarkdown(printable(text));
