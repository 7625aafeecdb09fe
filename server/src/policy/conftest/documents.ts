import type { JsonValue, ManifestFile } from '../../manifest/manifest';
import type { Snapshot, WorkspaceObject } from '../../workspace/workspace';
import { type ConftestFolder, isIn, pathIn } from './folders';

/** What Conftest tests at once: one document, with the objects in it. Several are the items of a List. */
export interface TestedDocument {
  /** From the folder that Conftest is run in. */
  readonly path: string;
  readonly value: JsonValue;
  readonly objects: readonly WorkspaceObject[];
}

/** A file with all documents that Conftest sees; some may hold no object. */
export interface TestedFile {
  readonly file: ManifestFile;
  readonly path: string;
  readonly documents: readonly TestedDocument[];
  /** Objects in documents that Conftest passes over. */
  readonly unseen: readonly WorkspaceObject[];
}

/** Whether Conftest would test an object in a folder: it stands beside or below the Rego, and is one of Kubernetes. */
export function isTestedIn(
  { root, settings }: ConftestFolder,
  { manifest, apiVersion, kind }: WorkspaceObject,
): boolean {
  if (apiVersion === '' || kind === '' || isIn(manifest.uri, settings.policy)) return false;
  return pathIn(root, manifest.uri) !== undefined;
}

/** The files that Conftest would test in a folder, as far as they hold objects of Kubernetes. */
export function testedFiles(folder: ConftestFolder, snapshot: Snapshot): readonly TestedFile[] {
  return [...snapshot.files.values()].flatMap((file): readonly TestedFile[] => {
    const objects = snapshot.objectsIn(file.uri).filter(it => isTestedIn(folder, it));
    if (objects.length === 0) return [];
    const path = pathIn(folder.root, file.uri) ?? file.uri;
    const seen = seenDocuments(file);
    const documents = file.documents
      .filter(it => seen.has(it.index))
      .map(({ index, value = null }) => ({
        path,
        value,
        objects: objects.filter(it => it.manifest.document === index),
      }));
    return [{ file, path, documents, unseen: objects.filter(it => !seen.has(it.manifest.document)) }];
  });
}

/**
 * The documents of a file that Conftest sees. It splits YAML at lines that are `---` and nothing else, and reads the first
 * document of each part: what follows `--- # a comment` is lost to it.
 */
function seenDocuments({ text, format, documents }: ManifestFile): ReadonlySet<number> {
  if (format === 'json' || documents.length === 1) return new Set(documents.map(it => it.index));
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const separator = `${end}---${end}`;
  const starts: number[] = [];
  for (let at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, at + separator.length)) {
    starts.push(at + separator.length);
  }
  // A directive stays with the document behind it.
  const own = text.startsWith('%') ? starts.slice(1) : starts;
  const byPart = new Map<number, number>();
  for (const { index, span, value } of documents) {
    const part = own.filter(it => it <= span.start).length;
    if (value !== undefined && !byPart.has(part)) byPart.set(part, index);
  }
  return new Set(byPart.values());
}
