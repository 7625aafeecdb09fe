import { lazyByText } from '../../base/lazy';
import type { Kustomization, KustomizationGraph } from '../../workspace/kustomize';
import { folderOf } from '../../workspace/paths';

/** Names of folders that by convention hold one folder per variant. */
const HOLDING_VARIANTS: ReadonlySet<string> = new Set(['overlays', 'environments', 'envs', 'clusters']);

/** The names of variant folders on the path of a file, such as `east/prod`; '': there are none. */
export type Variant = string;

/** The variants of a folder without a configuration, detected from folder names and kustomizations. */
export interface Variants {
  /** The most specific ones; each deployed file is in one of them. At least one, which may be ''. */
  readonly variants: readonly Variant[];
  /** Whether a file belongs to a variant: it is in it, above it, outside of all variants, or used by its kustomization. */
  readonly isIn: (uri: string, variant: Variant) => boolean;
  /** Whether adding this file leaves the variants unchanged. */
  readonly expects: (uri: string) => boolean;
}

/**
 * Divides files into variants: folders below `overlays` and the like, by their names, and folders of root kustomizations
 * that share a file with another root kustomization.
 */
export function detectVariants(uris: Iterable<string>, graph: KustomizationGraph): Variants {
  const folders = variantFolders(graph);
  const ofFolder = lazyByText(folder => variantOfFolder(folder, folders));
  const variantOf = (uri: string): Variant => ofFolder(folderOf(uri));
  const all = new Set<Variant>();
  for (const uri of uris) all.add(variantOf(uri));
  const variants = [...all].filter(it => ![...all].some(other => other !== it && isWithin(other, it)));
  const used = filesUsedBy(graph, variantOf);
  return {
    variants: variants.length === 0 ? [''] : variants.sort(),
    isIn: (uri, variant) => isWithin(variant, variantOf(uri)) || used.get(variant)?.has(uri) === true,
    expects: uri => all.has(variantOf(uri)) && graph.namedBy(uri).length === 0,
  };
}

const isWithin = (variant: Variant, around: Variant): boolean =>
  around === '' || variant === around || variant.startsWith(`${around}/`);

function variantOfFolder(folder: string, variantFolders: ReadonlySet<string>): Variant {
  const steps = folder.split('/');
  let path = '';
  const names = steps.filter((step, i) => {
    path = i === 0 ? step : `${path}/${step}`;
    return HOLDING_VARIANTS.has(steps[i - 1] ?? '') || variantFolders.has(path);
  });
  return names.join('/');
}

/** Kustomizations that share a base are variants of it. Those that share nothing may be deployed together. */
function variantFolders(graph: KustomizationGraph): ReadonlySet<string> {
  const users = new Map<string, number>();
  const files = graph.roots.map(root => ({ root, files: filesOf(root, graph) }));
  for (const it of files) for (const uri of it.files) users.set(uri, (users.get(uri) ?? 0) + 1);
  return new Set(files.filter(it => it.files.some(uri => (users.get(uri) ?? 0) > 1)).map(it => it.root.folder));
}

function filesOf(root: Kustomization, graph: KustomizationGraph): readonly string[] {
  const { kustomizations, objects } = graph.filesOf(root);
  return [...kustomizations, ...objects];
}

function filesUsedBy(
  graph: KustomizationGraph,
  variantOf: (uri: string) => Variant,
): ReadonlyMap<Variant, ReadonlySet<string>> {
  const used = new Map<Variant, Set<string>>();
  for (const root of graph.roots) {
    const variant = variantOf(root.uri);
    if (variant === '') continue;
    const files = used.get(variant) ?? new Set();
    for (const uri of filesOf(root, graph)) files.add(uri);
    used.set(variant, files);
  }
  return used;
}
