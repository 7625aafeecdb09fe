import { coreChanges } from './coreChanges';
import { definitionChanges } from './definitionChanges';
import { deviceChanges } from './deviceChanges';
import { kindChanges } from './kindChanges';
import type { MinorChange } from './minorChange';
import { networkChanges } from './networkChanges';
import { podChanges } from './podChanges';
import { storageChanges } from './storageChanges';
import { workloadChanges } from './workloadChanges';

/**
 * Everything that the API server does otherwise from one supported minor to another without a feature gate. A check
 * asks `applies(minorChanges.ID, kube)`.
 */
export const minorChanges = {
  ...coreChanges,
  ...networkChanges,
  ...podChanges,
  ...workloadChanges,
  ...storageChanges,
  ...deviceChanges,
  ...definitionChanges,
  ...kindChanges,
} as const satisfies Readonly<Record<string, MinorChange>>;
