import type { Kustomization, KustomizationGraph } from '../../workspace/kustomize';
import { folderOf } from '../../workspace/paths';

/** Folders that by convention hold a folder for each of what is deployed apart. */
const HOLDING_VARIANTS: ReadonlySet<string> = new Set(['overlays', 'environments', 'envs', 'clusters']);

/** The folders on the way to a file that are deployed apart from others, by name: `east/prod`; '' when there is none. */
export type Variant = string;

/** Which files of a folder without a configuration are deployed apart, as far as names and kustomizations tell. */
export interface Variants {
  /** The most special ones: everything that is deployed is in one of them. At least one, which may be ''. */
  readonly variants: readonly Variant[];
  /** Whether a file counts in a variant: it lies there, above, outside all of them, or a kustomization there uses it. */
  readonly isIn: (uri: string, variant: Variant) => boolean;
  /** Whether all this stays as it is when such a file comes. */
  readonly expects: (uri: string) => boolean;
}

/**
 * Divides files into variants. Folders below `overlays` and the like are variants of that name, wherever they are; so are
 * folders of kustomizations that nobody else uses and that share a file with another such one.
 */
export function detectVariants(uris: Iterable<string>, graph: KustomizationGraph): Variants {
  const folders = variantFolders(graph);
  const byFolder = new Map<string, Variant>();
  const variantOf = (uri: string): Variant => {
    const folder = folderOf(uri);
    const known = byFolder.get(folder) ?? variantOfFolder(folder, folders);
    byFolder.set(folder, known);
    return known;
  };
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

/** Two kustomizations that share a base are two ways to deploy it; those that share nothing may well be deployed together. */
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
