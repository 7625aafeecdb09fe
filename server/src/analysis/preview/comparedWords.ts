import { t } from '@vscode/l10n';
import type { PreviewComparison } from './model';

/** Why the solver leaves Pods where they are, as `scheduler/optimum/movable` names it. */
const KEPT: Readonly<Record<string, () => string>> = {
  volumes: () => t('volumes'),
  devices: () => t('devices'),
  'host ports': () => t('host ports'),
  'inter-Pod affinity': () => t('inter-Pod affinity'),
  'inter-Pod anti-affinity beyond the node': () => t('inter-Pod anti-affinity beyond the node'),
  'a gang of another scheduler': () => t('a gang of another scheduler'),
  'a gang with a topology': () => t('a gang with a topology'),
  'inter-Pod affinity among different Pods': () => t('inter-Pod affinity among different Pods'),
  'spread counted over different Pods': () => t('spread counted over different Pods'),
  'a gang with Pods that stay': () => t('a gang with Pods that stay'),
};

/** A comparison from another thread, which does not know the language of the editor, in that language. */
export function comparisonInWords(comparison: PreviewComparison): PreviewComparison {
  const { optimum } = comparison;
  if (optimum === undefined) return comparison;
  const kept = Object.fromEntries(Object.entries(optimum.kept).map(([why, pods]) => [KEPT[why]?.() ?? why, pods]));
  return { ...comparison, optimum: { ...optimum, kept } };
}

/** Why there is no more of a comparison, one sentence. */
export const failureInWords = (message: string): string => t`The placements could not be compared: ${message}.`;
