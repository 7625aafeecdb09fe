import { type DeviceSelectors, deviceSelectors, type SelectorFacts } from './deviceSelector';
import { type CheckResult, checkExpression, kubernetesEnvironment } from './environment';
import type { CelEnvironment } from './library';

/** The compilers of one minor with one set of gates. What they need is made when the first expression comes. */
export interface CelCompilers {
  readonly selectors: DeviceSelectors;
  /** A rule of a custom resource's schema: `self` and `oldSelf` may be anything. Each rule is compiled once. */
  rule(text: string): CheckResult;
}

export function celCompilers(facts: SelectorFacts): CelCompilers {
  const environments: CelEnvironment[] = [];
  const rules = new Map<string, CheckResult>();
  const compile = (text: string): CheckResult => {
    environments[0] ??= kubernetesEnvironment('has none')
      .registerVariable('self', 'dyn')
      .registerVariable('oldSelf', 'dyn');
    return checkExpression(environments[0], text);
  };
  return {
    selectors: deviceSelectors(facts),
    rule: text => {
      const known = rules.get(text) ?? compile(text);
      rules.set(text, known);
      return known;
    },
  };
}
