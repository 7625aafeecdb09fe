/** One sentence about something that the result ignores. */
export interface Note {
  readonly pod?: string;
  readonly message: string;
}
