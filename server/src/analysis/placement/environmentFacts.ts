import type { ComparisonOperators } from '../../cluster/pods/tolerations';
import type { Kube } from '../../kube/kube';

/** The operators Gt and Lt of tolerations depend on a gate. */
export const comparisonOperators = (kube: Kube): ComparisonOperators =>
  kube.isGateOn('TaintTolerationComparisonOperators') ? 'on' : 'off';
