import { asObject } from '../../../../base/json';
import { get } from '../../../../kube/goFields';
import { FieldPath } from '../../../../manifest/fieldPath';
import { type KindStrategy, required } from '../errors';
import { validateKindMeta } from '../kindMeta';
import { nonNegative } from '../shared/checks';

/** Upstream: apps validation.ValidateControllerRevisionCreate. */
export const controllerRevisionStrategy: KindStrategy = {
  *validate(object) {
    yield* validateKindMeta(object, 'apps/ControllerRevision');
    yield* nonNegative(object, 'revision', FieldPath.root);
    const data = get(object, 'data');
    const at = FieldPath.of('data');
    if (data === undefined) yield required(at, 'data is mandatory');
    else if (asObject(data) === undefined) yield required(at, 'data must be a valid JSON object');
  },
};
