import { dns1123LabelErrors } from '../../../../kube/names';
import type { FieldPath } from '../../../../manifest/fieldPath';
import type { JsonObject } from '../../../../manifest/manifest';
import { annotationsOf } from '../core/labels';
import type { Validation } from '../errors';
import { nameOf } from '../metadata';
import { int, record } from '../read';
import { annotationWarnings } from './warnings/annotations';
import { containerWarnings } from './warnings/containers';
import { networkWarnings } from './warnings/network';
import { portWarnings } from './warnings/ports';
import { schedulingWarnings } from './warnings/scheduling';
import { virtualPathWarnings } from './warnings/virtualPaths';
import { volumeWarnings } from './warnings/volumes';

/**
 * The server's warnings of a Pod or a template (an object with `metadata` and `spec`). `at` is the template's path, empty
 * for a Pod. Upstream: podStrategy.WarningsOnCreate, pkg/api/pod.GetWarningsForPod, GetWarningsForPodTemplate.
 */
export function podWarnings(
  template: JsonObject,
  at: FieldPath,
  holder: 'pod' | 'template',
  validation: Validation,
): readonly string[] {
  const spec = record(template, 'spec') ?? {};
  const specPath = at.child('spec');
  return [
    ...(holder === 'pod' ? hostnameWarnings(nameOf(record(template, 'metadata'))) : []),
    ...schedulingWarnings(spec, specPath),
    ...annotationWarnings(annotationsOf(template), spec, at.child('metadata', 'annotations'), holder),
    ...volumeWarnings(spec, specPath.child('volumes'), validation),
    ...virtualPathWarnings(spec),
    ...containerWarnings(spec, specPath),
    ...portWarnings(spec, specPath),
    ...graceWarnings(spec, specPath.child('terminationGracePeriodSeconds')),
    ...networkWarnings(spec, specPath),
  ];
}

function hostnameWarnings(name: string): readonly string[] {
  const errors = dns1123LabelErrors(name);
  if (errors.length === 0) return [];
  return [
    `metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [${errors.join(' ')}]`,
  ];
}

function graceWarnings(spec: JsonObject, at: FieldPath): readonly string[] {
  if (int(spec, 'terminationGracePeriodSeconds') >= 0) return [];
  return [`${at}: must be >= 0; negative values are invalid and will be treated as 1`];
}
