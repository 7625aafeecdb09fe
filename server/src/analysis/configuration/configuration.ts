import { isObject, type JsonObject, type JsonValue } from '../../base/json';
import { t } from '../../base/l10n';
import { nearestNames } from '../../base/nearest';
import { FieldPath, type Segment, type SpanPart } from '../../manifest/fieldPath';
import type { ManifestFile, ManifestObject } from '../../manifest/manifest';
import { parseManifests } from '../../manifest/parse';
import type { Problem } from '../../rules/framework/problem';
import { CONFIGURATION } from '../../rules/metas/configuration';
import type { Span } from '../../text/span';
import { baseNameOf } from '../../workspace/paths';
import { CONFIGURATION_KEYS, type ConfigurationKey } from './keys';
import { defaultSettings, type Settings } from './settings';

/** Names of configuration files; the first that exists counts. */
export const CONFIGURATION_NAMES: readonly string[] = ['berth.yaml', '.berth.yaml', 'berth.yml', '.berth.yml'];

/** Files that are deployed together, with the settings that differ from the rest of the folder. */
export interface ConfiguredEnvironment {
  readonly name: string;
  /** Files, folders and patterns (`*` within a step, `**` over steps), from the folder of the configuration. */
  readonly paths: readonly string[];
  readonly settings: Partial<Settings>;
}

/** A part of a configuration that is ignored. */
export interface ConfigurationProblem {
  /** One clause that names the location: `severity.a/b must be one of: …`. */
  readonly clause: string;
  /** A shorter clause, where `clause` has a long list. */
  readonly headline?: string;
  readonly severity: 'error' | 'warning' | 'hint';
  readonly at: FieldPath;
  readonly span: Span;
  /** The valid word that was probably meant. */
  readonly nearest?: string;
}

/** The content of one berth.yaml. Invalid parts count as absent. */
export interface Configuration {
  readonly uri: string;
  readonly file: ManifestFile;
  readonly settings: Partial<Settings>;
  readonly environments: readonly ConfiguredEnvironment[];
  readonly problems: readonly ConfigurationProblem[];
}

/** Whether a file with this name configures its folder, if that is open. */
export function isConfigurationName(uri: string): boolean {
  return CONFIGURATION_NAMES.includes(baseNameOf(uri));
}

/** Parses a configuration. */
export function configurationOf(uri: string, text: string): Configuration {
  return readConfiguration(parseManifests(uri, text));
}

/** Reads a configuration. Never throws: problems have their locations. */
export function readConfiguration(file: ManifestFile): Configuration {
  const [document, second] = file.documents.filter(it => it.value !== undefined && it.value !== null);
  const object = document?.objects[0];
  const problems: ConfigurationProblem[] = [];
  const nothing = { uri: file.uri, file, settings: {}, environments: [], problems };
  if (document === undefined) return nothing;
  if (object === undefined || !isObject(document.value)) {
    problems.push({ clause: t('it must be a mapping'), severity: 'error', at: FieldPath.root, span: document.span });
    return nothing;
  }
  if (second !== undefined) {
    const clause = t('it must be one document; the others are passed over');
    problems.push({ clause, severity: 'error', at: FieldPath.root, span: second.span });
  }
  const reading: Reading = { object, problems };
  const { environments = null, ...top } = object.value;
  return {
    uri: file.uri,
    file,
    settings: readKeys(top, FieldPath.root, ['environments'], reading),
    environments: environments === null ? [] : readEnvironments(environments, reading),
    problems,
  };
}

interface Reading {
  readonly object: ManifestObject;
  readonly problems: ConfigurationProblem[];
}

function readKeys(value: JsonObject, at: FieldPath, others: readonly string[], reading: Reading): Partial<Settings> {
  const read = Object.entries(value).map(([name, written]): Partial<Settings> => {
    if (others.includes(name)) return {};
    const key = CONFIGURATION_KEYS.find(it => it.name === name);
    if (key === undefined) {
      tellUnknown(name, at, [...CONFIGURATION_KEYS.map(it => it.name), ...others], reading);
      return {};
    }
    return written === null ? {} : readKey(key, written, at.child(name), reading);
  });
  return Object.assign({}, ...read) as Partial<Settings>;
}

function readKey(key: ConfigurationKey, value: JsonValue, at: FieldPath, reading: Reading): Partial<Settings> {
  return key.read(value, (clause, steps = [], severity = 'error') => {
    const place = FieldPath.of(...at.segments, ...steps);
    const part = steps.length > 0 && severity === 'warning' ? 'key' : 'value';
    tell(`${wordsOf(place)}${clause.startsWith(':') ? '' : ' '}${clause}`, place, part, reading, severity);
  });
}

/** A limit on environments, because each of them takes memory. */
export const MOST_ENVIRONMENTS = 1_000;

function readEnvironments(value: JsonValue, reading: Reading): readonly ConfiguredEnvironment[] {
  const at = FieldPath.of('environments');
  if (!isObject(value)) {
    tell(t('environments must be a mapping of names to environments'), at, 'value', reading);
    return [];
  }
  const all = Object.entries(value);
  const [firstLeft] = all[MOST_ENVIRONMENTS] ?? [];
  if (firstLeft !== undefined) {
    const [count, most] = [all.length, MOST_ENVIRONMENTS].map(it => it.toLocaleString('en'));
    const clause = t`environments has ${count} entries; the first ${most} are read, those from here on are not`;
    tell(clause, at.child(firstLeft), 'key', reading);
  }
  return all.slice(0, MOST_ENVIRONMENTS).flatMap(([name, written]): readonly ConfiguredEnvironment[] => {
    const place = at.child(name);
    if (!isObject(written)) {
      tell(t`${wordsOf(place)} must be a mapping with paths`, place, 'key', reading);
      return [];
    }
    const paths = readPaths(written.paths, place, reading);
    return [{ name, paths, settings: readKeys(written, place, ['paths'], reading) }];
  });
}

function readPaths(value: JsonValue | undefined, environment: FieldPath, reading: Reading): readonly string[] {
  const at = environment.child('paths');
  if (value === undefined || value === null) {
    tell(
      t`${wordsOf(environment)} needs paths: the files and folders that are deployed together`,
      environment,
      'key',
      reading,
    );
    return [];
  }
  if (!Array.isArray(value)) {
    tell(t`${wordsOf(at)} must be a list of files and folders`, at, 'value', reading);
    return [];
  }
  return value.flatMap((path, i) => {
    if (typeof path === 'string' && path !== '') return [path];
    tell(t`${wordsOf(at.index(i))} must be the path of a file or a folder`, at.index(i), 'value', reading);
    return [];
  });
}

function tellUnknown(name: string, at: FieldPath, known: readonly string[], reading: Reading): void {
  const [nearest] = nearestNames(name, known);
  const where = at.parent === undefined ? '' : `${wordsOf(at)}: `;
  const hint = nearest === undefined ? '' : t`; did you mean "${nearest}"?`;
  const place = at.child(name);
  const { problems, object } = reading;
  problems.push({
    clause: where + t`"${name}" is not one of: ${known.join(', ')}${hint}`,
    headline: where + t`"${name}" is no key here${hint}`,
    severity: 'error',
    at: place,
    span: object.spanOf(place, 'key'),
    ...(nearest !== undefined && { nearest }),
  });
}

function tell(
  clause: string,
  at: FieldPath,
  part: SpanPart,
  { object, problems }: Reading,
  severity: ConfigurationProblem['severity'] = 'error',
): void {
  problems.push({ clause, severity, at, span: object.spanOf(at, part) });
}

/** A path in the format of this file's messages, with keys of maps like fields. */
function wordsOf(path: FieldPath): string {
  const word = (it: Segment): string =>
    typeof it === 'number' ? `[${it}]` : `.${typeof it === 'object' ? it.key : it}`;
  return path.segments.map(word).join('').replace(/^\./, '');
}

const ended = (clause: string): string => (/[.?。？]$/.test(clause) ? clause : t`${clause}.`);

/** The problems of a configuration for the editor. */
export function configurationProblems({ uri, problems }: Configuration): readonly Problem[] {
  return problems.map(({ clause, headline, severity, at, span, nearest }) => ({
    code: CONFIGURATION.code,
    category: CONFIGURATION.category,
    severity,
    ...(headline !== undefined && { headline, detail: ended(clause) }),
    message: ended(clause),
    ...(at.parent !== undefined && { fieldPath: wordsOf(at) }),
    uri,
    document: 0,
    span,
    related: [],
    fixes:
      nearest === undefined
        ? []
        : [{ title: t`Rename to ${nearest}`, safety: 'safe', edits: [{ uri, span, newText: nearest }] }],
  }));
}

/** The settings with those of a configuration, and of one of its environments. */
export function settingsIn(
  configuration: Configuration | undefined,
  environment: string | undefined,
  below = defaultSettings,
): Settings {
  const own = configuration?.environments.find(it => it.name === environment);
  return withLayer(withLayer(below, configuration?.settings ?? {}), own?.settings ?? {});
}

/** Settings with overrides: maps are merged by key, anything else is replaced. */
function withLayer(below: Settings, above: Partial<Settings>): Settings {
  const featureGates = laidOver(below.featureGates, above.featureGates);
  const severity = laidOver(below.severity, above.severity);
  return { ...below, ...above, featureGates, severity };
}

/** A map with another over it; one of the two itself where the other has nothing: hundreds of environments may share a large one. */
function laidOver<T>(
  below: Readonly<Record<string, T>>,
  above: Readonly<Record<string, T>> = {},
): Readonly<Record<string, T>> {
  if (Object.keys(above).length === 0) return below;
  return Object.keys(below).length === 0 ? above : { ...below, ...above };
}
