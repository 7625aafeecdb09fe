import type { JsonObject, JsonValue } from '../../../../base/json';
import { repeatedAt } from '../../../../base/repeated';
import { flag, record, records, text } from '../../../../kube/goFields';
import { type GoShape, unmarshal } from '../../../../kube/goJson';
import { labelValueErrors } from '../../../../kube/names';
import { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, invalid, notAmong, required } from '../errors';
import { validateLabelName } from '../metadata';

const ANNOTATIONS = FieldPath.of('metadata', 'annotations');
const TAINTS_ANNOTATION = 'scheduler.alpha.kubernetes.io/taints';
const AVOID_ANNOTATION = 'scheduler.alpha.kubernetes.io/preferAvoidPods';
const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Upstream: validateNodeTaints. */
export function* validateTaints(taints: readonly JsonObject[], list: FieldPath): Iterable<FieldError> {
  const repeated = repeatedAt(taints.map(it => JSON.stringify([text(it, 'key'), text(it, 'effect')])));
  for (const [i, taint] of taints.entries()) {
    const at = list.index(i);
    const value = text(taint, 'value');
    const effect = text(taint, 'effect');
    yield* validateLabelName(text(taint, 'key'), at.child('key'));
    const wrong = labelValueErrors(value);
    if (wrong.length > 0) yield invalid(at.child('value'), value, wrong.join(';'));
    if (effect === '') yield required(at.child('effect'));
    else if (!effects.includes(effect)) yield notAmong(at.child('effect'), effect, effects);
    if (repeated.has(i)) {
      const detail = 'taints must be unique by key and effect pair';
      yield { type: 'FieldValueDuplicate', at, detail, value: taint };
    }
  }
}

const string: GoShape = { kind: 'string' };

const taintsShape: GoShape = {
  kind: 'list',
  go: '[]core.Taint',
  items: {
    kind: 'struct',
    go: 'core.Taint',
    fields: { key: string, value: string, effect: string, timeAdded: { kind: 'time' } },
  },
};

const controllerShape: GoShape = {
  kind: 'struct',
  go: 'v1.OwnerReference',
  fields: {
    apiVersion: string,
    kind: string,
    name: string,
    uid: string,
    controller: { kind: 'bool' },
    blockOwnerDeletion: { kind: 'bool' },
  },
};

const avoidShape: GoShape = {
  kind: 'struct',
  go: 'v1.AvoidPods',
  fields: {
    preferAvoidPods: {
      kind: 'list',
      go: '[]v1.PreferAvoidPodsEntry',
      items: {
        kind: 'struct',
        go: 'v1.PreferAvoidPodsEntry',
        fields: {
          podSignature: { kind: 'struct', go: 'v1.PodSignature', fields: { podController: controllerShape } },
          evictionTime: { kind: 'time' },
          reason: string,
          message: string,
        },
      },
    },
  },
};

/** The JSON in old annotations of a Node. Upstream: ValidateNodeSpecificAnnotations. */
export function* validateNodeAnnotations(annotations: JsonObject): Iterable<FieldError> {
  const taints = text(annotations, TAINTS_ANNOTATION);
  if (taints !== '') {
    const read = unmarshal(taints, taintsShape);
    if ('error' in read) yield invalid(ANNOTATIONS, TAINTS_ANNOTATION, read.error);
    else yield* validateTaints(records({ taints: read.value }, 'taints'), ANNOTATIONS.child(TAINTS_ANNOTATION));
  }
  const avoid = text(annotations, AVOID_ANNOTATION);
  if (avoid === '') return;
  const read = unmarshal(avoid, avoidShape);
  if ('error' in read) yield invalid(ANNOTATIONS.child('AvoidPods'), AVOID_ANNOTATION, read.error);
  else yield* validateAvoidPods(read.value);
}

function* validateAvoidPods(avoid: JsonValue): Iterable<FieldError> {
  for (const [i, entry] of records(record({ avoid }, 'avoid'), 'preferAvoidPods').entries()) {
    const at = ANNOTATIONS.child(AVOID_ANNOTATION).index(i).child('PodSignature');
    const controller = record(record(entry, 'podSignature'), 'podController');
    if (controller === undefined) yield required(at);
    else if (flag(controller, 'controller') === false) {
      yield invalid(at.child('PodController', 'Controller'), false, 'must point to a controller');
    }
  }
}
