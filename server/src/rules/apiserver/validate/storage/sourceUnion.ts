import type { JsonObject } from '../../../../base/json';
import { type GoFields, has, record } from '../../../../kube/goFields';
import type { Kube } from '../../../../kube/kube';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, forbidden, required } from '../errors';

/** What contains a source: a volume of a Pod, or a PersistentVolume. `name` is the volume's. */
export interface SourceHolder {
  readonly kind: 'pod' | 'persistentVolume';
  readonly name: string;
  readonly kube: Kube;
}

/** One type of volume source, with checks that get the `Holder`. */
export interface SourceType<Holder> {
  readonly field: string;
  /** Upstream's path of the error, if the field has another name there. */
  readonly checkedAt?: string;
  readonly forbiddenAt?: string;
  /** Upstream counts this source but never refuses it as one too many. */
  readonly beside?: 'others';
  errors(source: JsonObject, at: FieldPath, holder: Holder): Iterable<FieldError>;
}

/** Exactly one of the types. All but the first, in the order of `types`, are refused. `at` is the holder's path. */
export function* sourceErrors<Holder>(
  types: readonly SourceType<Holder>[],
  of: GoFields,
  holder: Holder,
  at: FieldPath,
): Iterable<FieldError> {
  const present = presentTypes(types, of);
  if (present.length === 0) yield required(at, 'must specify a volume type');
  for (const [i, it] of present.entries()) {
    if (i > 0 && it.beside === undefined) {
      yield forbidden(at.child(it.forbiddenAt ?? it.field), 'may not specify more than 1 volume type');
    } else yield* it.errors(record(of, it.field) ?? {}, at.child(it.checkedAt ?? it.field), holder);
  }
}

/** The types whose fields are there. A volume has few fields, and to look up each type in it takes long. */
export function presentTypes<T extends { readonly field: string }>(types: readonly T[], of: GoFields): readonly T[] {
  const fields = new Set(Object.keys(of ?? {}));
  return types.filter(it => fields.has(it.field) && has(of, it.field));
}
