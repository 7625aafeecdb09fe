import type { Release } from './version';

/** A gate whose default a patch release changed; the pack of its minor has the later default. */
interface PatchedGate {
  readonly gate: string;
  readonly minor: string;
  /** The first patch with the default of the pack. */
  readonly since: number;
  /** The default of the patches before. */
  readonly before: boolean;
}

/** Upstream: defaultVersionedKubernetesFeatureGates of the releases. */
const PATCHED_GATES: readonly PatchedGate[] = [
  // Turned off again as rollouts with it got stuck: kubernetes/kubernetes#137904.
  { gate: 'MaxUnavailableStatefulSet', minor: '1.35', since: 4, before: true },
];

/** The default of a gate in a patch release, if the pack of the minor has that of a later one. */
export function defaultOfEarlierPatch(gate: string, { minor, patch }: Release): boolean | undefined {
  return PATCHED_GATES.find(it => it.gate === gate && it.minor === minor && patch < it.since)?.before;
}
