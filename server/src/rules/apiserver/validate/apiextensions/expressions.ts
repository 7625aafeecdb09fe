import { lazy } from '../../../../base/lazy';
import type { CelCompilers } from '../../../../kube/cel/compilers';
import { type DeclType, escapedName } from '../../../../kube/cel/declType';
import type { Kube } from '../../../../kube/kube';
import { schemaDeclType } from '../../../../kube/schemaType';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { notInstantiated } from '../crd/ruleRun';
import { type FieldError, forbidden, invalid } from '../errors';
import { type ExpressionCost, excess, MOST_EXPRESSION_COST, worstCost } from './costs';
import { newRuleBudget, type RuleBudget } from './ruleBudget';
import { type SchemaProps, type SchemaRule, structuralOf } from './schemaProps';

/**
 * What CEL rules of a schema depend on besides the schema. Upstream: CELSchemaContext.
 */
export interface ExpressionContext {
  readonly kube: Pick<Kube, 'cel' | 'parts'>;
  readonly schema: SchemaProps;
  /** Whether this schema or one around it has rules. */
  readonly hasRules: boolean;
  /** How often a value of the schema can occur in an object; undefined if nothing limits that. */
  readonly most: number | undefined;
  readonly budget: RuleBudget;
  /** undefined where values are hidden from CEL. */
  type(): DeclType | undefined;
}

export interface RuleFindings {
  readonly celErrors: readonly FieldError[];
  readonly costs: readonly ExpressionCost[];
}

export type Step = { readonly by: 'items' | 'values' } | { readonly by: 'property'; readonly name: string };

export function rootContext(schema: SchemaProps, kube: ExpressionContext['kube']): ExpressionContext {
  const type = lazy(() => schemaDeclType(structuralOf(schema), 'root', kube.parts));
  return {
    kube,
    schema,
    hasRules: schema['x-kubernetes-validations'] !== undefined,
    most: 1,
    budget: newRuleBudget(),
    type,
  };
}

/** The context of a schema inside another one. */
export function childContext(of: ExpressionContext, schema: SchemaProps, step: Step): ExpressionContext {
  const level = schema['x-kubernetes-embedded-resource'] ? 'root' : 'inner';
  const own = (): DeclType | undefined => schemaDeclType(structuralOf(schema), level, of.kube.parts);
  const factor = mostElements(of.schema);
  return {
    kube: of.kube,
    budget: of.budget,
    schema,
    hasRules: of.hasRules || schema['x-kubernetes-validations'] !== undefined,
    most: of.most === undefined || factor === undefined ? undefined : of.most * factor,
    // Where the schema around has no type, upstream gives this one none either; nor to items of what is no list.
    type: lazy(() => {
      if (!of.hasRules) return own();
      const outer = of.type();
      if (outer === undefined || step.by !== 'property') return outer?.elem;
      return fieldOf(outer, step.name) ?? own();
    }),
  };
}

function fieldOf(type: DeclType, property: string): DeclType | undefined {
  const name = escapedName(property);
  return name === undefined ? undefined : type.fields?.get(name);
}

/** Upstream: extractMaxElements. */
function mostElements({ type, additionalProperties, maxProperties, maxItems }: SchemaProps): number | undefined {
  if (type === 'object' && additionalProperties !== undefined) return maxProperties && Math.max(maxProperties, 0);
  if (type === 'array') return maxItems && Math.max(maxItems, 0);
  return 1;
}

const at = (place: FieldPath, i: number): FieldPath => place.child('x-kubernetes-validations').index(i);

/** The errors and costs of the rules of one schema, in upstream's order. */
export function ruleFindings(
  rules: readonly SchemaRule[],
  place: FieldPath,
  uncorrelated: FieldPath | undefined,
  context: ExpressionContext,
): RuleFindings {
  const type = context.type();
  if (type === undefined) {
    const detail = 'internal error: failed to construct type information for x-kubernetes-validations rules';
    return {
      celErrors: [{ type: 'InternalError', at: place.child('x-kubernetes-validations'), detail }],
      costs: [],
    };
  }
  const check = context.kube.cel.ofSchema(type);
  const found = rules.map((it, i) => findingsOf(it, at(place, i), { check, type, uncorrelated, most: context.most }));
  return { celErrors: found.flatMap(it => it.celErrors), costs: found.flatMap(it => it.costs) };
}

interface Judge {
  readonly check: Check;
  readonly type: DeclType;
  readonly uncorrelated: FieldPath | undefined;
  readonly most: number | undefined;
}

type Check = ReturnType<CelCompilers['ofSchema']>;

function findingsOf(rule: SchemaRule, place: FieldPath, { check, type, uncorrelated, most }: Judge): RuleFindings {
  const oldSelf = rule.optionalOldSelf === true ? 'optional' : 'same';
  const checked = check(rule.rule, oldSelf);
  const errors: FieldError[] = [];
  const costs: ExpressionCost[] = [];
  const observe = (name: 'rule' | 'messageExpression', cost: number): void => {
    if (cost > MOST_EXPRESSION_COST) {
      const what = name === 'rule' ? 'estimated rule cost' : 'estimated messageExpression cost';
      errors.push(forbidden(place.child(name), excess(what, cost, MOST_EXPRESSION_COST)));
    }
    costs.push({ at: place.child(name), cost });
  };
  const isBool = 'type' in checked && checked.type === 'bool';
  const isChecked = isBool && checked.instantiation === undefined;
  observe('rule', isChecked ? worstCost(checked.maxCost, most, type.minSize) : 0);
  if ('problem' in checked) errors.push(invalid(place.child('rule'), rule.rule, checked.problem));
  if ('type' in checked && checked.type !== 'bool') {
    errors.push(invalid(place.child('rule'), rule.rule, 'cel expression must evaluate to a bool'));
  }
  if (isBool && checked.instantiation !== undefined) {
    errors.push(invalid(place.child('rule'), rule.rule, notInstantiated(checked.instantiation)));
  }
  if (isChecked && rule.messageExpression !== '') {
    const message = check(rule.messageExpression, oldSelf);
    const problem = messageProblem(message);
    if (problem !== undefined) {
      errors.push(invalid(place.child('messageExpression'), rule.messageExpression, problem));
    } else if ('maxCost' in message) {
      observe('messageExpression', message.maxCost);
    }
  }
  const usesOldSelf = 'type' in checked ? isBool && checked.usesOldSelf : mayUseOldSelf(checked, rule.rule);
  if (usesOldSelf && uncorrelated !== undefined) {
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated.toString()}`;
    errors.push(invalid(place.child('rule'), rule.rule, detail));
  }
  if (!usesOldSelf && rule.optionalOldSelf !== undefined) {
    errors.push(
      invalid(place.child('optionalOldSelf'), rule.optionalOldSelf, 'may not be set if oldSelf is not used in rule'),
    );
  }
  return { celErrors: errors, costs };
}

/** A rule with an error counts as one that does not use it. */
const mayUseOldSelf = (checked: object, rule: string): boolean => 'undecided' in checked && /\boldSelf\b/.test(rule);

function messageProblem(message: ReturnType<Check>): string | undefined {
  if ('problem' in message) return `messageExpression ${message.problem}`;
  if (!('type' in message)) return undefined;
  if (message.type !== 'string') return 'messageExpression must evaluate to a string';
  return message.instantiation && `messageExpression instantiation failed: ${message.instantiation}`;
}
