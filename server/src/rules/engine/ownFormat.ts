import type { ManifestFile } from '../../manifest/manifest';
import type { WorkspaceObject } from '../../workspace/object';
import type { Snapshot } from '../../workspace/workspace';
import { editTools } from '../edits/edit';
import type { Problem } from '../framework/problem';
import { unknownCode } from './explain';
import type { RuleOptions } from './ruleOptions';
import { inTextOrder, withSeverity } from './run';
import { suppress, withIgnoreFix } from './suppress';

export interface OwnFormatOptions extends Pick<RuleOptions, 'severity' | 'only' | 'suppressed'> {
  /** Whether nothing looked for problems of the code this time, or not to the end. */
  readonly isNotRun: (code: string) => boolean;
}

/**
 * The problems of a file in one of Berth's own formats as those of manifests are reported: with the severities of the
 * settings, and without what comments and annotations suppress.
 */
export function reportedOfOwnFormat(
  problems: readonly Problem[],
  file: ManifestFile,
  objects: readonly WorkspaceObject[],
  snapshot: Snapshot,
  options: OwnFormatOptions,
): readonly Problem[] {
  const { only } = options;
  const all = suppress(
    withSeverity(problems, options),
    file,
    objects,
    { ...options, unknownCode },
    editTools(snapshot),
  ).filter(it => only === undefined || only.includes(it.category));
  return inTextOrder(all.map(it => withIgnoreFix(it, file)));
}
