import type { ClusterContent } from '../../cluster/sources/content';
import { knownVersion, newestMinor, versionText } from '../../kube/version';
import type { ConftestSettings } from '../../policy/conftest/settings';
import type { PropertyRule } from '../../policy/property/property';
import type { NodePorts } from '../../rules/framework/nodePorts';
import type { PodSecurity } from '../../rules/framework/podSecurity';
import type { Category } from '../../rules/framework/problem';
import type { Preset } from '../../rules/framework/rule';

export interface Settings {
  /** A minor or a patch release; auto: that of the cluster where it tells one, else the newest minor. */
  readonly kubernetesVersion: string;
  readonly featureGates: Readonly<Record<string, boolean>>;
  /** The gates that the cluster itself names, as a kind configuration does; those of `featureGates` go before them. */
  readonly gatesOfCluster?: Readonly<Record<string, boolean>>;
  /** A source as `parseClusterSource` reads it. auto: Nodes in the workspace when there are any, else the embedded default. */
  readonly cluster: string;
  /** Whether "defined nowhere" may be reported as an error. */
  readonly completeSources: boolean;
  /**
   * Whether YAML in which nothing has an apiVersion or a kind is at least read for its syntax: an editor sees many files
   * that are none of our business. Such JSON is always skipped.
   */
  readonly foreignFiles: 'skip' | 'check';
  /** Only these categories are reported; absent: all. */
  readonly only?: readonly Category[];
  /** Code → severity that replaces the rule's own; `off` silences it. */
  readonly severity: Readonly<Record<string, 'error' | 'warning' | 'info' | 'hint' | 'off'>>;
  /** Whether inlay hints show what the server and the scheduler make of Pods. */
  readonly inlayHints: boolean;
  /** Whether an editor renders kustomizations and charts of workspaces that are trusted. */
  readonly render: 'auto' | 'off';
  /** The Pod security configuration of the API server; absent: only labels of Namespaces count. */
  readonly podSecurity?: PodSecurity;
  /** The API server's `--service-node-port-range`; its default when absent. */
  readonly nodePorts?: NodePorts;
  /** report: suppressed problems and those in a baseline are included and marked; absent: they are left out. */
  readonly suppressed?: 'report';
  /** The path of a file that `berth baseline` wrote, from the folder of the configuration. */
  readonly baseline?: string;
  /** Enabled sets of optional rules. */
  readonly presets: readonly Preset[];
  /** Assertions on objects that the configuration makes. */
  readonly rules: readonly PropertyRule[];
  /** The namespace of objects that are written without one; `default` when absent. */
  readonly namespace?: string;
  /** A KubeSchedulerConfiguration in place of the one among the files: its path from the folder of the configuration. */
  readonly schedulerConfig?: string;
  /**
   * Which Rego files Conftest reads; absent: those in folders named `policy`. Paths from the configuration's folder.
   */
  readonly conftest?: ConftestSettings;
}

/** The value of `kubernetesVersion` for the version of the cluster. */
export const AUTO_VERSION = 'auto';

export const defaultSettings: Settings = {
  kubernetesVersion: AUTO_VERSION,
  featureGates: {},
  cluster: 'auto',
  completeSources: false,
  foreignFiles: 'check',
  severity: {},
  presets: [],
  rules: [],
  inlayHints: true,
  render: 'auto',
};

/**
 * The version that settings mean.
 * @param ofCluster what the cluster says of its version, as clouds write it.
 */
export function versionMeant(given: string, ofCluster: string | undefined): string {
  if (given !== AUTO_VERSION) return given;
  const known = ofCluster === undefined ? undefined : knownVersion(ofCluster);
  return known === undefined ? newestMinor : versionText(known);
}

/** Settings with what the cluster says of its version and gates; undefined: nothing is known of it. */
export function settingsUnder<S extends Pick<Settings, 'kubernetesVersion'>>(
  settings: S,
  cluster: Pick<ClusterContent, 'kubernetesVersion' | 'featureGates'> | undefined,
): S & Pick<Settings, 'gatesOfCluster'> {
  return {
    ...settings,
    kubernetesVersion: versionMeant(settings.kubernetesVersion, cluster?.kubernetesVersion),
    ...(cluster?.featureGates && { gatesOfCluster: cluster.featureGates }),
  };
}

/** All gates that differ from the defaults of the version. */
export const gatesMeant = ({
  featureGates,
  gatesOfCluster,
}: Pick<Settings, 'featureGates' | 'gatesOfCluster'>): Settings['featureGates'] =>
  gatesOfCluster === undefined ? featureGates : { ...gatesOfCluster, ...featureGates };
