import { asObject, type JsonObject } from '../../base/json';
import { inField, inItems, renamed, without } from './fields';

/** Workload and PodGroup of scheduling.k8s.io: v1alpha1 (1.35) and v1alpha2 (1.36) to what followed them. */

export function workloadOfAlpha1(value: JsonObject): JsonObject {
  return inField(value, 'spec', spec =>
    inItems(renamed(spec, 'podGroups', 'podGroupTemplates'), 'podGroupTemplates', it =>
      renamed(it, 'policy', 'schedulingPolicy'),
    ),
  );
}

export function workloadOfAlpha2(value: JsonObject): JsonObject {
  return inField(value, 'spec', spec => inItems(spec, 'podGroupTemplates', withMode));
}

export function podGroupOfAlpha2(value: JsonObject): JsonObject {
  return inField(value, 'spec', spec => {
    const workload = asObject(asObject(spec.podGroupTemplateRef)?.workload);
    const own = withMode(spec);
    if (workload === undefined) return own;
    const workloadRef = renamed(workload, 'podGroupTemplateName', 'templateName');
    return { ...without(own, 'podGroupTemplateRef'), workloadRef };
  });
}

/** The mode was a word, Pod or PodGroup. */
function withMode(it: JsonObject): JsonObject {
  if (it.disruptionMode === 'Pod') return { ...it, disruptionMode: { single: {} } };
  return it.disruptionMode === 'PodGroup' ? { ...it, disruptionMode: { all: {} } } : it;
}
