import type { PlaceFile } from '../../analysis/scenario';
import type { ConfigurationFlags } from '../input/configuration';
import type { ExploreFormat } from '../input/options';
import type { SettingFlags } from '../input/settingFlags';
import type { TimeLimit } from '../input/timeLimit';

/** The options of `berth explore` as commander hands them over. */
export interface ExploreFlags extends ConfigurationFlags, SettingFlags {
  readonly format: string;
  readonly schedulerConfig?: string;
  readonly reduce?: boolean;
  readonly timeLimit?: string;
  readonly maxStates?: string;
}

/** How an argument is explored. */
export interface ExploreRequest {
  readonly argument: string;
  readonly files: readonly PlaceFile[];
  readonly format: ExploreFormat;
  readonly flags: ExploreFlags;
  readonly time: TimeLimit;
  /** At most so many states; undefined: as many as there is time and memory for. */
  readonly maxStates: number | undefined;
}

/** What one exploration gave. */
export interface Explored {
  /** The line of JSON without `contract` and `error`. */
  readonly json: object;
  /** What is printed with any other format. */
  readonly text: string;
  readonly verdict: 'nothing found' | 'found';
  /** Why it could not be done, one sentence. */
  readonly error?: string;
}
