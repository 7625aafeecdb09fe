import { admissionStrategies } from './admission/index';
import { apiextensionsStrategies } from './apiextensions/index';
import { certificateStrategies } from './certificates/index';
import { controlStrategies } from './control/index';
import { coreStrategies } from './core/index';
import { draStrategies } from './dra/index';
import type { KindStrategy } from './errors';
import { flowControlStrategies } from './flowcontrol/index';
import { metadataStrategies } from './kindMeta';
import { networkingStrategies } from './networking/index';
import { podStrategy } from './podSpec/podSpec';
import { storageStrategies } from './storage/index';
import { systemStrategies } from './system/index';
import { workloadStrategies } from './workloads/index';

/**
 * The API server's strategies on create, by `group/Kind` (`/Pod` for the core group). Other kinds are only checked
 * against their schema.
 */
export const STRATEGIES: Readonly<Record<string, KindStrategy>> = {
  ...metadataStrategies,
  '/Pod': podStrategy,
  ...admissionStrategies,
  ...certificateStrategies,
  ...controlStrategies,
  ...apiextensionsStrategies,
  ...coreStrategies,
  ...draStrategies,
  ...flowControlStrategies,
  ...networkingStrategies,
  ...storageStrategies,
  ...systemStrategies,
  ...workloadStrategies,
};
