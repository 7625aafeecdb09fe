import { lazyByText } from '../../../base/lazy';
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

/** An expression as it is compiled, and its answers so far. */
interface Compiled {
  readonly selector: SelectorResult;
  readonly answers: Map<DeviceModel, Answer>;
}

export function selectorBook(compiler: DeviceSelectors, { allocator }: DeviceFeatures): SelectorBook {
  const compiled = lazyByText(
    (expression): Compiled => ({ selector: compiler.compile(expression), answers: new Map() }),
  );
  const evaluate = (selector: CompiledSelector, device: DeviceModel): Answer => {
    const { driver, attributes, capacityTexts, allowMultipleAllocations } = device;
    const shared = allocator === 'stable' ? {} : { allowMultipleAllocations };
    return evaluateSelector(selector, { driver, attributes, capacity: capacityTexts, ...shared });
  };
  return {
    selects(expressions, context, device) {
      for (let i = 0; i < expressions.length; i++) {
        const { selector, answers } = compiled(expressions[i] ?? '');
        if (!('checked' in selector)) {
          const why = 'problem' in selector ? selector.problem : `Berth cannot evaluate it: ${selector.undecided}`;
          return { error: `${context}: selector #${i}: CEL compile error: ${why}` };
        }
        const known = answers.get(device);
        const answer = known ?? evaluate(selector, device);
        if (known === undefined) answers.set(device, answer);
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
