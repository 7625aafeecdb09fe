import { runToEnd } from '../../server/src/base/steps';
import type { SearchLimits } from '../../server/src/explore/core/search';
import {
  type ExplorationChoice,
  type ExploredSystem,
  exploreSystem,
} from '../../server/src/explore/system/exploreSystem';
import type { SystemReport } from '../../server/src/explore/system/report';
import { parseManifests } from '../../server/src/manifest/parse';

export const NO_LIMITS = {
  states: Number.POSITIVE_INFINITY,
  bytes: Number.POSITIVE_INFINITY,
  isOver: () => false,
};

/** Explores a text of kind System. */
export function explored(
  text: string,
  choice: 'full' | 'reduced' | ExplorationChoice = {},
  limits: Partial<SearchLimits> = {},
): ExploredSystem {
  const how = typeof choice === 'string' ? { search: choice } : choice;
  return runToEnd(exploreSystem(parseManifests('system.yaml', text), { ...NO_LIMITS, ...limits }, how));
}

/** The report of a system that can be explored. */
export function reportOn(
  text: string,
  ...rest: [('full' | 'reduced' | ExplorationChoice)?, Partial<SearchLimits>?]
): SystemReport {
  const found = explored(text, ...rest);
  if (found.kind === 'explored') return found.report;
  if (found.kind === 'refused') throw new Error(found.reason);
  const wrong = found.kind === 'failed' ? found.failure : found.problems[0];
  throw new Error(`${wrong?.path}: ${wrong?.message}`);
}

/** A system of one process, and properties. */
export function systemOf(spec: string): string {
  const indented = spec.trim().replaceAll('\n', '\n  ');
  return `apiVersion: berth.dev/v1alpha1\nkind: System\nmetadata: { name: test }\nspec:\n  ${indented}\n`;
}
