import type { Field, ObjectSchema, Schema } from '../../kube/kube';

const text: Schema = { type: 'string' };
const flag: Schema = { type: 'boolean' };
const whole: Schema = { type: 'integer', format: 'int64' };
const anything: Schema = { type: 'any' };
const texts: Schema = { type: 'list', items: text };
const textMap: Schema = { type: 'map', values: text };
const list = (items: Schema): Schema => ({ type: 'list', items });

function struct(definition: string, fields: Readonly<Record<string, Schema>>): ObjectSchema {
  const all = Object.entries(fields).map(([name, schema]): [string, Field] => [
    name,
    { name, schema, required: false },
  ]);
  return { type: 'object', definition, fields: new Map(all) };
}

/** Several fields of one type: `name other` → each with this schema. */
const each = (names: string, schema: Schema): Readonly<Record<string, Schema>> =>
  Object.fromEntries(names.split(' ').map(it => [it, schema]));

const gvk = each('group version kind', text);
const resId = { ...gvk, ...each('name namespace', text) };
const fieldSpec = struct('FieldSpec', { ...gvk, path: text, create: flag });
const selector = struct('Selector', { ...resId, ...each('annotationSelector labelSelector', text) });
const fieldOptions = struct('FieldOptions', { ...each('delimiter encoding', text), index: whole, create: flag });
const generatorOptions = struct('GeneratorOptions', {
  ...each('labels annotations', textMap),
  ...each('disableNameSuffixHash immutable', flag),
});
const generator = {
  ...each('namespace name behavior env', text),
  ...each('literals files envs', texts),
  options: generatorOptions,
};
const patch = struct('Patch', {
  ...each('path patch', text),
  target: selector,
  options: { type: 'map', values: flag },
});
const image = struct('Image', each('name newName tagSuffix newTag digest', text));
const replacement = struct('Replacement', {
  path: text,
  sourceValue: text,
  source: struct('SourceSelector', { ...resId, fieldPath: text, options: fieldOptions }),
  targets: list(
    struct('TargetSelector', { select: selector, reject: list(selector), fieldPaths: texts, options: fieldOptions }),
  ),
});
const variable = struct('Var', {
  name: text,
  objref: struct('Target', { apiVersion: text, ...resId }),
  fieldref: struct('FieldSelector', { fieldPath: text }),
});
const helmChart = struct('HelmChart', {
  ...each('name version repo releaseName namespace valuesFile valuesMerge kubeVersion nameTemplate', text),
  ...each('additionalValuesFiles apiVersions', texts),
  ...each('includeCRDs skipHooks skipTests debug devel', flag),
  valuesInline: { type: 'map', values: anything },
});
const helmChartArgs = struct('HelmChartArgs', {
  ...each('chartName chartVersion chartRepoUrl chartHome chartRepoName helmBin helmHome values', text),
  ...each('valuesMerge releaseName releaseNamespace', text),
  valuesLocal: { type: 'map', values: anything },
  extraArgs: texts,
});
const label = struct('Label', {
  pairs: textMap,
  ...each('includeSelectors includeTemplates', flag),
  fields: list(fieldSpec),
});
const sortOptions = struct('SortOptions', {
  order: text,
  legacySortOptions: struct('LegacySortOptions', each('orderFirst orderLast', texts)),
});

/**
 * The schema of a kustomization file, with all fields that kustomize 5 reads. Upstream:
 * sigs.k8s.io/kustomize/api/types.
 */
export const KUSTOMIZATION: ObjectSchema = struct('Kustomization', {
  ...each('apiVersion kind namePrefix nameSuffix namespace', text),
  metadata: struct('ObjectMeta', { ...each('name namespace', text), ...each('labels annotations', textMap) }),
  ...each('openapi commonLabels commonAnnotations', textMap),
  labels: list(label),
  ...each('patchesStrategicMerge resources components crds bases configurations', texts),
  ...each('generators transformers validators buildMetadata', texts),
  ...each('patches patchesJson6902', list(patch)),
  ...each('images imageTags', list(image)),
  replacements: list(replacement),
  replicas: list(struct('Replica', { name: text, count: whole })),
  vars: list(variable),
  sortOptions,
  configMapGenerator: list(struct('ConfigMapArgs', generator)),
  secretGenerator: list(struct('SecretArgs', { ...generator, type: text })),
  helmGlobals: struct('HelmGlobals', each('chartHome configHome', text)),
  helmCharts: list(helmChart),
  helmChartInflationGenerator: list(helmChartArgs),
  generatorOptions,
});
