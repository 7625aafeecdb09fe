/** Told of what is wrong: a clause that follows the place, and the steps to it from the list of rules. */
export type OnRuleProblem = (clause: string, at: readonly (string | number)[]) => void;
