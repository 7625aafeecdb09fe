import { compareText } from '../../base/compareText';
import { t } from '../../base/l10n';
import { lazy } from '../../base/lazy';
import { nearestOfFirst } from '../../base/nearest';
import type { RuleMeta } from '../framework/rule';
import { CONFIGURATION } from '../metas/configuration';
import { UNCHECKED_ENVIRONMENTS } from '../metas/environments';
import { EXPLORATION_FINDING } from '../metas/exploration';
import { PLACEMENT_TEST } from '../metas/placementTest';
import { NOT_RENDERED, RENDER_FAILED } from '../metas/render';
import { SYNTAX_METAS } from '../metas/syntax';
import { SYSTEM, SYSTEM_FINDING } from '../metas/system';
import { allRules } from './allRules';
import { SUPPRESSION_WITHOUT_REASON, UNUSED_SUPPRESSION } from './suppress';
import { DUPLICATE_FIELD, NOT_AN_OBJECT } from './syntax';

/** The metadata of every code that can be reported, ordered by code. */
export const allMetas = lazy((): readonly RuleMeta[] => {
  const all = [
    ...allRules().map(it => it.meta),
    DUPLICATE_FIELD,
    NOT_AN_OBJECT,
    CONFIGURATION,
    PLACEMENT_TEST,
    SYSTEM,
    SYSTEM_FINDING,
    EXPLORATION_FINDING,
    UNCHECKED_ENVIRONMENTS,
    NOT_RENDERED,
    RENDER_FAILED,
    UNUSED_SUPPRESSION,
    SUPPRESSION_WITHOUT_REASON,
    ...SYNTAX_METAS,
  ];
  return all.sort((a, b) => compareText(a.code, b.code));
});

const knownCodes = lazy((): ReadonlySet<string> => new Set(allMetas().map(it => it.code)));
const knownRooms = lazy((): ReadonlySet<string> => new Set([...knownCodes()].map(roomOf)));

const roomOf = (code: string): string => code.split('/')[0]!;

/** Finds the code that was probably meant, for the first unknown codes of one text. */
export const nearestCode = () => nearestOfFirst(knownCodes);

/**
 * A clause about a code that Berth does not know, with the one that was probably meant; undefined for a known one, and
 * for one that may be that of a policy, which has codes of its own.
 */
export function unknownCode(code: string, nearestOf = nearestCode()): string | undefined {
  if (knownCodes().has(code)) return undefined;
  const nearest = nearestOf(code);
  if (nearest === undefined && !knownRooms().has(roomOf(code))) return undefined;
  return nearest === undefined
    ? t('is no code that Berth knows')
    : t`is no code that Berth knows; did you mean "${nearest}"?`;
}

/** What a code means, as Markdown; undefined for an unknown code. */
export function explain(code: string): string | undefined {
  const meta = allMetas().find(it => it.code === code);
  return meta === undefined ? undefined : page(meta);
}

/** The Markdown page of one code. */
export function page(meta: RuleMeta): string {
  const { source } = meta;
  const facts = [
    t`Category: ${meta.category}, severity ${meta.severity} by default`,
    meta.since === undefined ? '' : t`Since Kubernetes ${meta.since}`,
    meta.until === undefined ? '' : t`Until Kubernetes ${meta.until}`,
    source === undefined ? '' : followed(source),
    meta.url === undefined ? '' : `<${meta.url}>`,
  ].filter(it => it !== '');
  const parts = [
    `# ${meta.code}`,
    t(meta.summary),
    `## ${t('Why')}\n\n${t(meta.why)}`,
    `## ${t('What to do')}\n\n${t(meta.remedy)}`,
    ...(meta.details === undefined ? [] : [`## ${t('Details')}\n\n${t(meta.details)}`]),
    facts.map(it => `- ${it}`).join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

function followed({ project, symbol, fidelity }: NonNullable<RuleMeta['source']>): string {
  const code = `\`${symbol}\``;
  return fidelity === 'same' ? t`Says what ${project}: ${code}` : t`After ${project}: ${code}`;
}

/**
 * Why a code is reported, what to do and further details, as Markdown for a hover: the page without its list of facts.
 */
export function explainBriefly(code: string): string | undefined {
  const meta = allMetas().find(it => it.code === code);
  if (meta === undefined) return undefined;
  const parts = [
    `**${t('Why:')}** ${t(meta.why)}`,
    `**${t('What to do:')}** ${t(meta.remedy)}`,
    meta.details === undefined ? '' : t(meta.details),
  ];
  return parts.filter(it => it !== '').join('\n\n');
}
