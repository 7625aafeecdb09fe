import type { JsonObject } from '../../../../base/json';
import { record, records } from '../../../../kube/goFields';
import { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, forbidden, type KindStrategy, type Validation } from '../errors';
import { validateAnnotations, validateLabels, validateNameFn, validateObjectMeta } from '../metadata';
import { defaultTemplate } from '../podSpec/defaults';
import { validateAnnotationsMatchFields, validatePodAnnotations } from '../podSpec/podMeta';
import { validatePodSpec } from '../podSpec/podSpec';
import { podWarnings } from '../podSpec/warnings';
import { dropOfTemplate } from './parts';

/** Upstream: core validation.ValidatePodTemplateSpec. */
export function* validatePodTemplateSpec(
  template: JsonObject,
  at: FieldPath,
  validation: Validation,
): Iterable<FieldError> {
  const metadata = record(template, 'metadata');
  const spec = record(template, 'spec') ?? {};
  yield* validateLabels(metadata, 'labels', at.child('labels'));
  yield* validateAnnotations(metadata, at.child('annotations'));
  yield* validatePodAnnotations(metadata, spec, at.child('annotations'), validation);
  yield* validatePodSpec(spec, at.child('spec'), validation, 'template');
  yield* validateAnnotationsMatchFields(metadata, spec, at.child('spec'));
  if (records(spec, 'ephemeralContainers').length > 0) {
    yield forbidden(at.child('spec', 'ephemeralContainers'), 'ephemeral containers not allowed in pod template');
  }
}

const TEMPLATE = FieldPath.of('template');
const templateOf = (it: JsonObject): JsonObject => record(it, 'template') ?? {};

/** Upstream: pkg/registry/core/podtemplate. */
export const podTemplateStrategy: KindStrategy = {
  defaults: it => ({ ...it, template: defaultTemplate(templateOf(it)) }),
  drop: (it, validation) => dropOfTemplate(it, ['template'], validation),
  validate: (it, validation) => [
    ...validateObjectMeta(it, 'namespaced', validateNameFn.subdomain),
    ...validatePodTemplateSpec(templateOf(it), TEMPLATE, validation),
  ],
  warn: (it, validation) => podWarnings(templateOf(it), TEMPLATE, 'template', validation),
};
