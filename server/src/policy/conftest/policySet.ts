import type { Snapshot } from '../../workspace/workspace';
import type { PolicyEngine } from '../engine/engine';
import { objectsAmong, type PolicyFileProblem, type PolicySet } from '../policySet';
import type { PolicyResult } from '../result';
import { type ConfiguredConftest, type ConftestFolder, configuredFolder, conftestFoldersOf } from './folders';
import { readingCall } from './regoFiles';
import { runOf } from './run';

/**
 * The Conftest policies of a workspace; undefined when there are none.
 * @param owner As in `unusualFiles`.
 */
export function conftestPolicySet(
  snapshot: Snapshot,
  texts: ReadonlyMap<string, string>,
  engine: PolicyEngine,
  owner: object,
  configured?: ConfiguredConftest,
): PolicySet | undefined {
  const folders = foldersOf(snapshot, texts, configured);
  if (folders.length === 0) return undefined;
  const runs = folders.map(it => runOf(it, snapshot, engine, owner));
  return {
    dependencies: [...folders.flatMap(it => partsOf(it, snapshot)), ...runs.flatMap(it => it.dependencies)],
    objects: objectsAmong(snapshot, object => runs.some(it => it.isTested(object))),
    async check() {
      const inFiles: PolicyFileProblem[] = [];
      for (const it of runs) inFiles.push(...(await it.program.compile()));
      return { results: [], inFiles };
    },
    async evaluate(objects) {
      const answers = new Map<object, PolicyResult[]>(objects.map(it => [it.manifest.contentId, []]));
      for (const run of runs) {
        for (const result of await run.evaluate(objects.filter(run.isTested))) {
          answers.get(result.location.object.manifest.contentId)?.push(result);
        }
      }
      return objects.map(it => ({ results: answers.get(it.manifest.contentId) ?? [], mutations: [] }));
    },
    runtimeProblems: () => ({ results: [], inFiles: runs.flatMap(it => it.runtimeProblems()) }),
    release: () => {
      for (const it of runs) it.program.release();
    },
  };
}

function foldersOf(
  { files }: Snapshot,
  texts: ReadonlyMap<string, string>,
  configured: ConfiguredConftest | undefined,
): readonly ConftestFolder[] {
  if (configured === undefined) return conftestFoldersOf(texts, files);
  const own = configuredFolder(configured, files, texts);
  return own.modules.size === 0 ? [] : [own];
}

/** Everything but the objects that the results of a folder depend on. */
function partsOf(folder: ConftestFolder, { files }: Snapshot): readonly unknown[] {
  const { root, settings, modules, data, capabilities, config } = folder;
  return [
    root,
    JSON.stringify([settings, config?.problems]),
    capabilities,
    ...[...modules].flat(),
    ...data,
    // The files that Rego reads are known only after it ran, so all of them count.
    ...(readingCall(modules) === undefined ? [] : files.values()),
  ];
}
