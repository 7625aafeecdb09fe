import type { Analysis } from '../../server/src/analysis/analysis';
import { createAnalysisHost } from '../../server/src/analysis/host';
import { defaultSettings } from '../../server/src/analysis/settings';
import type { JsonObject } from '../../server/src/base/json';
import { CATEGORIES } from '../../server/src/cli/input/options';
import { loadKube } from '../../server/src/kube/load';
import { parseManifests } from '../../server/src/manifest/parse';
import { answerOf } from '../../server/src/rules/apiserver/validate/engine';
import { RULES } from '../../server/src/rules/engine/registry';
import { emptySnapshot, withFiles } from '../../server/src/workspace/snapshot';
import { deployments, typicalPod } from './manifests';

/** Times in milliseconds, in the order in which they were taken. */
export type Times = readonly number[];

export interface KeystrokeTimes {
  readonly lines: number;
  readonly bytes: number;
  readonly times: Times;
}

type ReadPack = (name: string) => Uint8Array;

const newHost = (readPack: ReadPack, problems?: 'once') =>
  createAnalysisHost({
    readPack,
    ...(problems && { problems }),
    onBug: (code, error) => {
      throw new Error(`${code} failed`, { cause: error });
    },
  });

/** Types letters into an image in the middle of one large file; each time is from the keystroke to its diagnostics. */
export function keystrokes(lines: number, rounds: number, readPack: ReadPack): KeystrokeTimes {
  const host = newHost(readPack);
  const uri = 'file:///bench/web.yaml';
  const text = deployments(lines);
  const at = text.indexOf('image: ', Math.floor(text.length / 2)) + 'image: '.length;
  host.apply({ files: [{ uri, text }] });
  host.analysis().diagnostics(uri);
  const warmUp = 5;
  const times: number[] = [];
  for (let round = 0; round < rounds + warmUp; round++) {
    const typed = `${text.slice(0, at)}${'abcdefghij'.slice(0, 1 + (round % 10))}${text.slice(at)}`;
    const start = performance.now();
    host.apply({ files: [{ uri, text: typed }] });
    host.analysis().diagnostics(uri);
    if (round >= warmUp) times.push(performance.now() - start);
  }
  return { lines: text.split('\n').length, bytes: text.length, times };
}

/** Milliseconds of each keystroke with known issues, and without them. */
export interface KnownIssueTimes {
  readonly told: Times;
  readonly untold: Times;
}

/** The same keystrokes in two sessions, one of which leaves known issues out; they take turns. */
export function knownIssueTimes(lines: number, rounds: number, version: string, readPack: ReadPack): KnownIssueTimes {
  const text = deployments(lines);
  const uri = 'file:///bench/web.yaml';
  const at = text.indexOf('image: ', Math.floor(text.length / 2)) + 'image: '.length;
  const sessions = [CATEGORIES, CATEGORIES.filter(it => it !== 'known-issue')].map(only => {
    const host = newHost(readPack);
    host.apply({ settings: { ...defaultSettings, kubernetesVersion: version, only }, files: [{ uri, text }] });
    host.analysis().diagnostics(uri);
    return { host, times: [] as number[] };
  });
  const warmUp = 10;
  for (let round = 0; round < rounds + warmUp; round++) {
    const typed = `${text.slice(0, at)}${'abcdefghij'.slice(0, 1 + (round % 10))}${text.slice(at)}`;
    for (const { host, times } of round % 2 === 0 ? sessions : sessions.toReversed()) {
      const start = performance.now();
      host.apply({ files: [{ uri, text: typed }] });
      host.analysis().diagnostics(uri);
      if (round >= warmUp) times.push(performance.now() - start);
    }
  }
  const [told, untold] = sessions.map(it => it.times);
  return { told: told ?? [], untold: untold ?? [] };
}

export interface LineTimes {
  /** From each letter to the problems of all files that it touches. */
  readonly keys: Times;
  readonly completions: Times;
  /** Files whose problems one letter asked for, at most. */
  readonly touched: number;
}

/**
 * Types a field on a line of its own in the middle of a file: most of the time the line cannot be read.
 * @param folderOf the folder of a file by its number; the edited one is beside the first
 */
export function typedLines(
  text: string,
  around: readonly string[],
  rounds: number,
  readPack: ReadPack,
  folderOf: (i: number) => string = () => 'all',
): LineTimes {
  const host = newHost(readPack);
  const uri = `file:///bench/${folderOf(0)}/edited.yaml`;
  const files = around.map((text, i) => ({ uri: `file:///bench/${folderOf(i)}/${i}.yaml`, text }));
  host.apply({ files: [...files, { uri, text }] });
  for (const it of host.analysis().uris) host.analysis().quickDiagnostics(it);
  const line = text.lastIndexOf('\n', text.indexOf(' image: ', Math.floor(text.length / 2))) + 1;
  const indent = ' '.repeat(/^ *(?:- )?/.exec(text.slice(line))?.[0].length ?? 0);
  const word = 'imagePullPolicy: Always';
  const warmUp = 25;
  const [keys, completions]: [number[], number[]] = [[], []];
  let touched = 0;
  for (let round = 0; round < rounds + warmUp; round++) {
    const typed = `${indent}${word.slice(0, 1 + (round % word.length))}`;
    const start = performance.now();
    const uris = host.apply({ files: [{ uri, text: `${text.slice(0, line)}${typed}\n${text.slice(line)}` }] });
    for (const it of uris) host.analysis().quickDiagnostics(it);
    const told = performance.now();
    host.analysis().completion(uri, line + typed.length);
    if (round < warmUp) continue;
    keys.push(told - start);
    completions.push(performance.now() - told);
    touched = Math.max(touched, uris.length);
  }
  return { keys, completions, touched };
}

/** The objects of a file of many documents as the items of one List. */
export function listOf(text: string): string {
  const items = text.split('---\n').map(it => `- ${it.trimEnd().replaceAll('\n', '\n  ')}\n`);
  return `apiVersion: v1\nkind: List\nitems:\n${items.join('')}`;
}

/** Files with some Deployments each. */
export function filesOfDeployments(count: number, each = 10): readonly string[] {
  const deployment = (i: number): string => deployments(1, i).split('---\n')[0] ?? '';
  return Array.from({ length: count }, (_, i) =>
    Array.from({ length: each }, (_, j) => deployment(i * each + j)).join('---\n'),
  );
}

/** Each of these folders is an environment of its own. */
export const clusterFolder = (i: number): string => `clusters/c${i}`;

/**
 * Types the first letters of a field in the middle of one document that is a whole file; each time is from the letter
 * to the list of fields, and `offered` says how many there were.
 */
export function completions(
  lines: number,
  rounds: number,
  readPack: ReadPack,
): { readonly times: readonly number[]; readonly offered: number } {
  const host = newHost(readPack);
  const uri = 'file:///bench/wide.yaml';
  const container = (_: unknown, i: number): string =>
    `    - name: c${i}\n      image: nginx:1.${i}\n      resources:\n        requests:\n          cpu: 100m\n`;
  const containers = Array.from({ length: Math.round(lines / 5) }, container).join('');
  const text = `apiVersion: v1\nkind: Pod\nmetadata: { name: wide }\nspec:\n  containers:\n${containers}`;
  const line = text.indexOf('      image: ', Math.floor(text.length / 2));
  host.apply({ files: [{ uri, text }] });
  const warmUp = 10;
  const times: number[] = [];
  let offered = 0;
  for (let round = 0; round < rounds + warmUp; round++) {
    const word = 'livenessProbe'.slice(0, 1 + (round % 13));
    host.apply({ files: [{ uri, text: `${text.slice(0, line)}      ${word}\n${text.slice(line)}` }] });
    const start = performance.now();
    offered = host.analysis().completion(uri, line + 6 + word.length).items.length;
    if (round >= warmUp) times.push(performance.now() - start);
  }
  return { times, offered };
}

/** Milliseconds to read a workspace and to diagnose all of it, and the analysis that came of it. */
export interface ColdIndex {
  readonly index: number;
  readonly diagnose: number;
  readonly analysis: Analysis;
}

/**
 * Reads a workspace of many files at once and diagnoses all of them.
 * @param now Milliseconds; the time of day unless told otherwise.
 */
export function coldIndex(files: number, readPack: ReadPack, now: () => number = () => performance.now()): ColdIndex {
  const texts = Array.from({ length: files }, (_, i) => ({ uri: `file:///bench/${i}.yaml`, text: deployments(60, i) }));
  const start = now();
  const host = newHost(readPack);
  host.apply({ files: texts });
  const indexed = now();
  const analysis = host.analysis();
  for (const { uri } of texts) analysis.diagnostics(uri);
  return { index: indexed - start, diagnose: now() - indexed, analysis };
}

/** Milliseconds of one check of many files as `berth check` does it, and of an upgrade of them by one minor. */
export interface UpgradeTimes {
  readonly check: number;
  readonly upgrade: number;
}

/** Checks files, and then says in a host of its own what an upgrade changes for them; parsing counts in both. */
export async function upgradeTimes(count: number, readPack: ReadPack): Promise<UpgradeTimes> {
  const files = Array.from({ length: count }, (_, i) => ({ uri: `file:///bench/${i}.yaml`, text: deployments(60, i) }));
  const opened = () => {
    const host = newHost(readPack, 'once');
    host.apply({ files, settings: { ...defaultSettings, kubernetesVersion: '1.36' } });
    return host;
  };
  const start = performance.now();
  const { diagnostics } = opened().analysis();
  for (const { uri } of files) diagnostics(uri);
  const checked = performance.now();
  await opened().upgrade({ versions: ['1.36', '1.37'], uris: files.map(it => it.uri) });
  return { check: checked - start, upgrade: performance.now() - checked };
}

/** Microseconds that the API server's validation of one typical Pod takes, decoded and read before; each of some rounds. */
export function podValidation(rounds: number, readPack: ReadPack): Times {
  const kube = loadKube('1.37', {}, readPack);
  const value = parseManifests('pod.yaml', typicalPod).documents[0]?.value;
  const kind = kube.kindOf('v1', 'Pod');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('The Pod is no object.');
  const each = 500;
  return Array.from({ length: rounds }, () => {
    const start = performance.now();
    for (let i = 0; i < each; i++) answerOf(value as JsonObject, kind, kube);
    return ((performance.now() - start) * 1000) / each;
  });
}

export { bigEnvironment, lensTimes, previewTimes } from './preview';
export { busyCluster, placementKeystrokes, schedulingCycles } from './scheduling';
export { serverTimes } from './server';
export { counterfactualTimes } from './whatIf';
export { crossFileEdits } from './workspace';
/** Milliseconds that all checks of Pod security take on many Pods, read before, and how many fields they complain of. */
export interface PodSecurityTime {
  readonly milliseconds: number;
  readonly findings: number;
}

/** Holds typical Pods of a restricted namespace against every check; places in the text and words come later. */
export function podSecurityChecks(pods: number, readPack: ReadPack): PodSecurityTime {
  const kube = loadKube('1.37', {}, readPack);
  const kind = kube.kindOf('v1', 'Pod');
  const rules = RULES.filter(it => it.meta.code.startsWith('security/') && it.on === 'podSpec');
  const namespace = `apiVersion: v1
kind: Namespace
metadata: { name: shop, labels: { pod-security.kubernetes.io/enforce: restricted } }
`;
  const text = [namespace, ...Array<string>(pods).fill(typicalPod)].join('---\n');
  const snapshot = withFiles(
    emptySnapshot((_group, _version, name) => name === 'Pod'),
    [{ uri: 'pods.yaml', file: parseManifests('pods.yaml', text) }],
  );
  const objects = snapshot.objectsOf('', 'Pod');
  const start = performance.now();
  let findings = 0;
  for (const object of objects) {
    const context = { kube, snapshot, answers: new Map<string, unknown>() };
    const target = { object, value: object.manifest.value, kind };
    for (const rule of rules) findings += [...rule.check(target, context)].length;
  }
  return { milliseconds: performance.now() - start, findings };
}

export { definition } from './definitions';
export { deployments, typicalPod };
