import type { JsonValue } from '../../../base/json';
import type { RuleContext, RuleTarget } from '../../framework/rule';

/** Whether a value meets an issue; for what CEL cannot say. */
export type IssueFunction = (self: JsonValue, target: RuleTarget, context: RuleContext) => boolean;
