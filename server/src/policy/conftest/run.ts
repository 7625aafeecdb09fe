import { lazyPromise } from '../../base/lazyPromise';
import { FieldPath } from '../../manifest/fieldPath';
import type { WorkspaceObject } from '../../workspace/object';
import type { Snapshot } from '../../workspace/workspace';
import type { PolicyEngine } from '../engine/engine';
import type { PolicyFileProblem } from '../policySet';
import type { PolicyResult } from '../result';
import {
  type ConftestDocument,
  holdingFiles,
  isOrdinary,
  isTestedIn,
  type TestedDocument,
  testedFile,
} from './documents';
import { type ConftestFolder, pathIn } from './folders';
import { programOf, type RegoProgram } from './program';
import { resultsOfAll, resultsOfDocument } from './results';

/** One folder of Rego with the objects that it is asked about. */
export interface RegoRun {
  readonly program: RegoProgram;
  /** What of the objects the answers depend on beside the object itself. */
  readonly parts: readonly unknown[];
  readonly objects: readonly WorkspaceObject[];
  readonly isTested: (object: WorkspaceObject) => boolean;
  /** What is said of some objects, each at the one that it is about. */
  readonly judge: (objects: readonly WorkspaceObject[]) => Promise<readonly PolicyResult[]>;
  readonly late: () => readonly PolicyFileProblem[];
}

export function runOf(folder: ConftestFolder, snapshot: Snapshot, engine: PolicyEngine): RegoRun {
  const program = programOf(folder, snapshot, engine);
  const held = holdingFiles(folder, snapshot);
  const isOne = folder.settings.combine === true;
  const files = held.filter(it => isOne || !isOrdinary(it)).map(it => testedFile(folder, it));
  const unseen = new Set(files.flatMap(it => it.unseen).map(it => it.manifest.contentId));
  const about = isOne ? aboutAll(program, files) : aboutEach(program, files);
  return {
    program,
    parts: ['unseen', ...unseen, ...about.parts],
    objects: held.flatMap(it => it.objects),
    isTested: it => isTestedIn(folder, it),
    async judge(asked) {
      const passed = asked.filter(it => unseen.has(it.manifest.contentId)).map(unseenResult);
      return [...passed, ...(await about.judge(asked.filter(it => !unseen.has(it.manifest.contentId))))];
    },
    late: () => [...program.late(), ...about.late()],
  };
}

type About = Pick<RegoRun, 'parts' | 'judge' | 'late'>;

/** One question for each document. */
function aboutEach(program: RegoProgram, files: readonly ConftestDocument[]): About {
  // What is tested is not always the object alone: a List is tested as one, and documents without objects are, too.
  const others = new Map<object, readonly TestedDocument[]>();
  for (const document of files.flatMap(it => it.documents)) {
    for (const { manifest } of document.objects) {
      const known = others.get(manifest.contentId) ?? [];
      if (manifest.value !== document.value || known.length > 0) others.set(manifest.contentId, [...known, document]);
    }
  }
  const documentsOf = (object: WorkspaceObject): readonly TestedDocument[] => {
    const { contentId, uri, value } = object.manifest;
    const known = others.get(contentId) ?? [];
    const own = { path: pathIn(program.folder.root, uri) ?? '', value, objects: [object] };
    return known.some(it => it.stranger === undefined) ? known : [own, ...known];
  };
  return {
    parts: [...others.keys()],
    async judge(objects) {
      const documents = [...new Set(objects.flatMap(documentsOf))];
      if (documents.length === 0) return [];
      const results = await program.ask(
        documents.map(({ path, value }, i) => ({ id: String(i), path, documents: [value] })),
        'each',
      );
      return documents.flatMap((it, i) =>
        resultsOfDocument(
          it,
          results.filter(({ id }) => id === String(i)),
          program.judged(),
        ),
      );
    },
    late: () => [],
  };
}

/** One question about everything, whose answers are kept for whoever asks next. */
function aboutAll(program: RegoProgram, files: readonly ConftestDocument[]): About {
  const documents = files.flatMap(it => it.documents);
  const late: PolicyFileProblem[] = [];
  const ask = lazyPromise(async () => {
    const asked = files.map(it => ({ id: it.path, path: it.path, documents: it.documents.map(({ value }) => value) }));
    const told = resultsOfAll(documents, await program.ask(asked, 'all'), program.judged());
    late.push(...told.inFiles);
    return told;
  });
  return {
    parts: files.map(it => it.file),
    async judge(objects) {
      const { results } = await ask();
      const wanted = new Set(objects.map(it => it.manifest.contentId));
      return results.filter(it => wanted.has(it.place.object.manifest.contentId));
    },
    late: () => late,
  };
}

const unseenResult = (object: WorkspaceObject): PolicyResult => ({
  engine: 'conftest',
  policy: 'unseen-document',
  outcome: 'fail',
  severity: 'info',
  message:
    'Conftest does not see this document, so that no policy was asked about it: it splits files at lines that are `---` and nothing else.',
  place: { object, at: FieldPath.of('kind'), part: 'value' },
});
