import { asList, asObject } from '../../base/json';
import { lazyPromise } from '../../base/lazyPromise';
import { jsonText } from '../../base/printed';
import { FieldPath } from '../../manifest/fieldPath';
import type { WorkspaceObject } from '../../workspace/object';
import type { Snapshot } from '../../workspace/workspace';
import type { PolicyEngine } from '../engine/engine';
import type { PolicyFileProblem } from '../policySet';
import type { PolicyResult } from '../result';
import {
  type ConftestFile,
  filesWithObjects,
  isFileOf,
  isTestedIn,
  type TestedDocument,
  testedFile,
} from './documents';
import { type ConftestFolder, pathIn } from './folders';
import { programOf, type RegoProgram } from './program';
import { resultsOfAll, resultsOfDocument } from './results';
import { unusualFiles } from './unusualFiles';

/** One folder of Rego with the objects that it is evaluated for. */
export interface RegoRun {
  readonly program: RegoProgram;
  /** What the results depend on beside the evaluated object itself. */
  readonly dependencies: readonly unknown[];
  readonly isTested: (object: WorkspaceObject) => boolean;
  /** The results for some objects, each located at its object. */
  readonly evaluate: (objects: readonly WorkspaceObject[]) => Promise<readonly PolicyResult[]>;
  readonly runtimeProblems: () => readonly PolicyFileProblem[];
}

/** @param owner As in `unusualFiles`. */
export function runOf(folder: ConftestFolder, snapshot: Snapshot, engine: PolicyEngine, owner: object): RegoRun {
  const program = programOf(folder, snapshot, engine);
  const isOne = folder.settings.combine === true;
  const read = isOne
    ? filesWithObjects(folder, snapshot)
    : unusualFiles(snapshot, owner).filter(it => isFileOf(folder, it.file.uri));
  const files = read.map(it => testedFile(folder, it));
  const skipped = new Set(files.flatMap(it => it.skipped).map(it => it.manifest.contentId));
  const evaluator = isOne ? combined(program, files) : perDocument(program, files);
  return {
    program,
    dependencies: ['unseen', ...skipped, ...evaluator.dependencies],
    isTested: it => isTestedIn(folder, it),
    async evaluate(objects) {
      const passed = objects.filter(it => skipped.has(it.manifest.contentId)).map(skippedResult);
      return [...passed, ...(await evaluator.evaluate(objects.filter(it => !skipped.has(it.manifest.contentId))))];
    },
    runtimeProblems: () => [...program.runtimeProblems(), ...evaluator.runtimeProblems()],
  };
}

type Evaluator = Pick<RegoRun, 'dependencies' | 'evaluate' | 'runtimeProblems'>;

/** Evaluates each document on its own. */
function perDocument(program: RegoProgram, files: readonly ConftestFile[]): Evaluator {
  // Conftest does not always test an object alone: a List is one document, and documents without objects are tested,
  // too.
  const extra = new Map<object, readonly TestedDocument[]>();
  for (const document of files.flatMap(it => it.documents)) {
    for (const { manifest } of document.objects) {
      const documents = extra.get(manifest.contentId) ?? [];
      if (manifest.value !== document.value || documents.length > 0)
        extra.set(manifest.contentId, [...documents, document]);
    }
  }
  const documentsOf = (object: WorkspaceObject): readonly TestedDocument[] => {
    const { contentId, uri, value } = object.manifest;
    const known = extra.get(contentId) ?? [];
    const own = { path: pathIn(program.folder.root, uri) ?? '', value, objects: [object] };
    return known.some(it => it.nonObject === undefined) ? known : [own, ...known];
  };
  return {
    dependencies: [...new Set([...extra.values()].flat())].flatMap(it => [
      ...it.objects.map(({ manifest }) => manifest.contentId),
      textBeyondObjects(it),
    ]),
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

/** What a document holds beside its objects, whose `contentId` says what they hold: two such texts differ if it does. */
function textBeyondObjects({ value, objects, nonObject }: TestedDocument): string {
  const items = asList(asObject(value)?.items);
  if (nonObject !== undefined || items.length === 0) return jsonText([nonObject, value]);
  const known = new Set<unknown>(objects.map(it => it.manifest.value));
  return jsonText({ ...asObject(value), items: items.map(it => (known.has(it) ? null : [it])) });
}

/** Evaluates all documents together, once, and serves all later calls from that result. */
function combined(program: RegoProgram, files: readonly ConftestFile[]): Evaluator {
  const documents = files.flatMap(it => it.documents);
  const late: PolicyFileProblem[] = [];
  const evaluateAll = lazyPromise(async () => {
    const objects = files.map(it => ({
      id: it.path,
      path: it.path,
      documents: it.documents.map(({ value }) => value),
    }));
    const answer = resultsOfAll(documents, await program.evaluate(objects, 'all'), program.resultContext());
    late.push(...answer.inFiles);
    return answer;
  });
  return {
    dependencies: files.map(it => it.file),
    async evaluate(objects) {
      const { results } = await evaluateAll();
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
    'Conftest does not see this document, so that no policy was asked about it: it splits files at lines that are `---` and nothing else.',
  location: { object, at: FieldPath.of('kind'), part: 'value' },
});
