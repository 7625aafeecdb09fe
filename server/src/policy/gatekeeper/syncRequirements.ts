import { asList, asText, type JsonValue } from '../../base/json';
import { fieldAt } from '../../manifest/valueAt';
import type { WorkspaceObject } from '../../workspace/object';
import { kindKey } from './policies';

/** The annotation with the kinds that a template needs in `data.inventory`. */
export const SYNC_ANNOTATION = 'metadata.gatekeeper.sh/requires-sync-data';

/**
 * The requirements of a template that no synced kind meets, each as its alternatives (`v1 Pod`). Upstream:
 * parser.ReadSyncRequirements, gator/sync/test.Test.
 */
export function unmetRequirements(
  { manifest }: WorkspaceObject,
  synced: ReadonlySet<string>,
): readonly (readonly string[])[] {
  const annotation = asText(fieldAt(manifest.value, 'metadata', 'annotations', SYNC_ANNOTATION));
  const requirements =
    annotation === undefined ? undefined : parsed(annotation.replace(/^[\n"]+|(?<![\n"])[\n"]+$/g, ''));
  return asList(requirements)
    .map(it => asList(it).flatMap(alternativesOf))
    .filter(alternatives => !alternatives.some(it => synced.has(kindKey(it))))
    .map(alternatives =>
      alternatives.map(({ group, version, kind }) => `${group === '' ? '' : `${group}/`}${version} ${kind}`),
    );
}

function alternativesOf(clause: JsonValue) {
  const texts = (name: string) => asList(fieldAt(clause, name)).filter(it => typeof it === 'string');
  return texts('groups').flatMap(group =>
    texts('versions').flatMap(version => texts('kinds').map(kind => ({ group, version, kind }))),
  );
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
