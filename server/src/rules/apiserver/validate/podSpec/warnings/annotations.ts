import type { JsonObject } from '../../../../../base/json';
import { has, record, text } from '../../../../../kube/goFields';
import type { FieldPath } from '../../../../../manifest/fieldPath';
import { applies } from '../../../../minors/minorChange';
import { minorChanges } from '../../../../minors/minorChanges';
import type { Validation } from '../../errors';
import { annotationsOf } from '../../shared/labels';
import { containersOf } from '../containers/containerLists';
import { APP_ARMOR_PREFIX, appArmorProfile } from '../prepare';

const DEPRECATED: readonly (readonly [string, string])[] = [
  ['scheduler.alpha.kubernetes.io/critical-pod', 'non-functional in v1.16+; use the "priorityClassName" field instead'],
  ['security.alpha.kubernetes.io/sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
  ['security.alpha.kubernetes.io/unsafe-sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
];

const SECCOMP = 'non-functional in v1.27+; use the "seccompProfile" field instead';
const SECCOMP_OF_POD = 'seccomp.security.alpha.kubernetes.io/pod';
const SECCOMP_PREFIX = 'container.seccomp.security.alpha.kubernetes.io/';
const APP_ARMOR = 'deprecated since v1.30; use the "appArmorProfile" field instead';

interface Annotated {
  readonly template: JsonObject;
  readonly spec: JsonObject;
  readonly holder: 'pod' | 'template';
  readonly validation: Validation;
}

/** Annotations that a field has replaced. `at` is the path of the annotations. */
export function annotationWarnings(of: Annotated, at: FieldPath): readonly string[] {
  const annotations = annotationsOf(of.template);
  if (Object.keys(annotations).length === 0) return [];
  const replacedBy = (key: string, message: string) =>
    Object.hasOwn(annotations, key) ? [`${at.key(key)}: ${message}`] : [];
  const ofPod = record(of.spec, 'securityContext');
  return [
    ...DEPRECATED.flatMap(([key, message]) => replacedBy(key, message)),
    ...(has(ofPod, 'seccompProfile') ? [] : replacedBy(SECCOMP_OF_POD, SECCOMP)),
    ...containersOf(of.spec, at).flatMap(({ container }) => {
      const name = text(container, 'name');
      const isReplaced = has(record(container, 'securityContext'), 'seccompProfile');
      return [
        ...(isReplaced ? [] : replacedBy(`${SECCOMP_PREFIX}${name}`, SECCOMP)),
        ...(readsAppArmor(of, annotations, container) ? replacedBy(`${APP_ARMOR_PREFIX}${name}`, APP_ARMOR) : []),
      ];
    }),
  ];
}

/** Whether the annotation sets a profile that no field sets. */
function readsAppArmor(
  { spec, holder, validation }: Annotated,
  annotations: JsonObject,
  container: JsonObject,
): boolean {
  const profile = record(record(spec, 'securityContext'), 'appArmorProfile');
  if (has(record(container, 'securityContext'), 'appArmorProfile')) return false;
  // In a Pod for Windows the server ignores these annotations; in a template it does not.
  if (holder === 'pod' && text(record(spec, 'os'), 'name') === 'windows') return false;
  if (holder === 'template' && profile !== undefined && !applies(minorChanges.appArmorComparedWithPod, validation.kube))
    return false;
  return !saysTheSame(annotations, `${APP_ARMOR_PREFIX}${text(container, 'name')}`, profile);
}

function saysTheSame(annotations: JsonObject, key: string, profile: JsonObject | undefined): boolean {
  const said = appArmorProfile(text(annotations, key));
  if (said === undefined || profile === undefined) return false;
  return ['type', 'localhostProfile'].every(it => text(said, it) === text(profile, it));
}
