import { FieldPath } from '../../../../manifest/fieldPath';
import type { JsonObject } from '../../../../manifest/manifest';
import { type FieldError, forbidden, type KindStrategy, type Validation } from '../errors';
import { validateAnnotations, validateLabels, validateNameFn, validateObjectMeta } from '../metadata';
import { defaultTemplate } from '../podSpec/defaults';
import { validatePodSpec } from '../podSpec/podSpec';
import { record, records } from '../read';

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
  yield* validatePodSpec(spec, at.child('spec'), validation, 'template');
  if (records(spec, 'ephemeralContainers').length > 0) {
    yield forbidden(at.child('spec', 'ephemeralContainers'), 'ephemeral containers not allowed in pod template');
  }
}

/** Upstream: pkg/registry/core/podtemplate. */
export const podTemplateStrategy: KindStrategy = {
  defaults: it => ({ ...it, template: defaultTemplate(record(it, 'template') ?? {}) }),
  validate: (it, validation) => [
    ...validateObjectMeta(it, 'namespaced', validateNameFn.subdomain),
    ...validatePodTemplateSpec(record(it, 'template') ?? {}, FieldPath.of('template'), validation),
  ],
};
