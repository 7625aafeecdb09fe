import { parseClusterSource, sourceText } from '../analysis/clusters';
import { PRESETS, readPodSecurity, unknownCode } from '../analysis/metadata';
import { SEVERITIES } from '../analysis/problems';
import { defaultSettings, type Settings } from '../analysis/settings';
import type { Severity } from '../rules/framework/problem';

const severities = [...SEVERITIES, 'off'] as const;

/** Reads the editor's settings under `berth`. An invalid setting falls back to its default and gives a problem, a sentence. */
export function readSettings(given: unknown): { readonly settings: Settings; readonly problems: readonly string[] } {
  if (typeof given !== 'object' || given === null) return { settings: defaultSettings, problems: [] };
  const problems: string[] = [];
  const from = given as Readonly<Record<string, unknown>>;
  const settings: Settings = {
    kubernetesVersion:
      typeof from.kubernetesVersion === 'string' ? from.kubernetesVersion : defaultSettings.kubernetesVersion,
    featureGates: entriesOf('featureGates', (it): it is boolean => typeof it === 'boolean', 'true or false'),
    cluster: clusterOf(from.cluster),
    completeSources: from.completeSources === true,
    foreignFiles: 'skip',
    severity: entriesOf(
      'severity',
      (it): it is (typeof severities)[number] => severities.some(known => known === it),
      severities.join(', '),
    ),
    inlayHints: from.inlayHints !== false,
    render: from.render === 'off' ? 'off' : 'auto',
    presets: presetsOf(from.presets),
    // Rules belong to the repository, not to the user's settings.
    rules: [],
    ...podSecurityOf(from.podSecurity),
  };
  for (const code of Object.keys(settings.severity)) {
    const unknown = unknownCode(code);
    if (unknown !== undefined) problems.push(`Setting berth.severity: "${code}" ${unknown.replace(/[^?]$/, '$&.')}`);
  }
  return { settings, problems };

  function clusterOf(value: unknown): string {
    if (typeof value !== 'string' || value === '') return defaultSettings.cluster;
    const parsed = parseClusterSource(value);
    if ('source' in parsed) return sourceText(parsed.source);
    problems.push(`Setting berth.cluster: ${parsed.problem}.`);
    return defaultSettings.cluster;
  }

  function presetsOf(value: unknown): Settings['presets'] {
    if (value === undefined || value === null) return [];
    const given: readonly unknown[] = Array.isArray(value) ? value : [value];
    const presets = PRESETS.filter(it => given.includes(it));
    if (presets.length < given.length) problems.push(`Setting berth.presets must be a list of: ${PRESETS.join(', ')}.`);
    return presets;
  }

  function podSecurityOf(value: unknown): Pick<Settings, 'podSecurity'> {
    if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return {};
    const read = readPodSecurity(value);
    problems.push(...read.problems.map(it => `Setting berth.podSecurity: ${it}.`));
    return { podSecurity: read.podSecurity };
  }

  function entriesOf<T>(name: string, isValid: (value: unknown) => value is T, wanted: string): Record<string, T> {
    const value = from[name];
    if (typeof value !== 'object' || value === null) return {};
    const entries: [string, T][] = [];
    for (const [key, entry] of Object.entries(value)) {
      if (isValid(entry)) entries.push([key, entry]);
      else problems.push(`Setting berth.${name}: "${key}" must be one of: ${wanted}.`);
    }
    return Object.fromEntries(entries);
  }
}

/** Which problems the editor lists. */
export interface Listing {
  /**
   * `open`: of open files; `environment`: also of files that are deployed together with a file that was opened, as long
   * as these are not too many; `all`: of every file.
   */
  readonly files: 'open' | 'environment' | 'all';
  /** The mildest severity that is listed. */
  readonly minSeverity: Severity;
}

const MILDEST: Listing['minSeverity'] = 'hint';

/** Reads `berth.problems` and `berth.minSeverity`; a client without settings gets the problems of all files. */
export function readListing(given: unknown): Listing {
  const from: Readonly<Record<string, unknown>> = typeof given === 'object' && given !== null ? { ...given } : {};
  const minSeverity = SEVERITIES.find(it => it === from.minSeverity) ?? MILDEST;
  const files = (['open', 'environment', 'all'] as const).find(it => it === from.problems) ?? 'all';
  return { files, minSeverity };
}

export const EVERYTHING: Listing = { files: 'all', minSeverity: MILDEST };
