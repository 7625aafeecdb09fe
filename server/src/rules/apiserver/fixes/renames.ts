import { asList, asObject, type JsonValue } from '../../../base/json';
import { t } from '../../../base/l10n';
import type { FieldPath } from '../../../manifest/fieldPath';
import { valueAt } from '../../../manifest/valueAt';
import { scalarText } from '../../edits/yamlText';
import type { Fix } from '../../framework/problem';
import { nounOf } from '../messages/nouns';
import type { FixableError } from './fieldChanges';

/** Renames an item and all references to it in the Pod; empty if another item of the list already has the new name. */
export function renamesTo(name: string, { at, target, edit }: FixableError): readonly Fix[] {
  const { object, value: root } = target;
  const old = valueAt(root, at);
  const list = at.parent?.parent;
  const isNameOfItem = at.segments.at(-1) === 'name' && typeof at.segments.at(-2) === 'number';
  if (isNameOfItem && list !== undefined && asList(valueAt(root, list)).some(it => asObject(it)?.name === name))
    return [];
  const others = isNameOfItem && list !== undefined ? referencesTo(old, list, root) : [];
  const title =
    others.length === 0
      ? t`Change to ${name}`
      : t`Rename the ${nounOf(list ?? at)} entry to ${name}, here and where it is used`;
  return [
    { title, safety: 'unsafe', edits: [at, ...others].map(it => edit.replaceValue(object, it, scalarText(name))) },
  ];
}

/** The fields of the same PodSpec that refer to an item of a list by name. */
const USERS: Readonly<Record<string, readonly string[]>> = {
  volumes: ['volumeMounts', 'volumeDevices'],
  resourceClaims: ['claims'],
};

function referencesTo(name: JsonValue | undefined, list: FieldPath, root: JsonValue): readonly FieldPath[] {
  const spec = list.parent;
  const users = USERS[String(list.segments.at(-1))];
  if (spec === undefined || users === undefined) return [];
  const containers = ['containers', 'initContainers', 'ephemeralContainers'].flatMap(it => {
    const at = spec.child(it);
    return asList(valueAt(root, at)).map((_, i) => at.index(i));
  });
  return containers.flatMap(container =>
    users.flatMap(user => {
      const at = user === 'claims' ? container.child('resources', user) : container.child(user);
      return asList(valueAt(root, at)).flatMap((it, i) =>
        asObject(it)?.name === name ? [at.index(i).child('name')] : [],
      );
    }),
  );
}
