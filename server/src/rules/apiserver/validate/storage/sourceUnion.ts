import type { JsonObject } from '../../../../base/json';
import { type GoFields, has, record } from '../../../../kube/goFields';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, forbidden, required } from '../errors';

/** Where a source stands: in a volume of a Pod or in a PersistentVolume. `name` is the volume's. */
export interface SourceHolder {
  readonly kind: 'pod' | 'persistentVolume';
  readonly name: string;
}

/** One type of volume, in a place that tells `Holder` about itself. */
export interface SourceType<Holder> {
  readonly field: string;
  /** Where upstream complains when the field has other words there. */
  readonly checkedAt?: string;
  readonly forbiddenAt?: string;
  /** Upstream counts this one but never refuses it as one too many. */
  readonly beside?: 'others';
  errors(source: JsonObject, at: FieldPath, holder: Holder): Iterable<FieldError>;
}

/** Exactly one of the types; the order of `types` tells which of several is the one too many. `at` is the holder's path. */
export function* sourceErrors<Holder>(
  types: readonly SourceType<Holder>[],
  of: GoFields,
  holder: Holder,
  at: FieldPath,
): Iterable<FieldError> {
  const present = types.filter(it => has(of, it.field));
  if (present.length === 0) yield required(at, 'must specify a volume type');
  for (const [i, it] of present.entries()) {
    if (i > 0 && it.beside === undefined) {
      yield forbidden(at.child(it.forbiddenAt ?? it.field), 'may not specify more than 1 volume type');
    } else yield* it.errors(record(of, it.field) ?? {}, at.child(it.checkedAt ?? it.field), holder);
  }
}
