import type { JsonObject, JsonValue } from '../../../../../base/json';
import { type GoFields, get, has, record, records, text } from '../../../../../kube/goFields';
import { formatQuantity, isPlainQuantity, quantityMilliInt64, quantityOf } from '../../../../../kube/quantity';
import type { FieldPath } from '../../../../../manifest/fieldPath';
import { containersOf } from '../containers/containerLists';

/** Fractional amounts of bytes, and variables that hide others. */
export function containerWarnings(spec: JsonObject, at: FieldPath): readonly string[] {
  const found = [...fractionWarnings(record(spec, 'overhead'), at.child('overhead'))];
  for (const { container, at: path } of containersOf(spec, at)) {
    const resources = record(container, 'resources');
    for (const list of resources === undefined ? NOTHING : LISTS)
      found.push(...fractionWarnings(record(resources, list), path.child('resources', list)));
    if (has(container, 'env'))
      for (const each of hiddenVariableWarnings(container, path.child('env'))) found.push(each);
  }
  return found;
}

const NOTHING: readonly string[] = [];

const LISTS = ['limits', 'requests'] as const;

function fractionWarnings(amounts: GoFields, at: FieldPath): readonly string[] {
  if (amounts === undefined) return NOTHING;
  return ['memory', 'ephemeral-storage'].flatMap(name => {
    const written = get(amounts, name);
    if (written === undefined || isWhole(written)) return [];
    const amount = quantityOf(written);
    // Upstream compares thousandths as int64, so a huge amount can count as a fraction.
    if (amount === undefined || quantityMilliInt64(amount) % 1000n === 0n) return [];
    return [`${at.key(name)}: fractional byte value "${formatQuantity(amount)}" is invalid, must be an integer`];
  });
}

/** A quick test for most whole numbers. */
const isWhole = (value: JsonValue): boolean =>
  typeof value === 'string' && !value.endsWith('m') && isPlainQuantity(value);

/** A variable may be set again if its value extends the earlier one: `$(PATH):/bin`. */
function hiddenVariableWarnings(container: JsonObject, at: FieldPath): readonly string[] {
  const seen = new Set<string>();
  return records(container, 'env').flatMap((it, i) => {
    const name = text(it, 'name');
    const isFirst = !seen.has(name);
    seen.add(name);
    const reference = `$(${name})`;
    const value = text(it, 'value');
    if (isFirst || (!has(it, 'valueFrom') && value !== reference && value.includes(reference))) return [];
    return [
      `${at.index(i)}: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`,
    ];
  });
}
