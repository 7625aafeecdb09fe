import type { ResolvedCall } from '../checker/check';
import type { Overload } from '../checker/declarations';
import { regexOf } from '../regexCalls';
import { CelUnknown } from '../undecided';
import type { Frame, PlannedStep } from './attributes';
import { callCostOf, isCountedFirst } from './callCost';
import { equal } from './compare';
import { constantStep, PlanError } from './constants';
import { CONVERSIONS } from './conversions';
import { fits, type Implementation, implementationOf, isSingleton } from './functions';
import { spend } from './meter';
import { CelFailure, CelList, CelOptional, type CelValue, isFailure, keyOf, noOverload, typeName } from './values';

/** `&&` and `||`: an operand that decides wins over errors before it. They cost nothing. */
export function logicalStep(name: '_&&_' | '_||_', terms: readonly PlannedStep[]): PlannedStep {
  const decisive = name === '_||_';
  return {
    run(frame) {
      let failure: CelFailure | undefined;
      for (const term of terms) {
        const value = term.run(frame);
        if (value === decisive) return decisive;
        if (typeof value !== 'boolean') failure ??= isFailure(value) ? value : noOverload();
      }
      return failure ?? !decisive;
    },
  };
}

export function equalityStep(call: ResolvedCall, left: PlannedStep, right: PlannedStep): PlannedStep {
  const costOf = callCostOf(call);
  const isEqual = call.name === '_==_';
  return {
    run(frame) {
      const [a, b] = [left.run(frame), right.run(frame)];
      const result = isFailure(a) ? a : isFailure(b) ? b : compared(a, b, isEqual);
      spend(frame.meter, costOf([a, b], result));
      return result;
    },
  };
}

/** An error of a comparison is an error of `==`, and makes `!=` true. */
function compared(a: CelValue, b: CelValue, isEqual: boolean): CelValue {
  const same = equal(a, b);
  return isEqual ? same : same !== true;
}

/** `or` and `orValue`. Upstream: decorateOptionalOr. */
export function optionalOrStep(name: string, left: PlannedStep, right: PlannedStep): PlannedStep {
  return {
    run(frame) {
      const value = left.run(frame);
      if (isFailure(value)) return value;
      if (!(value instanceof CelOptional)) return noOverload();
      if (value.value === undefined) return right.run(frame);
      return name === 'or' ? value : value.value;
    },
  };
}

/** A call of a function. */
export function callStep(call: ResolvedCall, args: readonly PlannedStep[]): PlannedStep {
  const { name } = call;
  const [first] = args;
  if (name === '@not_strictly_false' && first !== undefined) return notFalseStep(first);
  const implementation = implementationOf(name);
  if (implementation === undefined) throw new CelUnknown(`the function ${name} is not simulated`);
  if (Object.hasOwn(CONVERSIONS, name) && args.length === 1 && first?.constant !== undefined) {
    return folded(implementation([first.constant], undefined));
  }
  if (name === '@in' && call.overloads.length === 1) {
    const membership = membershipStep(args, call.overloads[0]!);
    if (membership !== undefined) return membership;
  }
  return plainCall(call, implementation, args);
}

function folded(value: CelValue): PlannedStep {
  if (isFailure(value)) throw new PlanError(value.message);
  return constantStep(value);
}

const notFalseStep = (of: PlannedStep): PlannedStep => ({
  run(frame) {
    const value = of.run(frame);
    spend(frame.meter, 1);
    return typeof value === 'boolean' ? value : true;
  },
});

const PRIMITIVE: ReadonlySet<string> = new Set(['bool', 'double', 'int', 'string', 'uint']);

/** Whether a value is in a list of constants, which costs nothing. Upstream: maybeOptimizeSetMembership. */
function membershipStep([wanted, list]: readonly PlannedStep[], { args }: Overload): PlannedStep | undefined {
  const values = list?.constant;
  if (args[1]?.kind !== 'list' || wanted === undefined || !(values instanceof CelList)) return undefined;
  if (values.size === 0) return constantStep(false);
  const keys = new Set<unknown>();
  for (let i = 0; i < values.size; i++) {
    if (!PRIMITIVE.has(typeName(values.at(i)))) return undefined;
    keys.add(keyOf(values.at(i)));
  }
  return {
    run(frame) {
      const value = wanted.run(frame);
      return isFailure(value) ? value : keys.has(keyOf(value));
    },
  };
}

const REGEXES: ReadonlySet<string> = new Set(['matches', 'find', 'findAll']);

function plainCall(call: ResolvedCall, implementation: Implementation, args: readonly PlannedStep[]): PlannedStep {
  const { name, overloads } = call;
  const costOf = callCostOf(call);
  const pattern = REGEXES.has(name) ? args[1]?.constant : undefined;
  // The checker has read the patterns of `matches`.
  if (typeof pattern === 'string' && name !== 'matches') checkPattern(pattern);
  const isUnchecked = isSingleton(name);
  // The first error of some calls ends them; others evaluate all arguments, and count.
  const endsEarly =
    args.length > 2 || name === 'format' || pattern !== undefined || (!isUnchecked && overloads.length > 1);
  const last = args.length - 1;
  const countedFirst = isCountedFirst(name);
  return {
    run(frame: Frame) {
      const values: CelValue[] = [];
      let failure: CelFailure | undefined;
      for (const [i, arg] of args.entries()) {
        const value = arg.run(frame);
        values.push(value);
        if (!isFailure(value)) continue;
        if (endsEarly && i < last) return value;
        failure ??= value;
      }
      if (countedFirst) spend(frame.meter, costOf(values, null));
      const result = failure ?? applied(name, implementation, isUnchecked ? undefined : overloads, values);
      if (!countedFirst) spend(frame.meter, costOf(values, result));
      return result;
    },
  };
}

function checkPattern(pattern: string): void {
  try {
    regexOf(pattern);
  } catch (error) {
    if (error instanceof CelUnknown) throw error;
    throw new PlanError((error as Error).message);
  }
}

function applied(
  name: string,
  implementation: Implementation,
  overloads: readonly Overload[] | undefined,
  values: readonly CelValue[],
): CelValue {
  if (overloads === undefined) return implementation(values, undefined);
  const fitting = overloads.find(it => it.args.every((type, i) => fits(values[i] ?? null, type)));
  if (fitting !== undefined) return implementation(values, fitting);
  return new CelFailure(`no such overload: ${name}(${values.map(typeName).join(', ')})`);
}
