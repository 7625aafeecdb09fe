import { jsonText } from '../../base/printed';
import type { Settings } from '../configuration/settings';

/** The gates that settings name, and those of the cluster, which are told apart: only a bad one of the former is a problem. */
export const gatesKey = ({ featureGates, gatesOfCluster = {} }: Settings): string =>
  jsonText([featureGates, gatesOfCluster].map(it => Object.entries(it).sort()));

/** Environments with the same key share an index. */
export function indexKey(settings: Settings): string {
  const { kubernetesVersion, namespace, completeSources, presets, rules, severity, only } = settings;
  const gates = gatesKey(settings);
  const opinions = [presets, rules, Object.keys(severity).sort(), only];
  return jsonText([kubernetesVersion, gates, namespace, completeSources, opinions]);
}
