import type { DeviceModel } from '../../../cluster/devices/devices';
import {
  type CompiledSelector,
  type DeviceSelectors,
  evaluateSelector,
  type SelectorResult,
} from '../../../kube/cel/deviceSelector';
import type { DeviceFeatures } from './features';

/** True, false, or why the expression cannot be evaluated. */
export type Selected = boolean | { readonly error: string };

/** Evaluates device selectors. An expression is compiled once for a run and evaluated once for each device. */
export interface SelectorBook {
  /** Errors contain `context` and the index of the expression. */
  selects(expressions: readonly (string | undefined)[], context: string, device: DeviceModel): Selected;
}

type Answer = ReturnType<typeof evaluateSelector>;

export function selectorBook(compiler: DeviceSelectors, { allocator }: DeviceFeatures): SelectorBook {
  const compiled = new Map<string, SelectorResult>();
  const answers = new Map<string, Map<DeviceModel, Answer>>();
  const compile = (expression: string): SelectorResult => {
    const found = compiled.get(expression) ?? compiler.compile(expression);
    compiled.set(expression, found);
    return found;
  };
  const evaluate = (selector: CompiledSelector, device: DeviceModel): Answer => {
    const cached = answers.get(selector.expression) ?? new Map<DeviceModel, Answer>();
    answers.set(selector.expression, cached);
    const { driver, attributes, capacityTexts, allowMultipleAllocations } = device;
    const shared = allocator === 'stable' ? {} : { allowMultipleAllocations };
    const found =
      cached.get(device) ?? evaluateSelector(selector, { driver, attributes, capacity: capacityTexts, ...shared });
    cached.set(device, found);
    return found;
  };
  return {
    selects(expressions, context, device) {
      for (const [i, expression] of expressions.entries()) {
        const selector = compile(expression ?? '');
        if (!('checked' in selector)) {
          const why = 'problem' in selector ? selector.problem : `Berth cannot evaluate it: ${selector.undecided}`;
          return { error: `${context}: selector #${i}: CEL compile error: ${why}` };
        }
        const answer = evaluate(selector, device);
        if (answer === false) return false;
        if (answer === true) continue;
        const why = 'error' in answer ? withHint(answer.error) : `Berth cannot evaluate it: ${answer.undecided}`;
        return { error: `${context}: selector #${i} on device ${device.id}: CEL runtime error: ${why}` };
      }
      return true;
    },
  };
}

/** Upstream: cel.EnhanceRuntimeError. */
function withHint(error: string): string {
  if (!error.includes('no such key:')) return error;
  return `${error}. consider using CEL optional chaining (.? followed by orValue()) or guarding the check with has() for optional fields`;
}
