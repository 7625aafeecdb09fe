import type { JsonObject } from '../../../../base/json';
import {
  get,
  mapField,
  mapItems,
  optionalInt,
  record,
  records,
  text,
  withDefaults,
  without,
} from '../../../../kube/goFields';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { applies } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';
import { type FieldError, invalid, type KindStrategy, notAmong, type Validation } from '../errors';
import { atMostAll, intOrPercent } from '../intOrPercent';
import { validateAnnotations, validateLabels, validateNameFn, validateObjectMeta } from '../metadata';
import { validatePodAnnotations } from '../podSpec/podMeta';
import { claimSpecDefaults, claimSpecErrors, claimSpecWarnings } from '../storage/claim';
import {
  dropOfWorkload,
  isBrokenSelector,
  nonNegative,
  requiredSelector,
  SPEC,
  selectorMatches,
  specOf,
  TEMPLATE,
  templateOf,
  templateWarnings,
  withMissing,
  withSpec,
} from './parts';
import { validatePodTemplateSpec } from './podTemplate';
import { amountOf, mustRunForever } from './rollout';

/** Upstream: apps validation.ValidateStatefulSet. */
export const statefulSetStrategy: KindStrategy = {
  defaults: (it, validation) =>
    withSpec(it, spec =>
      withDefaults(
        {
          ...mapItems(spec, 'volumeClaimTemplates', claim => ({ ...claim, spec: claimSpecDefaults(specOf(claim)) })),
          updateStrategy: updateDefaults(record(spec, 'updateStrategy') ?? {}, validation),
          persistentVolumeClaimRetentionPolicy: withDefaults(
            record(spec, 'persistentVolumeClaimRetentionPolicy') ?? {},
            { whenDeleted: 'Retain', whenScaled: 'Retain' },
          ),
        },
        { podManagementPolicy: 'OrderedReady', replicas: 1, revisionHistoryLimit: 10 },
      ),
    ),
  drop: dropOfWorkload,
  validate: (it, validation) => [
    ...validateObjectMeta(it, 'namespaced', validateNameFn.label),
    ...validateStatefulSetSpec(specOf(it), validation),
  ],
  warn: (it, validation) => [...templateWarnings(it, validation), ...statefulSetWarnings(specOf(it), validation)],
};

function updateDefaults(strategy: JsonObject, validation: Validation): JsonObject {
  const typed = text(strategy, 'type') === '' ? { rollingUpdate: {}, ...strategy, type: 'RollingUpdate' } : strategy;
  if (text(typed, 'type') !== 'RollingUpdate') return typed;
  const unavailable = validation.isOn('MaxUnavailableStatefulSet') ? { maxUnavailable: 1 } : {};
  return mapField(typed, 'rollingUpdate', it => withMissing(it, { partition: 0, ...unavailable }));
}

/** Upstream: statefulSetStrategy.WarningsOnCreate; the path of a claim's warning lacks its `spec`. */
function statefulSetWarnings(spec: JsonObject, { kube }: Validation): readonly string[] {
  const claims = records(spec, 'volumeClaimTemplates').flatMap((claim, i) =>
    claimSpecWarnings(specOf(claim), SPEC.child('volumeClaimTemplates').index(i)),
  );
  if ((optionalInt(spec, 'revisionHistoryLimit') ?? 0) >= 0) return claims;
  if (!applies(minorChanges.statefulSetHistoryWarning, kube)) return claims;
  const advice = 'a negative value retains all historical revisions; a value >= 0 is recommended';
  return [...claims, `spec.revisionHistoryLimit: ${advice}`];
}

/** Upstream: apps validation.ValidateStatefulSetSpec. */
function* validateStatefulSetSpec(spec: JsonObject, validation: Validation): Iterable<FieldError> {
  const policy = text(spec, 'podManagementPolicy');
  if (policy !== 'OrderedReady' && policy !== 'Parallel') {
    yield invalid(SPEC.child('podManagementPolicy'), policy, "must be 'OrderedReady' or 'Parallel'");
  }
  yield* validateStatefulSetUpdate(record(spec, 'updateStrategy') ?? {}, SPEC.child('updateStrategy'), validation);
  yield* validateRetention(record(spec, 'persistentVolumeClaimRetentionPolicy'));
  const claims = applies(minorChanges.statefulSetClaims, validation.kube) ? records(spec, 'volumeClaimTemplates') : [];
  for (const [i, claim] of claims.entries()) {
    yield* claimSpecErrors(specOf(claim), SPEC.child('volumeClaimTemplates').index(i).child('spec'), validation.kube);
  }
  yield* nonNegative(spec, ['replicas', 'minReadySeconds'], SPEC);
  yield* nonNegative(record(spec, 'ordinals') ?? {}, ['start'], SPEC.child('ordinals'));
  yield* validateServiceName(text(spec, 'serviceName'), validation);
  yield* requiredSelector(spec, 'statefulset');
  if (isBrokenSelector(spec)) yield invalid(SPEC.child('selector'), get(spec, 'selector') ?? null, '');
  else yield* templateOfStatefulSet(spec, validation);
  yield* mustRunForever(spec, 'StatefulSet');
}

function* validateServiceName(service: string, { kube }: Validation): Iterable<FieldError> {
  if (service === '' || !applies(minorChanges.statefulSetServiceName, kube)) return;
  for (const it of validateNameFn.label(service)) yield invalid(SPEC.child('serviceName'), service, it);
}

/** Upstream: apps validation.ValidatePodTemplateSpecForStatefulSet, which checks labels and annotations twice. */
function* templateOfStatefulSet(spec: JsonObject, validation: Validation): Iterable<FieldError> {
  const template = templateOf(spec);
  const metadata = record(template, 'metadata');
  yield* selectorMatches(spec);
  if (applies(minorChanges.statefulSetTemplate, validation.kube)) {
    yield* validatePodTemplateSpec({ ...template, spec: podOfStatefulSet(spec) }, TEMPLATE, validation);
  }
  yield* validateLabels(metadata, 'labels', TEMPLATE.child('labels'));
  yield* validateAnnotations(metadata, TEMPLATE.child('annotations'));
  yield* validatePodAnnotations(metadata, record(template, 'spec') ?? {}, TEMPLATE.child('annotations'), validation);
}

/** The Pod as the controller creates it: with a volume for each claim template, and without a hostname of its own. */
function podOfStatefulSet(spec: JsonObject): JsonObject {
  const pod = record(templateOf(spec), 'spec') ?? {};
  const names = records(spec, 'volumeClaimTemplates').map(it => text(record(it, 'metadata'), 'name'));
  const claims = new Set(names);
  const volumes = [...claims].map(name => ({ name, persistentVolumeClaim: { claimName: name } }));
  const others = records(pod, 'volumes').filter(it => !claims.has(text(it, 'name')));
  const named = without(without(pod, 'subdomain'), 'hostname');
  return claims.size === 0 ? named : { ...named, volumes: [...volumes, ...others] };
}

function* validateStatefulSetUpdate(strategy: JsonObject, at: FieldPath, validation: Validation): Iterable<FieldError> {
  const type = text(strategy, 'type');
  const rolling = record(strategy, 'rollingUpdate');
  const isRecreateOn = validation.isOn('StatefulSetRecreateStrategy');
  if (type === 'RollingUpdate') {
    if (rolling) yield* validateRolling(rolling, at.child('rollingUpdate'));
  } else if (type === 'OnDelete' || (type === 'Recreate' && isRecreateOn)) {
    if (rolling) yield invalid(at.child('rollingUpdate'), rolling, "only allowed for updateStrategy 'RollingUpdate'");
  } else {
    const choices = isRecreateOn ? "'RollingUpdate', 'OnDelete', or 'Recreate'" : "'RollingUpdate' or 'OnDelete'";
    yield invalid(at, strategy, `must be ${choices}`);
  }
}

/** Upstream: apps validation.validateRollingUpdateStatefulSet. */
function* validateRolling(rolling: JsonObject, at: FieldPath): Iterable<FieldError> {
  yield* nonNegative(rolling, ['partition'], at);
  const unavailable = get(rolling, 'maxUnavailable');
  if (unavailable === undefined) return;
  const atUnavailable = at.child('maxUnavailable');
  yield* intOrPercent(unavailable, atUnavailable);
  if (amountOf(unavailable) === 0) yield invalid(atUnavailable, unavailable, 'cannot be 0');
  yield* atMostAll(unavailable, atUnavailable);
}

function* validateRetention(policy: JsonObject | undefined): Iterable<FieldError> {
  if (policy === undefined) return;
  for (const field of ['whenDeleted', 'whenScaled']) {
    const value = text(policy, field) || 'Retain';
    if (value === 'Retain' || value === 'Delete') continue;
    yield notAmong(SPEC.child('persistentVolumeClaimRetentionPolicy', field), value, ['Retain', 'Delete']);
  }
}
