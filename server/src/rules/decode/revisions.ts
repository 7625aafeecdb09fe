import { asObject, type JsonObject } from '../../base/json';
import type { KindInfo } from '../../kube/kube';
import { FieldPath } from '../../manifest/fieldPath';
import { fits, type Mismatch } from './decode';

/** Annotations that the API server converts to integer fields of old API versions before it validates anything. */
const REVISIONS: Readonly<Record<string, string>> = {
  'apps/Deployment': 'deprecated.deployment.rollback.to',
  'apps/DaemonSet': 'deprecated.daemonset.template.generation',
};

/**
 * The annotation of a Deployment or DaemonSet that should be an integer and is not. Upstream:
 * Convert_v1_Deployment_To_apps_Deployment, for which an empty text is no integer, and
 * Convert_v1_DaemonSet_To_apps_DaemonSet.
 */
export function revisionMismatch(value: JsonObject, { group, kind }: KindInfo): readonly Mismatch[] {
  const name = REVISIONS[`${group}/${kind}`];
  if (name === undefined) return [];
  const annotation = asObject(asObject(value.metadata)?.annotations)?.[name];
  // Go decodes null as an empty text.
  const written = annotation === null ? '' : annotation;
  if (typeof written !== 'string' || (kind === 'Deployment' && written === '')) return [];
  if (/^[+-]?[0-9]+$/.test(written) && fits(BigInt(written.replace('+', '')), 'int64')) return [];
  const at = FieldPath.of('metadata', 'annotations', { key: name });
  return [{ what: 'mismatch', at, printed: at.toString(), wanted: 'int64', value: written }];
}
