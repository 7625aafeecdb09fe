/** Called with a mistake: a clause that continues "PATH …", and the path from the list of rules. */
export type OnRuleProblem = (clause: string, at: readonly (string | number)[]) => void;
