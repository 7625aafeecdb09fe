import { asObject, type JsonObject } from '../../base/json';
import { inField, without } from './fields';

/**
 * Workloads of extensions/v1beta1 and apps/v1beta1. Their selector was the labels of the template where none was written;
 * apps/v1 requires it. Upstream: apps/v1beta1 SetDefaults_Deployment, extensions/v1beta1 SetDefaults_DaemonSet.
 */
export function workload(value: JsonObject): JsonObject {
  return inField(value, 'spec', spec => {
    const kept = without(spec, 'rollbackTo', 'templateGeneration');
    const labels = asObject(asObject(asObject(spec.template)?.metadata)?.labels);
    const isSelected = spec.selector !== undefined && spec.selector !== null;
    if (isSelected || labels === undefined || Object.keys(labels).length === 0) return kept;
    return { ...kept, selector: { matchLabels: labels } };
  });
}
