import type { JsonObject } from '../../../../base/json';
import { int, record } from '../../../../kube/goFields';
import { dns1123LabelErrors } from '../../../../kube/names';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { applies, type MinorChange } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';
import type { Validation, Warning } from '../errors';
import { nameOf } from '../metadata';
import { annotationWarnings } from './warnings/annotations';
import { containerWarnings } from './warnings/containers';
import { addressWarnings, repetitionWarnings } from './warnings/network';
import { portNameWarnings, portsOf, portWarnings } from './warnings/ports';
import { preferredValueWarnings, schedulingWarnings } from './warnings/scheduling';
import { virtualPathWarnings } from './warnings/virtualPaths';
import { volumeWarnings } from './warnings/volumes';

/**
 * The API server's warnings for a Pod or a template (an object with `metadata` and `spec`). `at` is the template's
 * path, empty for a Pod. Upstream: podStrategy.WarningsOnCreate, pkg/api/pod.GetWarningsForPod,
 * GetWarningsForPodTemplate.
 */
export function podWarnings(
  template: JsonObject,
  at: FieldPath,
  holder: 'pod' | 'template',
  validation: Validation,
): readonly Warning[] {
  const spec = record(template, 'spec') ?? {};
  const specPath = at.child('spec');
  const ports = portsOf(spec, specPath);
  const since = (change: MinorChange, warnings: () => readonly Warning[]) =>
    applies(change, validation.kube) ? warnings() : [];
  return [
    ...(holder === 'pod' ? hostnameWarnings(nameOf(record(template, 'metadata'))) : []),
    ...schedulingWarnings(spec, specPath),
    ...since(minorChanges.preferredTermValues, () => preferredValueWarnings(spec, specPath, validation.kube)),
    ...annotationWarnings({ template, spec, holder, validation }, at.child('metadata', 'annotations')),
    ...volumeWarnings(spec, specPath.child('volumes'), validation),
    ...since(minorChanges.virtualPaths, () => virtualPathWarnings(spec)),
    ...containerWarnings(spec, specPath),
    ...portWarnings(ports),
    ...since(minorChanges.portNames, () => portNameWarnings(ports)),
    ...graceWarnings(spec, specPath.child('terminationGracePeriodSeconds')),
    ...repetitionWarnings(spec, specPath),
    ...since(minorChanges.addressWarnings, () => addressWarnings(spec, specPath, validation.kube)),
  ];
}

function hostnameWarnings(name: string): readonly string[] {
  const errors = dns1123LabelErrors(name);
  if (name === '' || errors.length === 0) return [];
  return [
    `metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [${errors.join(' ')}]`,
  ];
}

function graceWarnings(spec: JsonObject, at: FieldPath): readonly string[] {
  if (int(spec, 'terminationGracePeriodSeconds') >= 0) return [];
  return [`${at}: must be >= 0; negative values are invalid and will be treated as 1`];
}
