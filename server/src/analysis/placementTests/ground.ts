import type { ClusterContent } from '../../cluster/sources/content';
import { gatesMeant, type Settings, settingsUnder, versionMeant } from '../configuration/settings';
import { type KubeOfSettings, kubeOf } from '../state/facts';
import type { AnalysisWorld } from '../state/world';
import type { PlacementTestFile } from './format';

/** What a file of placement tests runs on: its cluster, absent where it names none, and the facts of its version. */
export interface TestGround extends KubeOfSettings {
  readonly cluster?: ClusterContent;
}

/** What a file of placement tests is given by those who run it. */
interface GroundRequest {
  /** The settings of the run; `auto` for a version that is left to the cluster. */
  readonly settings: Pick<Settings, 'kubernetesVersion' | 'featureGates'>;
  /** The version where neither the settings nor the cluster tell one; absent: the newest. */
  readonly around?: string;
  /** Reads the cluster that the file names; its nodes have this version where the cluster says nothing of it. */
  readonly readCluster: (defaultVersion: string) => Promise<ClusterContent | undefined>;
}

/** The gates of a file of tests: its own go before those around it, whose cluster counts where the file names none. */
export const gatesOfTests = (
  { cluster, featureGates }: Pick<PlacementTestFile, 'cluster' | 'featureGates'>,
  around: Pick<Settings, 'featureGates' | 'gatesOfCluster'>,
): Settings['featureGates'] => ({
  ...(cluster === undefined ? gatesMeant(around) : around.featureGates),
  ...featureGates,
});

/** Tests run under the version that is asked for, else under that of their cluster, else under the one around them. */
export async function testGround(
  { settings, around, readCluster }: GroundRequest,
  world: Pick<AnalysisWorld, 'readPack'>,
): Promise<TestGround> {
  const cluster = await readCluster(versionMeant(settings.kubernetesVersion, around));
  const kubernetesVersion = versionMeant(settings.kubernetesVersion, cluster?.kubernetesVersion ?? around);
  return { ...kubeOf(world, settingsUnder({ ...settings, kubernetesVersion }, cluster)), ...(cluster && { cluster }) };
}
