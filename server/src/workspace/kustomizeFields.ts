import { isObject, type JsonObject, type JsonValue } from '../base/json';
import { FieldPath } from '../manifest/fieldPath';

/**
 * How a kustomization uses a file. `resource`: whole objects, or a folder with a kustomization; `component`: a folder
 * with a Component; `patch`: a strategic merge or JSON patch; `plugin`: the configuration of a generator, transformer
 * or validator; `configuration`: field specs, replacements, OpenAPI; `data`: the content of a generated ConfigMap or
 * Secret; `values`: values of a Helm chart.
 */
export type KustomizeUse = 'resource' | 'component' | 'patch' | 'plugin' | 'configuration' | 'data' | 'values';

/** A path that is written in a kustomization. */
export interface WrittenPath {
  readonly as: KustomizeUse;
  readonly at: FieldPath;
  /** Without the `key=` before it. */
  readonly path: string;
}

interface PathField {
  /** `*` matches every item of a list. */
  readonly at: readonly string[];
  readonly as: KustomizeUse;
  /** `text`: inline YAML is allowed instead of a path; `keyed`: `key=` is allowed before it. */
  readonly form?: 'text' | 'keyed';
}

const generatorFields = (name: string): readonly PathField[] => [
  { at: [name, '*', 'files', '*'], as: 'data', form: 'keyed' },
  { at: [name, '*', 'envs', '*'], as: 'data' },
  { at: [name, '*', 'env'], as: 'data' },
];

/** Every field that refers to a file. Upstream: sigs.k8s.io/kustomize/api/types.Kustomization */
const PATH_FIELDS: readonly PathField[] = [
  { at: ['resources', '*'], as: 'resource' },
  { at: ['bases', '*'], as: 'resource' },
  { at: ['components', '*'], as: 'component' },
  { at: ['patches', '*', 'path'], as: 'patch' },
  { at: ['patchesStrategicMerge', '*'], as: 'patch', form: 'text' },
  { at: ['patchesJson6902', '*', 'path'], as: 'patch' },
  { at: ['generators', '*'], as: 'plugin', form: 'text' },
  { at: ['transformers', '*'], as: 'plugin', form: 'text' },
  { at: ['validators', '*'], as: 'plugin', form: 'text' },
  { at: ['replacements', '*', 'path'], as: 'configuration' },
  { at: ['configurations', '*'], as: 'configuration' },
  { at: ['crds', '*'], as: 'configuration' },
  { at: ['openapi', 'path'], as: 'configuration' },
  ...generatorFields('configMapGenerator'),
  ...generatorFields('secretGenerator'),
  { at: ['helmCharts', '*', 'valuesFile'], as: 'values' },
  { at: ['helmCharts', '*', 'additionalValuesFiles', '*'], as: 'values' },
  { at: ['helmChartInflationGenerator', '*', 'values'], as: 'values' },
];

/** The paths in a kustomization, in the order of the table, without inline YAML and values that are not strings. */
export function writtenPaths(value: JsonObject): readonly WrittenPath[] {
  return PATH_FIELDS.flatMap(field =>
    valuesAt(value, field.at).flatMap(({ at, text }) => {
      if (field.form === 'text' && isInline(text)) return [];
      const path = field.form === 'keyed' ? text.slice(text.indexOf('=') + 1) : text;
      return path === '' ? [] : [{ as: field.as, at, path }];
    }),
  );
}

/** Whether a text is inline YAML instead of a path. */
export function isInline(text: string): boolean {
  return text.includes('\n') || /^\s*[{[]|:\s/.test(text);
}

/** Whether kustomize would fetch it. Upstream: sigs.k8s.io/kustomize/api/internal/git.NewRepoSpecFromURL */
export function isRemote(path: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:\/\/|git::|gh:|github\.com[:/]|[a-z][a-z0-9-]*@)/i.test(path);
}

function valuesAt(
  value: JsonValue | undefined,
  [step, ...rest]: readonly string[],
  at: FieldPath = FieldPath.root,
): readonly { readonly at: FieldPath; readonly text: string }[] {
  if (step === undefined) return typeof value === 'string' ? [{ at, text: value }] : [];
  if (step !== '*') return isObject(value) ? valuesAt(value[step], rest, at.child(step)) : [];
  return Array.isArray(value) ? value.flatMap((it: JsonValue, i) => valuesAt(it, rest, at.index(i))) : [];
}
