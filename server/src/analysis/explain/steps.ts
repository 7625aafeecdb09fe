import { t } from '../../base/l10n';
import type { NodeVerdict } from '../../scheduler/result';

/** One step of a decision. */
export interface ExplainedStep {
  /** Upstream's name of who decided it. */
  readonly plugin: string;
  readonly sentence: string;
  /** The nodes that it is about. */
  readonly nodes: readonly string[];
}

/** More names than these are counted only. */
const MOST_NAMES = 5;

export function named(names: readonly string[]): string {
  if (names.length === 1) return names[0] ?? '';
  const rest = names.length - MOST_NAMES;
  return rest > 1
    ? t`${names.length} nodes (${names.slice(0, MOST_NAMES).join(', ')} and ${rest} more)`
    : t`${names.length} nodes (${names.join(', ')})`;
}

export type FeasibleVerdict = Extract<NodeVerdict, { readonly verdict: 'feasible' }>;
