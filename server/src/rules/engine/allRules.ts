import { lazy } from '../../base/lazy';
import type { AnyRule } from '../framework/rule';
import { issueChecks } from '../knownIssues/knownIssue';
import { knownIssueRule } from '../knownIssues/rule';
import { RULES } from './registry';

/** Every rule: those of files of their own, and one for each known issue. */
export const allRules = lazy((): readonly AnyRule[] => [...RULES, ...issueChecks().map(knownIssueRule)]);
