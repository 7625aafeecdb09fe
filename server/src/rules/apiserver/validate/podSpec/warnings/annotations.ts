import type { FieldPath } from '../../../../../manifest/fieldPath';
import type { JsonObject } from '../../../../../manifest/manifest';
import { has, record, text } from '../../read';
import { containersOf } from '../containerLists';
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

/** Annotations that a field has taken the place of. `at` is the path of the annotations. */
export function annotationWarnings(
  annotations: JsonObject,
  spec: JsonObject,
  at: FieldPath,
  holder: 'pod' | 'template',
): readonly string[] {
  if (Object.keys(annotations).length === 0) return [];
  const told = (key: string, message: string) =>
    Object.hasOwn(annotations, key) ? [`${at.key(key)}: ${message}`] : [];
  const ofPod = record(spec, 'securityContext');
  const podProfile = record(ofPod, 'appArmorProfile');
  // Of a Pod for Windows the server does not read these annotations; of a template it does.
  const readsAppArmor = holder === 'template' || text(record(spec, 'os'), 'name') !== 'windows';
  return [
    ...DEPRECATED.flatMap(([key, message]) => told(key, message)),
    ...(has(ofPod, 'seccompProfile') ? [] : told(SECCOMP_OF_POD, SECCOMP)),
    ...containersOf(spec, at).flatMap(({ container }) => {
      const name = text(container, 'name');
      const context = record(container, 'securityContext');
      const key = `${APP_ARMOR_PREFIX}${name}`;
      const isAside = !readsAppArmor || has(context, 'appArmorProfile') || saysTheSame(annotations, key, podProfile);
      return [
        ...(has(context, 'seccompProfile') ? [] : told(`${SECCOMP_PREFIX}${name}`, SECCOMP)),
        ...(isAside ? [] : told(key, APP_ARMOR)),
      ];
    }),
  ];
}

function saysTheSame(annotations: JsonObject, key: string, profile: JsonObject | undefined): boolean {
  const said = appArmorProfile(text(annotations, key));
  if (said === undefined || profile === undefined) return false;
  return ['type', 'localhostProfile'].every(it => text(said, it) === text(profile, it));
}
