import type { UnknownObject } from '../../base/json';
import type { KnownMutations } from '../policies/knownMutations';

/** What a placement starts from, as plain data: another thread can begin the same. */
export interface RunInputs {
  readonly objects: readonly UnknownObject[];
  readonly kubernetesVersion: string;
  /** Feature gates that are on by themselves, by name. */
  readonly gatesOn: readonly string[];
  /** Those that the settings change. */
  readonly featureGates: Readonly<Record<string, boolean>>;
  readonly schedulerConfiguration?: UnknownObject;
  /** What mutating policies are known to change; absent: there are none. */
  readonly policies?: KnownMutations['changing'];
}
