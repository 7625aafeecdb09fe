import { isObject, type UnknownObject } from '../../base/json';
import { t } from '../../base/l10n';
import { type ClusterContent, unreachable } from '../../cluster/sources/content';
import { kindCluster } from '../../cluster/sources/kind/cluster';
import { snapshotContent } from '../../cluster/sources/snapshot';
import { errorsIn } from '../../manifest/errors';
import type { ManifestFile } from '../../manifest/manifest';
import { parseManifests } from '../../manifest/parse';

/**
 * The content of a source's file.
 *
 * @param defaultMinor The version of kind's nodes whose image names none.
 */
export function contentOfFile(from: 'kind' | 'snapshot', text: string, defaultMinor: string): ClusterContent {
  const file = parseManifests(from, text);
  const [problem] = errorsIn(file);
  if (problem !== undefined) return unreachable(t`the file cannot be read: ${problem.message}`);
  const documents = documentsOf(file);
  if (from === 'snapshot') return snapshotContent(documents);
  return kindCluster(documents, { defaultMinor, readYaml: it => documentsOf(parseManifests(from, it)) });
}

/** The documents as written, without opening Lists. */
function documentsOf(file: ManifestFile): readonly UnknownObject[] {
  return file.documents.flatMap(({ value }) => (isObject(value) ? [value] : []));
}
