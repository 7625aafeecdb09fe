import type { PlaceFile } from '../../analysis/scenario';
import type { ConfigurationFlags } from '../input/configuration';
import type { ExploreFormat, ScenarioQuestion } from '../input/options';
import type { SettingFlags } from '../input/settingFlags';
import type { TimeLimit } from '../input/timeLimit';
import type { JunitCase } from '../render/junit';

/** The options of `berth explore` as commander hands them over. */
export interface ExploreFlags extends ConfigurationFlags, SettingFlags {
  readonly format: string;
  readonly schedulerConfig?: string;
  readonly jobs?: string;
  readonly reduce?: boolean;
  /** False where `--no-symmetry` is given. */
  readonly symmetry?: boolean;
  readonly save?: string;
  readonly resume?: string;
  readonly timeLimit?: string;
  readonly maxStates?: string;
  readonly maxFindings?: string;
  readonly shard?: string;
  readonly merge?: boolean;
  readonly ask?: string;
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
  /** What is asked of a scenario. */
  readonly asked: readonly ScenarioQuestion[];
  /** A search of a system ends after so many findings; undefined: it goes on. */
  readonly maxFindings: number | undefined;
}

/** What one exploration gave. */
export interface Explored {
  /** The line of JSON without `contract` and `error`. */
  readonly json: object;
  /** What is printed with any other format. */
  readonly text: string;
  /** The file or scenario. */
  readonly name: string;
  /** What was asked, and the answers. */
  readonly cases: readonly JunitCase[];
  readonly verdict: 'nothing found' | 'found';
  /** Why it could not be done, one sentence. */
  readonly error?: string;
}

/** An exploration that could not begin. */
export function notExplored(name: string, error: string, json: object = {}): Explored {
  return { json, text: '', name, cases: [], verdict: 'nothing found', error };
}
