/** One sentence about something that could not be taken into account. */
export interface Note {
  readonly pod?: string;
  readonly message: string;
}
