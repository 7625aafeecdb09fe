import { defaultSettings } from '../../server/src/analysis/configuration/settings';
import { placementsOf } from '../../server/src/analysis/placement/placements';
import type { ManifestFile } from '../../server/src/manifest/manifest';
import { parseManifests } from '../../server/src/manifest/parse';
import { reparseManifests } from '../../server/src/manifest/reparse';
import { createRuleCache, type RuleCache } from '../../server/src/rules/engine/ruleCache';
import { problemsOfFile } from '../../server/src/rules/engine/run';
import type { PodSecurity } from '../../server/src/rules/framework/podSecurity';
import type { Category, Fix, Problem } from '../../server/src/rules/framework/problem';
import type { Preset, RuleContext } from '../../server/src/rules/framework/rule';
import { readPodSecurity } from '../../server/src/rules/security/configuration';
import { applyEdits } from '../../server/src/text/span';
import { emptySnapshot, withFiles } from '../../server/src/workspace/snapshot';
import type { Snapshot } from '../../server/src/workspace/workspace';
import { kubeFacts } from './packs';

export interface World {
  /** A version of Kubernetes, such as 1.37 or 1.34.3. */
  readonly minor?: string;
  readonly gates?: Readonly<Record<string, boolean>>;
  readonly complete?: boolean;
  readonly podSecurity?: PodSecurity;
  readonly severity?: Readonly<Record<string, Problem['severity'] | 'off'>>;
  readonly presets?: readonly Preset[];
  /** The categories that are asked for; all when absent. */
  readonly only?: readonly Category[];
  /** Rule results of objects that are carried over. */
  readonly cache?: RuleCache;
  /** The file before an edit; what the edit does not touch is carried over. */
  readonly before?: ManifestFile;
  /** The name of the file; a.yaml when absent. */
  readonly name?: string;
  /** Other files by name. */
  readonly beside?: Readonly<Record<string, string>>;
  /** Contents of paths that are not manifests. */
  readonly isThere?: RuleContext['pathKind'];
}

const root = 'test:///';

export function snapshotOf(files: Readonly<Record<string, string>>, world: World = {}): Snapshot {
  const kube = kubeFacts(world.minor, world.gates);
  const isNamespaced = (group: string, version: string, kind: string) =>
    kube.kindOf(group === '' ? version : `${group}/${version}`, kind)?.namespaced;
  return withFiles(
    emptySnapshot(isNamespaced, { complete: world.complete ?? false }),
    Object.entries(files).map(([name, text]) => ({ uri: name, file: parsed(name, text, world.before) })),
  );
}

const parsed = (uri: string, text: string, before: ManifestFile | undefined): ManifestFile =>
  before?.uri === uri ? reparseManifests(before, text) : parseManifests(uri, text);

/** An editing session: after an edit only the changed parts are computed again, as in an editor. */
export function editing(text: string, world: World): World {
  return { ...world, cache: createRuleCache(), before: parseManifests(uriOf(world), text) };
}

const uriOf = ({ name = 'a.yaml' }: World): string => `${root}${name}`;

/** The only place where rule tests use the engine. A rule that throws fails the test. */
export function diagnose(text: string, world: World = {}): readonly Problem[] {
  const kube = kubeFacts(world.minor, world.gates);
  const uri = uriOf(world);
  const beside = Object.entries(world.beside ?? {}).map(([name, it]) => [root + name, it]);
  const snapshot = snapshotOf({ ...Object.fromEntries(beside), [uri]: text }, world);
  const file = snapshot.files.get(uri);
  if (file === undefined) throw new Error('no file');
  const onBug = (code: string, error: unknown) => {
    throw new Error(`${code}: ${error}`);
  };
  const placements = placementsOf(snapshot, kube, { ...defaultSettings, featureGates: world.gates ?? {} });
  return problemsOfFile(
    file,
    snapshot.objectsIn(uri),
    {
      kube,
      snapshot,
      ...(placements.knowsNodes(uri) && { placement: placements.facts }),
      ...(world.podSecurity && { podSecurity: world.podSecurity }),
      ...(world.isThere && { pathKind: world.isThere }),
    },
    {
      onBug,
      ...(world.severity && { severity: world.severity }),
      ...(world.presets && { presets: world.presets }),
      ...(world.only && { only: world.only }),
      ...(world.cache && { cache: world.cache }),
    },
  );
}

/** The text after the first fix whose title starts with `title`; undefined when there is none. */
export function fixed(text: string, title: string, world: World = {}): string | undefined {
  const fix = fixesOf(text, world).find(it => it.title.startsWith(title));
  return fix && applyEdits(text, fix.edits);
}

export function fixesOf(text: string, world: World = {}): readonly Fix[] {
  return diagnose(text, world).flatMap(it => it.fixes);
}

/** `# name: kustomization.yaml` names the file, `# beside base/pod.yaml: { kind: Pod }` others, `# folder: NAME` an empty folder. */
function placeOf(text: string): Pick<World, 'name' | 'beside' | 'isThere'> {
  const name = /^# name: (.*)$/m.exec(text)?.[1];
  if (name === undefined) return {};
  const folders = [...text.matchAll(/^# folder: (.*)$/gm)].map(it => root + it[1]);
  const beside = [...text.matchAll(/^# beside ([^\s:]+): (.*)$/gm)].map(it => [it[1]!, it[2]!]);
  return {
    name,
    beside: Object.fromEntries(beside) as Readonly<Record<string, string>>,
    isThere: uri => (folders.includes(uri) ? 'folder' : 'nothing'),
  };
}

/**
 * `# version: 1.34.3`, `# gates: A, B`, `# complete`, `# on: practice/replicas` and `# podSecurity: {…}` in the first
 * lines set the environment of a fixture.
 */
export function worldOf(text: string): World {
  const gates = /^# gates: (.*)$/m.exec(text)?.[1]?.split(/,\s*/) ?? [];
  const opinion = /^# on: (.*)$/m.exec(text)?.[1];
  const version = /^# version: (.*)$/m.exec(text)?.[1];
  const security = /^# podSecurity: (.*)$/m.exec(text)?.[1];
  return {
    gates: Object.fromEntries(gates.map(it => [it, true])),
    complete: /^# complete$/m.test(text),
    ...placeOf(text),
    ...(version !== undefined && { minor: version }),
    ...(opinion !== undefined && { severity: { [opinion]: 'warning' as const } }),
    ...(security !== undefined && { podSecurity: readPodSecurity(JSON.parse(security)).podSecurity }),
  };
}
