import type { Checked } from '../checker/check';
import { standardTypeOfName } from '../checker/environment';
import type { Comprehension, Expr, ExprOf } from '../checker/nodes';
import { type Attribute, attributeStep, type PlannedStep, type Qualifier, qualified, testStep } from './attributes';
import { callStep, equalityStep, logicalStep, optionalOrStep } from './calls';
import { constantStep, constructed, literalValue, notOptional } from './constants';
import { foldStep } from './fold';
import {
  CelFailure,
  CelOptional,
  CelTypeName,
  type CelValue,
  isFailure,
  keyOf,
  listOf,
  mapOf,
  noOverload,
} from './values';

/** The steps of a checked expression. Throws PlanError. Upstream: cel-go interpreter.planBuilder with its optimizations. */
export function planOf(root: Expr, checked: Checked): PlannedStep {
  const known = new Map<Expr, PlannedStep>();

  /** A node that a macro uses twice is planned once. */
  function plan(node: Expr, locals: ReadonlySet<string>): PlannedStep {
    const found = known.get(node);
    if (found !== undefined) return found;
    const made = planned(node, locals);
    known.set(node, made);
    return made;
  }

  function planned(node: Expr, locals: ReadonlySet<string>): PlannedStep {
    switch (node.kind) {
      case 'literal':
        return constantStep(literalValue(node));
      case 'ident':
        return ident(node.name, locals);
      case 'select':
        return selection(node, locals);
      case 'call':
        return called(node, locals);
      case 'list':
        return list(node, locals);
      case 'map':
        return map(node, locals);
      case 'struct':
        return { run: () => new CelFailure(`unknown type: ${node.name}`) };
      default:
        return comprehension(node, locals);
    }
  }

  function ident(name: string, locals: ReadonlySet<string>): PlannedStep {
    const type = locals.has(name) ? undefined : standardTypeOfName(name.replace(/^\./, ''));
    if (type !== undefined) return constantStep(new CelTypeName(type.params[0]?.name ?? name));
    return attributeStep({ of: 'variable', name: name.replace(/^\./, ''), path: [] });
  }

  function selection(node: ExprOf<'select'>, locals: ReadonlySet<string>): PlannedStep {
    const name = checked.nameAt(node);
    if (name !== undefined) return ident(name, NO_LOCALS);
    const attribute = qualified(attributeOf(plan(node.operand, locals)), {
      key: { constant: node.field },
      use: node.use,
    });
    return node.use === 'test' ? testStep(attribute) : attributeStep(attribute);
  }

  function called(node: ExprOf<'call'>, locals: ReadonlySet<string>): PlannedStep {
    const own = node.args.map(it => plan(it, locals));
    if (node.name === '_&&_' || node.name === '_||_') return logicalStep(node.name, own);
    const call = checked.callAt(node);
    if (call === undefined) return { run: noOverload };
    const isMethod = node.target !== undefined && call.style === 'method';
    const args = isMethod ? [plan(node.target, locals), ...own] : own;
    const [first, second, third] = args;
    if (first === undefined || second === undefined) return callStep(call, args);
    switch (call.name) {
      case '_?_:_':
        return attributeStep({ of: 'choice', condition: first, yes: attributeOf(second), no: attributeOf(third!) });
      case '_==_':
      case '_!=_':
        return equalityStep(call, first, second);
      case '_[_]':
        return attributeStep(qualified(attributeOf(first), { key: keyStep(second), use: 'value' }));
      case '_[?_]':
        return attributeStep(qualified(attributeOf(first), { key: keyStep(second), use: 'optional' }));
      case 'or':
      case 'orValue':
        return optionalOrStep(call.name, first, second);
      default:
        return callStep(call, args);
    }
  }

  function list({ items }: ExprOf<'list'>, locals: ReadonlySet<string>): PlannedStep {
    const parts = items.map(it => ({ step: plan(it.value, locals), isOptional: it.isOptional }));
    return constructed(
      parts.map(it => it.step),
      10,
      frame => {
        const values: CelValue[] = [];
        for (const { step, isOptional } of parts) {
          const value = step.run(frame);
          if (isFailure(value)) return value;
          if (!isOptional) values.push(value);
          else if (!(value instanceof CelOptional)) return notOptional('list element');
          else if (value.value !== undefined) values.push(value.value);
        }
        return listOf(values);
      },
    );
  }

  function map({ entries }: ExprOf<'map'>, locals: ReadonlySet<string>): PlannedStep {
    const parts = entries.map(it => ({
      key: plan(it.key, locals),
      value: plan(it.value, locals),
      isOptional: it.isOptional,
    }));
    return constructed(
      parts.flatMap(it => [it.key, it.value]),
      30,
      frame => {
        const made = new Map<unknown, readonly [CelValue, CelValue]>();
        for (const part of parts) {
          const key = part.key.run(frame);
          if (isFailure(key)) return key;
          const value = part.value.run(frame);
          if (isFailure(value)) return value;
          if (!part.isOptional) made.set(keyOf(key), [key, value]);
          else if (!(value instanceof CelOptional)) return notOptional('entry');
          else if (value.value === undefined) made.delete(keyOf(key));
          else made.set(keyOf(key), [key, value.value]);
        }
        return mapOf(made);
      },
    );
  }

  function comprehension(node: Comprehension, locals: ReadonlySet<string>): PlannedStep {
    const outer = new Set([...locals, node.accumulator]);
    const inner = new Set([...outer, ...node.variables]);
    return foldStep({
      range: plan(node.range, locals),
      variables: node.variables,
      accumulator: node.accumulator,
      init: plan(node.init, locals),
      condition: plan(node.condition, inner),
      step: plan(node.step, inner),
      result: plan(node.result, outer),
    });
  }

  return plan(root, NO_LOCALS);
}

const NO_LOCALS: ReadonlySet<string> = new Set();

/** What can be selected from: a part that is no selection itself counts as the value that one begins with. */
const attributeOf = (step: PlannedStep): Attribute => step.attribute ?? { of: 'value', step, path: [] };

function keyStep(step: PlannedStep): Qualifier['key'] {
  if (step.constant !== undefined) return { constant: step.constant };
  return step.attribute === undefined ? { step } : { attribute: step.attribute };
}
