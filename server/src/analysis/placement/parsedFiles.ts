import type { UnknownObject } from '../../base/json';
import { errorsIn } from '../../manifest/errors';
import type { ManifestFile } from '../../manifest/manifest';
import { parseManifests } from '../../manifest/parse';
import { lineIndex } from '../../text/lineIndex';
import { deployedFiles } from './deployedFiles';

export interface PlaceFile {
  readonly uri: string;
  readonly text: string;
}

/** What some files hold, each parsed once. */
export interface ParsedFiles {
  readonly files: readonly ManifestFile[];
  /** The files whose objects come to a cluster. */
  readonly deployed: readonly ManifestFile[];
  /** Their objects, of the documents that can be read. */
  readonly objects: readonly UnknownObject[];
  /** One sentence, with its line, for each part of a text that cannot be read. */
  readonly unread: readonly string[];
}

export const parsedFiles = (files: readonly PlaceFile[]): ParsedFiles =>
  objectsIn(files.map(it => parseManifests(it.uri, it.text)));

export function objectsIn(files: readonly ManifestFile[]): ParsedFiles {
  const { manifests, deployed } = deployedFiles(files);
  return {
    files,
    deployed,
    objects: deployed.flatMap(file =>
      file.documents
        .filter(it => !it.problems.some(problem => problem.severity === 'error'))
        .flatMap(it => it.objects.map(object => object.value as UnknownObject)),
    ),
    unread: manifests.flatMap(unreadOf),
  };
}

function unreadOf(file: ManifestFile): readonly string[] {
  const lines = lineIndex(file.text);
  return errorsIn(file).map(it => `${file.uri}:${lines.position(it.span.start).line + 1}: ${it.message}`);
}
