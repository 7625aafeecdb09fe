/** Exit codes of every verb. */
export const EXIT = { clean: 0, found: 1, failed: 2 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
