import { lazyPromise } from '../../base/lazyPromise';
import { FieldPath } from '../../manifest/fieldPath';
import type { WorkspaceObject } from '../../workspace/object';
import type { Snapshot } from '../../workspace/workspace';
import type { PolicyEngine } from '../engine/engine';
import type { PolicyFileProblem } from '../policySet';
import type { PolicyResult } from '../result';
import {
  type ConftestFile,
  filesWithObjects,
  isOrdinary,
  isTestedIn,
  type TestedDocument,
  testedFile,
} from './documents';
import { type ConftestFolder, pathIn } from './folders';
import { programOf, type RegoProgram } from './program';
import { resultsOfAll, resultsOfDocument } from './results';

/** One folder of Rego with the objects that it is objects evaluator. */
export interface RegoRun {
  readonly program: RegoProgram;
  /** What of the objects the answers depend on beside the object itself. */
  readonly dependencies: readonly unknown[];
  readonly objects: readonly WorkspaceObject[];
  readonly isTested: (object: WorkspaceObject) => boolean;
  /** What is said of some objects, each at the one that it is evaluator. */
  readonly evaluate: (objects: readonly WorkspaceObject[]) => Promise<readonly PolicyResult[]>;
  readonly runtimeProblems: () => readonly PolicyFileProblem[];
}

export function runOf(folder: ConftestFolder, snapshot: Snapshot, engine: PolicyEngine): RegoRun {
  const program = programOf(folder, snapshot, engine);
  const held = filesWithObjects(folder, snapshot);
  const isOne = folder.settings.combine === true;
  const files = held.filter(it => isOne || !isOrdinary(it)).map(it => testedFile(folder, it));
  const unseen = new Set(files.flatMap(it => it.skipped).map(it => it.manifest.contentId));
  const evaluator = isOne ? combined(program, files) : perDocument(program, files);
  return {
    program,
    dependencies: ['unseen', ...unseen, ...evaluator.dependencies],
    objects: held.flatMap(it => it.objects),
    isTested: it => isTestedIn(folder, it),
    async evaluate(objects) {
      const passed = objects.filter(it => unseen.has(it.manifest.contentId)).map(skippedResult);
      return [...passed, ...(await evaluator.evaluate(objects.filter(it => !unseen.has(it.manifest.contentId))))];
    },
    runtimeProblems: () => [...program.runtimeProblems(), ...evaluator.runtimeProblems()],
  };
}

type Evaluator = Pick<RegoRun, 'dependencies' | 'evaluate' | 'runtimeProblems'>;

/** One question for each document. */
function perDocument(program: RegoProgram, files: readonly ConftestFile[]): Evaluator {
  // What is tested is not always the object alone: a List is tested as one, and documents without objects are, too.
  const extra = new Map<object, readonly TestedDocument[]>();
  for (const document of files.flatMap(it => it.documents)) {
    for (const { manifest } of document.objects) {
      const known = extra.get(manifest.contentId) ?? [];
      if (manifest.value !== document.value || known.length > 0) extra.set(manifest.contentId, [...known, document]);
    }
  }
  const documentsOf = (object: WorkspaceObject): readonly TestedDocument[] => {
    const { contentId, uri, value } = object.manifest;
    const known = extra.get(contentId) ?? [];
    const own = { path: pathIn(program.folder.root, uri) ?? '', value, objects: [object] };
    return known.some(it => it.nonObject === undefined) ? known : [own, ...known];
  };
  return {
    dependencies: [...extra.keys()],
    async evaluate(objects) {
      const documents = [...new Set(objects.flatMap(documentsOf))];
      if (documents.length === 0) return [];
      const results = await program.evaluate(
        documents.map(({ path, value }, i) => ({ id: String(i), path, documents: [value] })),
        'each',
      );
      return documents.flatMap((it, i) =>
        resultsOfDocument(
          it,
          results.filter(({ id }) => id === String(i)),
          program.resultContext(),
        ),
      );
    },
    runtimeProblems: () => [],
  };
}

/** One question about everything, whose answers are kept for whoever asks next. */
function combined(program: RegoProgram, files: readonly ConftestFile[]): Evaluator {
  const documents = files.flatMap(it => it.documents);
  const late: PolicyFileProblem[] = [];
  const ask = lazyPromise(async () => {
    const objects = files.map(it => ({
      id: it.path,
      path: it.path,
      documents: it.documents.map(({ value }) => value),
    }));
    const told = resultsOfAll(documents, await program.evaluate(objects, 'all'), program.resultContext());
    late.push(...told.inFiles);
    return told;
  });
  return {
    dependencies: files.map(it => it.file),
    async evaluate(objects) {
      const { results } = await ask();
      const wanted = new Set(objects.map(it => it.manifest.contentId));
      return results.filter(it => wanted.has(it.location.object.manifest.contentId));
    },
    runtimeProblems: () => late,
  };
}

const skippedResult = (object: WorkspaceObject): PolicyResult => ({
  engine: 'conftest',
  policy: 'unseen-document',
  outcome: 'fail',
  severity: 'info',
  message:
    'Conftest does not see this document, so that no policy was objects about it: it splits files at lines that are `---` and nothing else.',
  location: { object, at: FieldPath.of('kind'), part: 'value' },
});
