import { asInteger, type UnknownObject } from '../../../base/json';
import { t } from '../../../base/l10n';
import { largest } from '../../../base/manyItems';
import { refOf } from '../../../scheduler/whatIf/edits';
import { TEMPLATE_SPEC } from '../template';
import { adding, type Cure, changing, titleOfObject, together } from './cure';

/** A class above all others for the Pods of an object, so that they are placed first and, unless `policy` is Never, take the room of others. */
export function priorityCure(
  object: UnknownObject,
  objects: readonly UnknownObject[],
  policy: 'PreemptLowerPriority' | 'Never' = 'PreemptLowerPriority',
): Cure {
  const classes = objects.filter(it => it.kind === 'PriorityClass');
  const name = `${refOf(object).name}-first`;
  const value = Math.max(0, largest(classes.map(it => asInteger(it.value) ?? 0))) + 1000;
  const added = {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name },
    value,
    ...(policy === 'Never' && { preemptionPolicy: policy }),
  };
  const at = object.kind === 'Pod' ? ['spec'] : TEMPLATE_SPEC;
  const title =
    policy === 'Never'
      ? t`give ${titleOfObject(object)} the priority ${value} and no preemption, so that its Pods come first`
      : t`give ${titleOfObject(object)} the priority ${value}, so that its Pods come first`;
  return together(title, [adding('', added), changing('', object, [...at, 'priorityClassName'], name)]);
}
