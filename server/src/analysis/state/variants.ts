import { lazyByText } from '../../base/lazy';
import { push } from '../../base/multiMap';
import { foldersMeant } from '../../workspace/flux';
import type { Kustomization, KustomizationGraph } from '../../workspace/kustomize';
import { folderOf, foldersAbove } from '../../workspace/paths';

/** Names of folders that by convention hold one folder per variant. */
const HOLDING_VARIANTS: ReadonlySet<string> = new Set(['overlays', 'environments', 'envs', 'clusters']);

/** The names of variant folders on the path of a file, such as `east/prod`; '': there are none. */
export type Variant = string;

/** The variants of a folder without a configuration, detected from folder names and kustomizations. */
export interface Variants {
  /** The most specific ones; each deployed file is in one of them. At least one, which may be ''. */
  readonly variants: readonly Variant[];
  /** The variants that a file belongs to: it is in them, above them, outside of all variants, or used by their kustomization. */
  readonly of: (uri: string) => readonly Variant[];
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
  const variantOf = lazyByText(uri => ofFolder(folderOf(uri)));
  const all = new Set<Variant>();
  for (const uri of uris) all.add(variantOf(uri));
  const outer = new Set([...all].flatMap(stepsAround));
  const innermost = [...all].filter(it => !outer.has(it)).sort();
  const variants = innermost.length === 0 ? [''] : innermost;
  const within = new Map<Variant, Variant[]>();
  for (const it of variants) for (const around of [it, ...stepsAround(it)]) push(within, around, it);
  const users = usersOf(graph, variantOf);
  return {
    variants,
    of(uri) {
      const found = within.get(variantOf(uri)) ?? [];
      const using = users.get(uri);
      if (using === undefined || found.length === variants.length) return found;
      const together = new Set([...found, ...using]);
      return variants.filter(it => together.has(it));
    },
    isIn: (uri, variant) => isWithin(variant, variantOf(uri)) || users.get(uri)?.has(variant) === true,
    expects: uri => all.has(variantOf(uri)) && graph.namedBy(uri).length === 0,
  };
}

const isWithin = (variant: Variant, around: Variant): boolean =>
  around === '' || variant === around || variant.startsWith(`${around}/`);

/** The variants that a variant is in: of `east/prod` these are `east` and ''. */
function stepsAround(variant: Variant): readonly Variant[] {
  if (variant === '') return [];
  const steps = variant.split('/');
  return steps.map((_, i) => steps.slice(0, i).join('/'));
}

function variantOfFolder(folder: string, variantFolders: ReadonlySet<string>): Variant {
  const steps = folder.split('/');
  let path = '';
  const names = steps.filter((step, i) => {
    path = i === 0 ? step : `${path}/${step}`;
    return HOLDING_VARIANTS.has(steps[i - 1] ?? '') || variantFolders.has(path);
  });
  return names.join('/');
}

/**
 * Kustomizations that share a base are variants of it. Those that share nothing may be deployed together, and those of one folder
 * that Flux deploys are.
 */
function variantFolders(graph: KustomizationGraph): ReadonlySet<string> {
  const togetherIn = foldersOfFlux(graph);
  /** By file: what its users are deployed with. */
  const users = new Map<string, Set<string>>();
  const all = graph.roots.map(root => ({ root, files: filesOf(root, graph), with: togetherIn(root) ?? root.uri }));
  for (const it of all) for (const uri of it.files) users.set(uri, (users.get(uri) ?? new Set()).add(it.with));
  return new Set(all.filter(it => it.files.some(uri => (users.get(uri)?.size ?? 0) > 1)).map(it => it.root.folder));
}

/**
 * The folder by which Flux deploys a kustomization with others: without a kustomization of its own, it stands for all below.
 * Upstream: github.com/fluxcd/pkg/kustomize.Generator
 */
function foldersOfFlux({ flux, roots, inFolder }: KustomizationGraph): (root: Kustomization) => string | undefined {
  if (flux.length === 0) return () => undefined;
  const above = new Set(roots.flatMap(it => foldersAbove(it.folder)));
  const meant = flux.flatMap(
    it => foldersMeant(it).find(folder => above.has(folder) || inFolder(folder) !== undefined) ?? [],
  );
  const deployed = new Set(meant.filter(it => inFolder(it) === undefined));
  return ({ folder }) => foldersAbove(folder).findLast(it => deployed.has(it));
}

function filesOf(root: Kustomization, graph: KustomizationGraph): readonly string[] {
  const { kustomizations, objects } = graph.filesOf(root);
  return [...kustomizations, ...objects];
}

/** By file: the variants whose kustomizations use it. */
function usersOf(
  graph: KustomizationGraph,
  variantOf: (uri: string) => Variant,
): ReadonlyMap<string, ReadonlySet<Variant>> {
  const users = new Map<string, Set<Variant>>();
  for (const root of graph.roots) {
    const variant = variantOf(root.uri);
    if (variant === '') continue;
    for (const uri of filesOf(root, graph)) users.set(uri, (users.get(uri) ?? new Set()).add(variant));
  }
  return users;
}
