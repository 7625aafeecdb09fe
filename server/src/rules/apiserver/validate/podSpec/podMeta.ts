import type { JsonObject } from '../../../../base/json';
import { lazy } from '../../../../base/lazy';
import { get, optionalText, record, records, text, textEntries } from '../../../../kube/goFields';
import { type GoShape, unmarshal } from '../../../../kube/goJson';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, forbidden, invalid, type Validation } from '../errors';
import { descendingPath } from '../shared/checks';
import { containersOf } from './containers/containerLists';
import { APP_ARMOR_PREFIX } from './prepare';
import { validateTolerations } from './scheduling';

export const MIRROR_ANNOTATION = 'kubernetes.io/config.mirror';
const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';
const TOLERATIONS = 'scheduler.alpha.kubernetes.io/tolerations';
const SECCOMP = 'seccomp.security.alpha.kubernetes.io/pod';
const SECCOMP_PREFIX = 'container.seccomp.security.alpha.kubernetes.io/';

/**
 * Errors of annotations that have a meaning on a Pod (seccomp, AppArmor, deletion cost, …); `at` is the path of
 * `annotations`. Upstream: core validation.ValidatePodSpecificAnnotations.
 */
export function* validatePodAnnotations(
  metadata: JsonObject | undefined,
  spec: JsonObject,
  at: FieldPath,
  validation: Validation,
): Iterable<FieldError> {
  const annotations = record(metadata, 'annotations');
  const mirror = optionalText(annotations, MIRROR_ANNOTATION);
  if (mirror !== undefined && text(spec, 'nodeName') === '') {
    yield invalid(at.key(MIRROR_ANNOTATION), mirror, 'must set spec.nodeName if mirror pod annotation is set');
  }
  yield* validateWrittenTolerations(text(annotations, TOLERATIONS), at, validation);
  const cost = optionalText(annotations, DELETION_COST);
  if (cost !== undefined && validation.isOn('PodDeletionCost') && !isInt32(cost)) {
    yield invalid(at.key(DELETION_COST), cost, 'must be a 32bit integer');
  }
  const names = lazy(() => new Set(containersOf(spec, at).map(it => text(it.container, 'name'))));
  for (const [key, value] of textEntries(metadata, 'annotations')) {
    if (key === SECCOMP || key.startsWith(SECCOMP_PREFIX)) yield* validateSeccompProfile(value, at.child(key));
    if (key.startsWith(APP_ARMOR_PREFIX)) yield* validateAppArmorAnnotation(key, value, names, at.key(key));
  }
}

/** An int32 without plus sign and leading zeros. Upstream: core helper.GetDeletionCostFromPodAnnotations. */
function isInt32(text: string): boolean {
  return /^(0|[1-9][0-9]*|-[0-9]+)$/.test(text) && Number(text) === (Number(text) | 0);
}

/** The internal type, whose fields have no JSON names of their own. */
const TOLERATION_LIST: GoShape = {
  kind: 'list',
  go: '[]core.Toleration',
  items: {
    kind: 'struct',
    go: 'core.Toleration',
    fields: {
      Key: { kind: 'string' },
      Operator: { kind: 'string', go: 'core.TolerationOperator' },
      Value: { kind: 'string' },
      Effect: { kind: 'string', go: 'core.TaintEffect' },
      TolerationSeconds: { kind: 'int64' },
    },
  },
};

/** Upstream: core validation.ValidateTolerationsInPodAnnotations. */
function* validateWrittenTolerations(json: string, at: FieldPath, validation: Validation): Iterable<FieldError> {
  if (json === '') return;
  const read = unmarshal(json, TOLERATION_LIST);
  if ('error' in read) {
    yield invalid(at, TOLERATIONS, read.error);
    return;
  }
  const tolerations = records({ tolerations: read.value }, 'tolerations').map(it =>
    Object.fromEntries(Object.entries(it).map(([name, value]) => [name.replace(/^./, c => c.toLowerCase()), value])),
  );
  yield* validateTolerations({ tolerations }, at.child(TOLERATIONS), validation);
}

const SECCOMP_PROFILES = ['runtime/default', 'docker/default', 'unconfined'];

/** Upstream: core validation.ValidateSeccompProfile. */
function* validateSeccompProfile(profile: string, at: FieldPath): Iterable<FieldError> {
  if (SECCOMP_PROFILES.includes(profile)) return;
  if (profile.startsWith('localhost/')) yield* descendingPath(profile.slice('localhost/'.length), at);
  else yield invalid(at, profile, 'must be a valid seccomp profile');
}

/** Upstream: core validation.ValidateAppArmorPodAnnotations. */
function* validateAppArmorAnnotation(
  key: string,
  profile: string,
  namesOfContainers: () => ReadonlySet<string>,
  at: FieldPath,
): Iterable<FieldError> {
  const container = key.slice(APP_ARMOR_PREFIX.length);
  if (!namesOfContainers().has(container)) {
    yield invalid(at, container, 'container not found');
  }
  if (['', 'runtime/default', 'unconfined'].includes(profile) || profile.startsWith('localhost/')) return;
  yield invalid(at, profile, `invalid AppArmor profile name: ${JSON.stringify(profile)}`);
}

/**
 * Errors if an annotation and the field that replaced it differ; `at` is the path of `spec`. Upstream: core
 * validation.validateSeccompAnnotationsAndFields, validateAppArmorAnnotationsAndFieldsMatchOnCreate.
 */
export function* validateAnnotationsMatchFields(
  metadata: JsonObject | undefined,
  spec: JsonObject,
  at: FieldPath,
): Iterable<FieldError> {
  const annotations = record(metadata, 'annotations');
  if (annotations === undefined) return;
  const ofPod = record(spec, 'securityContext');
  const contexts = containersOf(spec, at).map(it => ({
    name: text(it.container, 'name'),
    context: record(it.container, 'securityContext'),
    at: it.at.child('securityContext'),
  }));
  const seccomp = { context: ofPod, at: at.child('securityContext'), key: SECCOMP };
  for (const it of [seccomp, ...contexts.map(it => ({ ...it, key: `${SECCOMP_PREFIX}${it.name}` }))]) {
    const profile = record(it.context, 'seccompProfile');
    yield* validateMatch(optionalText(annotations, it.key), profile, it.at.child('seccompProfile'), 'seccomp');
  }
  if (text(record(spec, 'os'), 'name') === 'windows') return;
  for (const it of contexts) {
    const profile = record(it.context, 'appArmorProfile') ?? record(ofPod, 'appArmorProfile');
    const annotation = optionalText(annotations, `${APP_ARMOR_PREFIX}${it.name}`);
    yield* validateMatch(annotation, profile, it.at.child('appArmorProfile'), 'apparmor');
  }
}

const RUNTIME_DEFAULT = { seccomp: ['runtime/default', 'docker/default'], apparmor: ['runtime/default'] };

/** Upstream: core validation.validateSeccompAnnotationsAndFieldsMatch; its counterpart for AppArmor does the same. */
function* validateMatch(
  annotation: string | undefined,
  profile: JsonObject | undefined,
  at: FieldPath,
  of: 'seccomp' | 'apparmor',
): Iterable<FieldError> {
  if (annotation === undefined || profile === undefined) return;
  const says = {
    Unconfined: annotation === 'unconfined',
    RuntimeDefault: RUNTIME_DEFAULT[of].includes(annotation),
    Localhost: annotation.startsWith('localhost/'),
  }[text(profile, 'type')];
  if (says === false) yield forbidden(at.child('type'), `${of} type in annotation and field must match`);
  if (says !== true || text(profile, 'type') !== 'Localhost') return;
  if (
    annotation === `localhost/${optionalText(profile, 'localhostProfile') ?? ''}` &&
    get(profile, 'localhostProfile') !== undefined
  )
    return;
  yield forbidden(at.child('localhostProfile'), `${of} profile in annotation and field must match`);
}
