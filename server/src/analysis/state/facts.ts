import type { Kube } from '../../kube/kube';
import { gateProblems, loadKube, minorOf, newestMinor, supportedMinors } from '../../kube/load';
import type { IsNamespaced } from '../../workspace/snapshot';
import type { Settings } from '../configuration/settings';
import type { AnalysisWorld } from './world';

/** The facts of the version in the settings. For an unknown version: those of the newest one, and a problem (a sentence). */
export function kubeOf(
  world: Pick<AnalysisWorld, 'readPack'>,
  settings: Pick<Settings, 'kubernetesVersion' | 'featureGates'>,
): { readonly kube: Kube; readonly problems: readonly string[] } {
  const known = minorOf(settings.kubernetesVersion);
  const kube = loadKube(known ?? newestMinor, settings.featureGates, world.readPack);
  const unknown = `Kubernetes ${settings.kubernetesVersion} is not known to Berth; ${newestMinor} is used instead. Known: ${supportedMinors.join(', ')}.`;
  return { kube, problems: [...(known === undefined ? [unknown] : []), ...gateProblems(kube, settings.featureGates)] };
}

/** Whether a kind is namespaced, as an index asks: undefined for a kind that the facts do not have. */
export const isNamespacedIn =
  (kube: Kube): IsNamespaced =>
  (group, version, kind) =>
    kube.kindOf(group === '' ? version : `${group}/${version}`, kind)?.namespaced;
