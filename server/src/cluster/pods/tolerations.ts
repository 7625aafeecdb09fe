import type { Taint, Toleration } from '../../kube/types';

/** Gt and Lt count only with the gate TaintTolerationComparisonOperators. */
export type ComparisonOperators = 'on' | 'off';

/** Upstream: v1helper.TolerationsTolerateTaint. */
export function isTolerated(
  taint: Taint,
  tolerations: readonly Toleration[],
  comparison: ComparisonOperators,
): boolean {
  return tolerations.some(it => tolerates(it, taint, comparison));
}

/** Upstream: Toleration.ToleratesTaint. */
function tolerates(toleration: Toleration, taint: Taint, comparison: ComparisonOperators): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (toleration.key && toleration.key !== taint.key) return false;
  switch (toleration.operator) {
    case undefined:
    case '':
    case 'Equal':
      return (toleration.value ?? '') === (taint.value ?? '');
    case 'Exists':
      return true;
    case 'Gt':
    case 'Lt':
      return comparison === 'on' && compares(toleration, taint);
    default:
      return false;
  }
}

function compares(toleration: Toleration, taint: Taint): boolean {
  const wanted = canonicalInt(toleration.value);
  const found = canonicalInt(taint.value);
  if (wanted === undefined || found === undefined) return false;
  return toleration.operator === 'Gt' ? found > wanted : found < wanted;
}

/** A 64-bit number as Go prints it: no plus sign, no leading zeros. */
function canonicalInt(text: string | undefined): bigint | undefined {
  if (text === undefined || !/^(0|-?[1-9]\d*)$/.test(text)) return undefined;
  const value = BigInt(text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}
