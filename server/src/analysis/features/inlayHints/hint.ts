import type { JsonObject } from '../../../base/json';
import { t } from '../../../base/l10n';
import type { NodeModel } from '../../../cluster/clusterModel';
import type { Kube } from '../../../kube/kube';
import type { FieldPath } from '../../../manifest/fieldPath';
import { counted } from '../../../rules/placement/phrases';
import type { WorkspaceObject } from '../../../workspace/object';
import type { Snapshot } from '../../../workspace/workspace';
import type { EnvironmentPlacement } from '../../placement/environmentPlacement';

export interface InlayHint {
  /** The hint is shown after this offset. */
  readonly offset: number;
  readonly label: string;
  readonly tooltip?: string;
}

export interface HintContext {
  readonly kube: Kube;
  readonly snapshot: Snapshot;
  readonly placement: EnvironmentPlacement;
  /** The object as it is deployed: the written one, or what an overlay renders from it. */
  readonly deployed: WorkspaceObject;
  /** Ids of its Pods. */
  readonly pods: readonly string[];
  /** Whether other overlays may make something else of the written object. */
  readonly isOneOfSeveral: boolean;
}

export interface SpecAt {
  /** The written value, which may have any shape. */
  readonly spec: JsonObject;
  readonly path: FieldPath;
}

export type HintsOf = (object: WorkspaceObject, at: SpecAt, context: HintContext) => readonly InlayHint[];

/** The offset after the colon of a field's key, or of the first key of a list's item. */
export function behindKey({ manifest }: WorkspaceObject, path: FieldPath): number {
  return manifest.spanOf(path, 'key').end + 1;
}

export const behindValue = ({ manifest }: WorkspaceObject, path: FieldPath): number =>
  manifest.spanOf(path, 'value').end;

/** The maximum number of names in a tooltip. */
const MOST_NAMES = 20;

export function listed(names: readonly string[]): string {
  const rest = names.length - MOST_NAMES;
  return [...names.slice(0, MOST_NAMES), ...(rest > 0 ? [t`and ${rest} more`] : [])].join('\n');
}

/** "matches 3 of 12 nodes", with the names in the tooltip. */
export function matchHint(offset: number, matching: readonly NodeModel[], all: readonly NodeModel[]): InlayHint {
  const label = t`matches ${matching.length} of ${counted(all.length, 'node')}`;
  return { offset, label, tooltip: listed(matching.map(it => it.name)) };
}
