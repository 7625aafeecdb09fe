import { t } from '../../base/l10n';
import type { PreviewComparison } from './model';

/** Translations of the reasons in `scheduler/optimum/movable` why the solver does not move Pods. */
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

/** Translates a comparison from another thread, which has no translations. */
export function comparisonInWords(comparison: PreviewComparison): PreviewComparison {
  const { optimum } = comparison;
  if (optimum === undefined) return comparison;
  const kept = Object.fromEntries(Object.entries(optimum.kept).map(([why, pods]) => [KEPT[why]?.() ?? why, pods]));
  return { ...comparison, optimum: { ...optimum, kept } };
}

/** Why a comparison is incomplete, one sentence. */
export const failureInWords = (message: string): string => t`The placements could not be compared: ${message}.`;
