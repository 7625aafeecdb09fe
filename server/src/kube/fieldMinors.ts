import { t } from '../base/l10n';
import type { FieldLife, Kube } from './kube';

/** Fields that came in place of another one, as [definition, before, after]. Upstream: the types of these minors. */
const RENAMED: readonly (readonly [definition: string, before: string, after: string])[] = [
  ['io.k8s.api.core.v1.PodSpec', 'workloadRef', 'schedulingGroup'],
  ['io.k8s.api.resource.v1.Device', 'nodeAllocatableResourceMappings', 'nodeAllocatableResources'],
  ['io.k8s.api.resource.v1beta1.BasicDevice', 'nodeAllocatableResourceMappings', 'nodeAllocatableResources'],
  ['io.k8s.api.resource.v1beta2.Device', 'nodeAllocatableResourceMappings', 'nodeAllocatableResources'],
];

/**
 * Which minors have a field, with the field that other minors have in its place: "1.35 only; 1.36 and later:
 * schedulingGroup". Undefined: all of them have it, or none does.
 */
export function minorsOfField(kube: Kube, definition: string, field: string): string | undefined {
  const minors = minorsInWords(kube.fieldLife(definition, field));
  if (minors === undefined) return undefined;
  const other = otherName(definition, field);
  const ofOther = other === undefined ? undefined : minorsInWords(kube.fieldLife(definition, other));
  return ofOther === undefined ? minors : `${minors}; ${ofOther}: ${other}`;
}

function minorsInWords(life: FieldLife | undefined): string | undefined {
  const { first, last } = life ?? {};
  if (first === undefined) return last && t`${last} and earlier`;
  if (last === undefined) return t`${first} and later`;
  return first === last ? t`${first} only` : t`${first} to ${last}`;
}

function otherName(definition: string, field: string): string | undefined {
  const row = RENAMED.find(it => it[0] === definition && it.includes(field, 1));
  return row && (row[1] === field ? row[2] : row[1]);
}
