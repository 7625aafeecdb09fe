/** Exit codes of every verb. */
export const EXIT = { clean: 0, found: 1, failed: 2 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The exit code of a command that did several things. */
export function worstOf(codes: readonly ExitCode[]): ExitCode {
  return ([EXIT.failed, EXIT.found] as const).find(it => codes.includes(it)) ?? EXIT.clean;
}
