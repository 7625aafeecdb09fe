import type { JsonObject } from '../../cluster/model';
import type { ExtenderChain } from '../extenders/chain';
import type { SchedulerPlugin } from './plugin';

/** The feature gates that built plugins ask for. */
export interface SchedulerGates {
  /** The Kubernetes minor, for example "1.37". */
  readonly minor: string;
  /** Any gate, for plugins that ask for many. */
  isOn(name: string): boolean;
  readonly taintTolerationComparisonOperators: boolean;
  readonly storageCapacityScoring: boolean;
  readonly volumeLimitScaling: boolean;
  readonly volumeBindMountOptions: boolean;
  readonly genericWorkload: boolean;
  readonly podGroupPreemptionPolicy: boolean;
}

export interface PluginInput {
  /** The plugin's `args` of the profile's pluginConfig; empty: upstream's defaults. */
  readonly args: JsonObject;
  readonly gates: SchedulerGates;
}

export type PluginFactory = (input: PluginInput) => SchedulerPlugin;

/** Plugins by extension point, in the order they are asked. */
export interface Profile {
  readonly schedulerName: string;
  readonly preEnqueue: readonly SchedulerPlugin[];
  readonly preFilter: readonly SchedulerPlugin[];
  readonly filter: readonly SchedulerPlugin[];
  readonly postFilter: readonly SchedulerPlugin[];
  readonly preScore: readonly SchedulerPlugin[];
  readonly score: readonly { readonly plugin: SchedulerPlugin; readonly weight: number }[];
  /** Why no scoring succeeds: a plugin scores whose PreFilter or PreScore is switched off. */
  readonly scoreFailure?: string;
  readonly reserve: readonly SchedulerPlugin[];
  readonly permit: readonly SchedulerPlugin[];
  readonly queueSort: readonly SchedulerPlugin[];
  readonly podGroupPostFilter: readonly SchedulerPlugin[];
  /** Whoever decides about groups; no extension point of the configuration names them. */
  readonly placementFeasible: readonly SchedulerPlugin[];
  /** Absent: there are none, or nobody may ask them. */
  readonly extenders?: ExtenderChain;
  /** Upstream plugins that this profile names and that are not built. */
  readonly notBuilt: readonly string[];
}
