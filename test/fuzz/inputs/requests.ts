import type { Analysis, AnalysisHost } from '../../../server/src/analysis/analysis';
import { defaultSettings } from '../../../server/src/analysis/configuration/settings';
import { createAnalysisHost } from '../../../server/src/analysis/host';
import { iterateToEnd } from '../../../server/src/base/asyncIterables';
import { runToEnd } from '../../../server/src/base/steps';
import type { PolicyEngine } from '../../../server/src/policy/engine/engine';
import { readPack } from '../../support/packs';
import type { TextFile } from '../corpus';
import { below, type Random } from '../random';
import { mainThreadCpu } from './mainThread';

/** A workspace in which one file at a time is changed and every request is made about it. */
export interface Requests {
  /** Reads and judges the workspace as it is, which is no part of what an input takes. */
  readonly begin: () => Promise<void>;
  /** Returns a failure, with its stack if there is one; undefined when all is well. */
  readonly about: (file: TextFile, random: Random) => Promise<string | undefined>;
}

/** More CPU time than any small file should cost. */
const LONGEST_MILLISECONDS = 1_000;
const NOW = 1_767_225_600_000;

export function requestsIn(files: readonly TextFile[], engine?: PolicyEngine): Requests {
  const bugs: string[] = [];
  const host = createAnalysisHost({
    readPack,
    onBug: (code, error) => bugs.push(`bug in ${code}: ${stackOf(error)}`),
    ...(engine && { policyEngine: engine }),
  });
  const uriOf = (path: string): string => `file:///ws/${path}`;
  host.apply({
    settings: { ...defaultSettings, foreignFiles: 'skip' },
    folders: [{ uri: 'file:///ws' }],
    files: files.map(({ path, text }) => ({ uri: uriOf(path), text })),
  });
  const originals = new Map(files.map(it => [it.path, it.text]));

  async function judged(uri: string): Promise<void> {
    for (const it of [uri, ...host.analysis().uris]) host.analysis().diagnostics(it);
    if (!engine) return;
    await iterateToEnd(host.evaluatePolicies([uri]));
    for (const it of [uri, ...host.analysis().uris]) host.analysis().diagnostics(it);
  }

  async function asked({ path, text }: TextFile, random: Random): Promise<void> {
    const uri = uriOf(path);
    host.apply({ files: [{ uri, text }] });
    await judged(uri);
    askOfFile(host.analysis(), uri);
    for (const offset of [0, text.length, below(random, text.length + 1), below(random, text.length + 1)])
      askAtPlace(host.analysis(), uri, offset);
    askOfWorkspace(host.analysis());
    await host.analysis().runPlacementTests(uri, { finish: runToEnd, isOver: () => false });
  }

  return {
    begin: () => judged(uriOf(files[0]?.path ?? '')),
    async about(file, random) {
      bugs.length = 0;
      const before = mainThreadCpu();
      try {
        await asked(file, random);
      } catch (error) {
        bugs.push(`exception: ${stackOf(error)}`);
      }
      const milliseconds = mainThreadCpu() - before;
      if (milliseconds > LONGEST_MILLISECONDS)
        bugs.push(`slow: ${(milliseconds / 1000).toFixed(1)} s of CPU\n${file.path}`);
      // The next input needs the original workspace.
      restore(host, uriOf(file.path), originals.get(file.path), bugs);
      return bugs[0] ?? bugOfPolicies(host);
    },
  };
}

function restore(host: AnalysisHost, uri: string, text: string | undefined, bugs: string[]): void {
  try {
    host.apply({ files: [{ uri, text }] });
  } catch (error) {
    bugs.push(`exception: ${stackOf(error)}`);
  }
}

/** A bug of Berth in a policy is reported as a problem. */
function bugOfPolicies(host: AnalysisHost): string | undefined {
  const analysis = host.analysis();
  const told = analysis.uris.flatMap(uri => analysis.diagnostics(uri).map(it => it.message));
  return told.find(it => it.includes('Berth has a bug'));
}

const stackOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

function askOfFile(analysis: Analysis, uri: string): void {
  const all = { start: 0, end: analysis.text(uri)?.length ?? 0 };
  analysis.quickDiagnostics(uri);
  analysis.documentSymbols(uri);
  analysis.foldingRanges(uri);
  analysis.semanticTokens(uri, all);
  analysis.documentLinks(uri);
  analysis.inlayHints(uri);
  analysis.codeLenses(uri);
  for (const { fix } of analysis.fixes(uri, all)) void fix.edits;
  for (const object of analysis.mutations(uri)) void object.object;
  for (const place of analysis.reschedulerLocations(uri))
    runToEnd(analysis.reschedulerTitle({ ...place, uri, now: NOW }));
}

function askAtPlace(analysis: Analysis, uri: string, offset: number): void {
  analysis.hover(uri, offset);
  const { items } = analysis.completion(uri, offset);
  for (const { field } of items.slice(0, 3)) if (field) analysis.completionDocs(field);
  analysis.completion(uri, offset, ' ');
  analysis.selectionRanges(uri, offset);
  analysis.definition(uri, offset);
  analysis.references(uri, offset, 'usesAndDefinitions');
  analysis.renamable(uri, offset);
  analysis.rename(uri, offset, 'renamed');
  analysis.policyLocations({ uri, offset });
  analysis.preview({ uri, offset });
  analysis.previewWhy({ uri, offset });
  analysis.counterfactuals({ uri, offset });
  analysis.explanation({ uri, offset });
  for (const kind of ['descheduler', 'vpa'] as const)
    runToEnd(analysis.previewReschedulers({ uri, offset, kind, now: NOW }));
}

function askOfWorkspace(analysis: Analysis): void {
  analysis.clusterView();
  analysis.workspaceSymbols('a');
  analysis.placementTests();
  void analysis.status;
  void analysis.renderJobs;
  void analysis.wantedPaths;
  void analysis.clusterRequests;
  void analysis.configurations;
}
