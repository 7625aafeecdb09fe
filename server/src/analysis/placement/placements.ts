import type { UnknownObject } from '../../base/json';
import { t } from '../../base/l10n';
import { runToEnd, type Steps } from '../../base/steps';
import { defaultClusterObjects } from '../../cluster/sources/defaultCluster';
import type { Kube } from '../../kube/kube';
import { holdsPods } from '../../kube/podTemplates';
import type { PlacementFacts } from '../../rules/framework/placementFacts';
import { createRunMemory } from '../../scheduler/incremental/runCache';
import { effectsOn } from '../../workspace/kustomizeEffects';
import type { WorkspaceObject } from '../../workspace/object';
import { type DeployedObject, deployedAs, isDeployed } from '../../workspace/rendered/overlays';
import type { Snapshot } from '../../workspace/workspace';
import { type ExternalCluster, labelOf, sizesOf, tellsTruth } from '../clusters/externalCluster';
import { folderRoots, wholeRoots } from '../clusters/roots';
import type { Settings } from '../configuration/settings';
import type { KnownMutations } from '../policies/knownMutations';
import type { PlacementMemory } from '../state/placementMemory';
import type { ClusterLabel } from './clusterLabel';
import type { EnvironmentPlacement } from './environmentPlacement';
import { placementFactsOf } from './facts';
import { readingEnvironment, simulateEnvironment, sourceWith } from './simulateEnvironment';

/** Placements of one state, worked out when first asked for. */
export interface Placements {
  of(uri: string): EnvironmentPlacement;
  /** The same, step by step: all callers share one computation, and `of` finishes it. */
  placing(uri: string): Steps<undefined>;
  /** Asks policies all that the placements of these files, and of those whose nodes are known, will ask them. */
  reading(uris: readonly string[]): Steps<undefined>;
  /** The Node objects that a file's Pods are placed on; nothing is placed for that. */
  nodes(uri: string): readonly UnknownObject[];
  /** Whether the nodes of a file's environment are described; nothing is placed for that. */
  knowsNodes(uri: string): boolean;
  /** What rules may ask about an object's environment; undefined where its nodes are not known, or a patch changes it. */
  facts(object: WorkspaceObject): PlacementFacts | undefined;
  /** Where the Pods of a written object are placed, once for each overlay that renders it; none where it makes no Pods. */
  ofObject(object: WorkspaceObject): readonly DeployedPlacement[];
  /** Where nodes come from when a file has none of its own, for the status item. */
  label(): string;
  /** Where the nodes come from that a file's Pods are placed on; nothing is placed for that. */
  sourceAt(uri: string): ClusterLabel;
}

/** An object whose Pods are placed. */
export interface DeployedPlacement extends DeployedObject {
  readonly placement: EnvironmentPlacement;
}

/** How much of an environment is one cluster, and what is configured for it. */
export interface PlacementExtent {
  /** folders: each folder with a Node is one, as nobody says more; whole: all files are one. */
  readonly extent?: 'folders' | 'whole';
  /** In place of the one among the files. */
  readonly schedulerConfiguration?: UnknownObject | undefined;
  /** What is known of mutating policies; absent: there are none. */
  readonly policies?: KnownMutations | undefined;
  /** For `reading`. */
  readonly readingMemory?: PlacementMemory;
}

export function placementsOf(
  snapshot: Snapshot,
  kube: Kube,
  settings: Settings,
  memoryOf: PlacementMemory = createRunMemory,
  outside?: ExternalCluster,
  { extent = 'folders', schedulerConfiguration, policies, readingMemory = createRunMemory }: PlacementExtent = {},
): Placements {
  const isHere = outside === undefined && settings.cluster !== 'default';
  const roots = extent === 'whole' ? wholeRoots(snapshot) : folderRoots(snapshot, isHere ? 'here' : 'elsewhere');
  const nodes = snapshot.objectsOf('', 'Node');
  const surroundings = { kube, settings, outside, schedulerConfiguration, policies };
  const runs = createRuns(root => simulateEnvironment(roots.filesOf(root), snapshot, surroundings, memoryOf(root)));
  /** A source of what is rendered comes to no cluster but with that. */
  const placedWith = (uri: string): string =>
    isDeployed(uri, snapshot) ? uri : (snapshot.roles.renderedFrom(uri)[0]?.rendered ?? uri);
  const rootOf = (uri: string): string => roots.of(placedWith(uri));
  const of = (uri: string): EnvironmentPlacement => runs.of(rootOf(uri));
  const known = filesWithKnownNodes(settings, outside);
  const knowsNodes = (uri: string): boolean =>
    known === 'all' || (known === 'withNodes' && roots.withNodes.has(roots.nodesOf(placedWith(uri))));
  const isDefaultAt = (uri: string): boolean => outside === undefined && !knowsNodes(uri);
  /** The roots of all files whose nodes are known; those with nodes of the files are told without a look at each file. */
  const knownRoots = (): Iterable<string> => {
    if (known === 'none') return [];
    return known === 'withNodes' ? roots.withNodes : [...snapshot.files.keys()].map(rootOf);
  };
  const factsMade = new Map<EnvironmentPlacement, PlacementFacts | undefined>();
  const writtenNodes = (uri: string): readonly UnknownObject[] => {
    const root = roots.nodesOf(placedWith(uri));
    return nodes.filter(it => roots.nodesOf(it.manifest.uri) === root).map(it => it.manifest.value);
  };
  return {
    of,
    *placing(uri) {
      const rendered = isDeployed(uri, snapshot) ? [] : snapshot.roles.renderedFrom(uri).map(it => it.rendered);
      for (const root of new Set((rendered.length === 0 ? [uri] : rendered).map(roots.of))) yield* runs.placing(root);
      return undefined;
    },
    *reading(uris) {
      const looked = uris.filter(it => snapshot.files.has(it)).map(rootOf);
      for (const root of new Set([...looked, ...knownRoots()]))
        yield* readingEnvironment(roots.filesOf(root), snapshot, surroundings, readingMemory(root));
      return undefined;
    },
    nodes(uri) {
      if (outside) return outside.known.objectsOf('', 'Node');
      if (isDefaultAt(uri)) return defaultClusterObjects().filter(it => it.kind === 'Node');
      return writtenNodes(uri);
    },
    sourceAt: uri => sourceWith(writtenNodes(uri).length, surroundings),
    knowsNodes,
    facts(object) {
      const { uri } = object.manifest;
      if (mayBePatched(object, snapshot) || !knowsNodes(uri)) return undefined;
      const placement = of(uri);
      if (!placement.counts(object)) return undefined;
      if (!factsMade.has(placement)) factsMade.set(placement, placementFactsOf(placement, sizesOf(outside)));
      return factsMade.get(placement);
    },
    ofObject: object =>
      holdsPods(object.group, object.kind)
        ? deployedAs(object, snapshot).map(it => ({ ...it, placement: of(it.object.manifest.uri) }))
        : [],
    label() {
      if (outside) return labelOf(outside);
      if (settings.cluster === 'default' || nodes.length === 0)
        return settings.cluster === 'workspace' ? t('no nodes') : t('example cluster');
      return t('nodes of the workspace');
    },
  };
}

/** For which files the nodes are described: for all, for those at a root with nodes, or for none. */
function filesWithKnownNodes(
  { cluster }: Settings,
  outside: ExternalCluster | undefined,
): 'all' | 'withNodes' | 'none' {
  if (outside !== undefined) return tellsTruth(outside) ? 'all' : 'none';
  if (cluster === 'default') return 'none';
  return cluster === 'auto' ? 'withNodes' : 'all';
}

/** What a patch may give an object is not what is placed. */
function mayBePatched(object: WorkspaceObject, { roles: { kustomizations }, files }: Snapshot): boolean {
  const isBuilt = kustomizations.buildersOf(object.manifest.uri).length > 0;
  return isBuilt && effectsOn(object, kustomizations, files).has('fields');
}

/** Placements by root, each computed once, however many callers step through it. */
function createRuns(place: (root: string) => Steps<EnvironmentPlacement>) {
  const made = new Map<string, EnvironmentPlacement>();
  const underWay = new Map<string, Steps<undefined>>();
  function* making(root: string): Steps<undefined> {
    if (made.has(root)) return;
    try {
      made.set(root, yield* place(root));
    } finally {
      underWay.delete(root);
    }
  }
  const placing = (root: string): Steps<undefined> => {
    const steps = underWay.get(root) ?? making(root);
    underWay.set(root, steps);
    return steps;
  };
  return {
    placing,
    of(root: string): EnvironmentPlacement {
      if (!made.has(root)) runToEnd(placing(root));
      return made.get(root)!;
    },
  };
}
