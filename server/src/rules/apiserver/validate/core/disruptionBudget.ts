import type { JsonObject, JsonValue } from '../../../../base/json';
import { entries, get, has, items, mapField, optionalText, record, records, text } from '../../../../kube/goFields';
import { FieldPath } from '../../../../manifest/fieldPath';
import { applies } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';
import { type FieldError, invalid, type KindStrategy, notSupported, type Validation } from '../errors';
import { atMostAll, intOrPercent } from '../intOrPercent';
import { validateLabelSelector } from '../metadata';
import { type Dropped, dropStatus } from '../shared/drops';

function budgetErrors(value: JsonValue | undefined, at: FieldPath): readonly FieldError[] {
  return [...intOrPercent(value, at), ...atMostAll(value, at)];
}

const evictionPolicies = ['AlwaysAllow', 'IfHealthyBudget'];

const reservedSelectorKey = 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match';

/** Indexes of the expressions with a key that the server reserves. Upstream: StripPDBV1beta1Label. */
function reservedExpressions(object: JsonObject): readonly number[] {
  const selector = record(record(object, 'spec'), 'selector');
  const expressions = records(selector, 'matchExpressions');
  const [first] = expressions;
  const isMatchNone =
    expressions.length === 1 && text(first, 'operator') === 'Exists' && items(first, 'values').length === 0;
  if (isMatchNone && entries(selector, 'matchLabels').length === 0) return [];
  return expressions.flatMap((it, i) => (text(it, 'key') === reservedSelectorKey ? [i] : []));
}

function withoutReserved(object: JsonObject): JsonObject {
  const reserved = reservedExpressions(object);
  if (reserved.length === 0) return object;
  const kept = (selector: JsonObject) => ({
    ...selector,
    matchExpressions: records(selector, 'matchExpressions').filter((_, i) => !reserved.includes(i)),
  });
  return mapField(object, 'spec', spec => mapField(spec, 'selector', kept));
}

/** Until 1.36 the expressions are removed during decoding, so they do not count as dropped. */
function dropBudgetFields(object: JsonObject, { kube }: Validation): Dropped {
  const stored = dropStatus(withoutReserved(object));
  const reserved = applies(minorChanges.reservedExpressionsDropped, kube) ? reservedExpressions(object) : [];
  const at = FieldPath.of('spec', 'selector', 'matchExpressions');
  const left = records(record(record(stored.object, 'spec'), 'selector'), 'matchExpressions').length;
  const gone = left === 0 && reserved.length > 0 ? [at] : reserved.map(it => at.index(it));
  return { object: stored.object, dropped: [...stored.dropped, ...gone] };
}

/** Upstream: ValidatePodDisruptionBudget; the create handler itself checks ObjectMeta. */
export const disruptionBudgetStrategy: KindStrategy = {
  drop: dropBudgetFields,
  validate: object => {
    const spec = record(object, 'spec');
    const at = FieldPath.of('spec');
    const policy = optionalText(spec, 'unhealthyPodEvictionPolicy');
    return [
      ...(has(spec, 'minAvailable') && has(spec, 'maxUnavailable')
        ? [invalid(at, spec ?? null, 'minAvailable and maxUnavailable cannot be both set')]
        : []),
      ...budgetErrors(get(spec, 'minAvailable'), at.child('minAvailable')),
      ...budgetErrors(get(spec, 'maxUnavailable'), at.child('maxUnavailable')),
      ...validateLabelSelector(record(spec, 'selector'), at.child('selector')),
      ...(policy === undefined || evictionPolicies.includes(policy)
        ? []
        : [notSupported(at.child('unhealthyPodEvictionPolicy'), policy, evictionPolicies)]),
    ];
  },
};
