import { t } from '../../base/l10n';
import type { Kube } from '../../kube/kube';
import { gateProblems, loadKube } from '../../kube/load';
import { knownVersion, newestMinor, supportedMinors, unknownPatch, versionText } from '../../kube/version';
import type { IsNamespaced } from '../../workspace/snapshot';
import { gatesMeant, type Settings, versionMeant } from '../configuration/settings';
import type { AnalysisWorld } from './world';

/** Facts, and what is to be said about the settings that they follow, in sentences. */
export interface KubeOfSettings {
  readonly kube: Kube;
  /** What cannot be followed. */
  readonly problems: readonly string[];
  /** What is followed otherwise than written. */
  readonly notes: readonly string[];
}

/** The facts of the version in the settings. For an unknown version: those of the newest one, and a problem. */
export function kubeOf(
  world: Pick<AnalysisWorld, 'readPack'>,
  settings: Pick<Settings, 'kubernetesVersion' | 'featureGates' | 'gatesOfCluster'>,
): KubeOfSettings {
  const known = knownVersion(versionMeant(settings.kubernetesVersion, undefined));
  const kube = loadKube(known === undefined ? newestMinor : versionText(known), gatesMeant(settings), world.readPack);
  const note = known && unknownPatch(known);
  return {
    kube,
    problems: [
      ...(known === undefined ? [unknownVersion(settings.kubernetesVersion)] : []),
      ...gateProblems(kube, settings.featureGates).map(it => it.message),
    ],
    notes: note === undefined ? [] : [note],
  };
}

const unknownVersion = (version: string): string =>
  t`Kubernetes ${version} is not known to Berth; ${newestMinor} is used instead. Known: ${supportedMinors.join(', ')}.`;

/** Whether a kind is namespaced, as an index asks: undefined for a kind that the facts do not have. */
export const isNamespacedIn =
  (kube: Kube): IsNamespaced =>
  (group, version, kind) =>
    kube.kindOf(group === '' ? version : `${group}/${version}`, kind)?.namespaced;
