import type { Snapshot, WorkspaceObject } from '../../workspace/workspace';
import type { PolicyEngine } from '../engine/engine';
import type { PolicyAnswer, PolicyFileProblem, PolicySet } from '../policySet';
import type { PolicyResult } from '../result';
import { type ConfiguredConftest, configuredFolder, conftestFoldersOf, isTestedIn, testedObjects } from './folders';
import { programOf } from './program';

/** The Rego of a workspace that Conftest would run; undefined when there is none. */
export function conftestPolicySet(
  snapshot: Snapshot,
  texts: ReadonlyMap<string, string>,
  engine: PolicyEngine,
  configured?: ConfiguredConftest,
): PolicySet | undefined {
  const own = configured && configuredFolder(configured, snapshot, texts);
  const folders = configured === undefined ? conftestFoldersOf(texts) : own === undefined ? [] : [own];
  if (folders.length === 0) return undefined;
  const programs = folders.map(it => programOf(it, engine));
  return {
    engine: 'conftest',
    parts: folders.flatMap(it => [
      it.root,
      ...it.namespaces,
      ...[...it.modules].flat(),
      ...it.data.map(({ file }) => file),
    ]),
    objects: testedObjects(folders, snapshot),
    async check() {
      const inFiles: PolicyFileProblem[] = [];
      for (const it of programs) inFiles.push(...(await it.compile()));
      return { results: [], inFiles };
    },
    async judge(objects) {
      const answers = new Map<WorkspaceObject, readonly PolicyResult[]>();
      for (const program of programs) {
        const own = objects.filter(it => isTestedIn(program.folder, it));
        const results = own.length === 0 ? [] : await program.ask(own);
        own.forEach((it, i) => {
          answers.set(it, [...(answers.get(it) ?? []), ...(results[i] ?? [])]);
        });
      }
      return objects.map((it): PolicyAnswer => ({ results: answers.get(it) ?? [], mutations: [] }));
    },
    late: () => ({ results: [], inFiles: programs.flatMap(it => it.late()) }),
    release: () => {
      for (const it of programs) it.release();
    },
  };
}
