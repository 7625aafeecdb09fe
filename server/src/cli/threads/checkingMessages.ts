import type { Collected } from '../input/collected';
import type { PlainChange } from '../input/plainChange';
import type { SettingFlags } from '../input/settingFlags';
import type { ReportedProblem } from '../reportedProblem';

/** What a thread needs to find the same problems as the command itself, as plain data. */
export interface CheckingInput {
  /** What made the analysis of the command, in its order. */
  readonly changes: readonly PlainChange[];
  readonly flags: SettingFlags;
  /** How many problems of a file have the same code at most. */
  readonly limit: number;
  /** The files to look at. */
  readonly files: readonly RequestedFile[];
  /** Shared: how many of the files some thread has taken, as one 32-bit integer. */
  readonly taken: SharedArrayBuffer;
}

/** A file that was asked for, without its text, which the changes have. */
export type RequestedFile =
  | { readonly path: string; readonly problem?: string }
  | Extract<Collected, { readonly failure: string }>;

/** The problems of a file by its index. */
export type CheckedFile = readonly [index: number, problems: readonly ReportedProblem[]];

export interface CheckingAnswer {
  readonly checked: readonly CheckedFile[];
  /** Texts for standard error. */
  readonly said: readonly string[];
}
