import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultSettings } from '../../server/src/analysis/configuration/settings';
import { createAnalysisHost } from '../../server/src/analysis/host';
import { openScenario } from '../../server/src/analysis/scenario';
import type { JsonObject, JsonValue } from '../../server/src/base/json';
import type { Kube } from '../../server/src/kube/kube';
import { loadKube } from '../../server/src/kube/load';
import { answerOf } from '../../server/src/rules/apiserver/validate/engine';
import { simulate } from '../../server/src/scheduler/scenario';
import { EVERYTHING, GOOD } from '../cluster/everything';
import { placeOptions } from '../scheduler/checkSuggestions';
import { isGateOn } from '../scheduler/support';
import { readPack } from '../support/packs';
import type { TextFile } from './corpus';
import { documentsOf, jsonText, PUT, withinDocument } from './inputs/structure';

/** The values for a field: all of them, or at each `each`th field one in turn, `of` some. */
export type Share = 'all' | { readonly each: number; readonly of?: readonly JsonValue[] };

/** The values for one field. Over all fields of an object of some size each value is used. */
const valuesIn =
  (share: Share) =>
  (place: number): readonly JsonValue[] => {
    if (share === 'all') return PUT;
    const { each, of = PUT } = share;
    return place % each === 0 ? [of[(place / each) % of.length] as JsonValue] : [];
  };

/** An exception, and the request that threw it. */
export interface Thrown {
  readonly what: string;
  readonly of: string;
}

/** The exceptions of the API server's strategies for any object of some files with any field changed. */
export function* thrownByStrategies(files: readonly TextFile[], kube: Kube, share: Share): Generator<Thrown> {
  for (const file of files) {
    for (const document of documentsOf(file) ?? []) {
      const { apiVersion, kind } = (document ?? {}) as JsonObject;
      const known = typeof kind === 'string' ? kube.kindOf(String(apiVersion), kind) : undefined;
      for (const { path, by, value } of withinDocument(document, valuesIn(share))) {
        try {
          answerOf(value as JsonObject, known, kube);
        } catch (error) {
          yield { what: stackOf(error), of: `${file.path} ${path.join('.')} = ${jsonText(by)}` };
        }
      }
    }
  }
}

/**
 * The exceptions of a workspace in which each field of each document is changed, when the problems of all files are
 * requested. All changes of a document are in one workspace, so that thousands of changes cost one evaluation.
 */
export function* thrownByRules(
  files: readonly TextFile[],
  beside: readonly TextFile[],
  share: Share,
  asked: 'problems' | 'fixes',
): Generator<Thrown> {
  const bugs: { code: string; error: unknown }[] = [];
  const host = createAnalysisHost({ readPack, onBug: (code, error) => bugs.push({ code, error }) });
  const uriOf = (path: string): string => `file:///ws/${path}`;
  host.apply({
    settings: { ...defaultSettings, foreignFiles: 'skip', presets: ['best-practice'] },
    folders: [{ uri: 'file:///ws' }],
    files: beside.map(it => ({ uri: uriOf(it.path), text: it.text })),
  });
  for (const file of files) {
    for (const [i, document] of (documentsOf(file) ?? []).entries()) {
      const texts = [...withinDocument(document, valuesIn(share))].map(it => `${jsonText(it.value)}\n`);
      const uri = uriOf(`changed/${file.path}`);
      try {
        host.apply({ files: [{ uri, text: texts.join('---\n') }] });
        for (const it of host.analysis().diagnostics(uri)) if (asked === 'fixes') void it.fixes;
      } catch (error) {
        bugs.push({ code: 'exception', error });
      }
      for (const { code, error } of bugs.splice(0))
        yield { what: `${code}: ${stackOf(error)}`, of: `${file.path} #${i}` };
    }
    host.apply({ files: [{ uri: uriOf(`changed/${file.path}`), text: undefined }] });
  }
}

/** Runs everything for each of the values at each field, file by file; reports files that threw nothing as well. */
export async function* thrownAtPlaces(
  files: readonly TextFile[],
  beside: readonly TextFile[],
): AsyncGenerator<Partial<Thrown>> {
  const kubes = ['1.31', '1.34', '1.37'].map(minor => loadKube(minor, {}, readPack));
  for (const file of files) {
    for (const kube of kubes) yield* thrownByStrategies([file], kube, 'all');
    yield* thrownByRules([file], beside, 'all', 'fixes');
    yield { of: file.path };
  }
  yield* thrownByPlacing(EVERYTHING as readonly JsonObject[], 'all');
  yield* thrownBySuggesting('all');
}

const stackOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

/**
 * The exceptions of the scheduler for any of some objects with any field changed, and the changes for which it places
 * nothing.
 */
export function* thrownByPlacing(objects: readonly JsonObject[], share: Share): Generator<Thrown> {
  for (const [i, object] of objects.entries()) {
    for (const { path, by, value } of withinDocument(object, valuesIn(share))) {
      const of = `${String(object.kind)} ${path.join('.')} = ${jsonText(by)}`;
      try {
        const all = [...GOOD, ...objects.map((it, at) => (at === i ? (value as JsonObject) : it))];
        const { attempts } = simulate(all, { kubernetesVersion: '1.37', isGateOn }).result;
        if (!attempts.some(it => it.pod === 'good/good')) yield { what: 'a Pod has no turn', of };
      } catch (error) {
        yield { what: stackOf(error), of };
      }
    }
  }
}

/** The exceptions of the search for suggestions, in the scenarios of its own tests with any field changed. */
export async function* thrownBySuggesting(share: Share): AsyncGenerator<Thrown> {
  const folder = join(import.meta.dirname, '../scheduler/whatIf');
  const nodes = readFileSync(join(folder, 'cluster.yaml'), 'utf8');
  for (const path of readdirSync(folder).filter(it => it.endsWith('.yaml') && it !== 'cluster.yaml')) {
    const documents = documentsOf({ path, text: readFileSync(join(folder, path), 'utf8') }) ?? [];
    for (const [i, document] of documents.entries()) {
      for (const { path: at, by, value } of withinDocument(document, valuesIn(share))) {
        const texts = documents.map((it, other) => `${jsonText(other === i ? value : it)}\n`);
        try {
          const text = [nodes, ...texts].join('---\n');
          await openScenario([{ uri: path, text }], placeOptions(readPack)).suggestions();
        } catch (error) {
          yield { what: stackOf(error), of: `${path} #${i} ${at.join('.')} = ${jsonText(by)}` };
        }
      }
    }
  }
}
