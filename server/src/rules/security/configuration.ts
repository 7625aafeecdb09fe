import type { UnknownObject } from '../../base/json';
import { t } from '../../base/l10n';
import { jsonText } from '../../base/printed';
import { dns1123LabelErrors, dns1123SubdomainErrors } from '../../kube/names';
import type { PodSecurity } from '../framework/podSecurity';
import {
  LEVEL_DETAIL,
  type LevelVersion,
  MODES,
  type Mode,
  parseLevel,
  parseVersion,
  VERSION_DETAIL,
} from '../framework/podSecurityLevels';

const PRIVILEGED: LevelVersion = { level: 'privileged', version: 'latest' };

/** A server without a configuration: only labels count. */
export const defaultPodSecurity: PodSecurity = {
  defaults: { enforce: PRIVILEGED, warn: PRIVILEGED, audit: PRIVILEGED },
  exemptions: { usernames: [], namespaces: [], runtimeClasses: [] },
};

const EXEMPTIONS: Readonly<Record<keyof PodSecurity['exemptions'], (name: string) => readonly string[]>> = {
  usernames: name => (name === '' ? ['username must not be empty'] : []),
  namespaces: dns1123LabelErrors,
  runtimeClasses: dns1123SubdomainErrors,
};

export interface ReadPodSecurity {
  readonly podSecurity: PodSecurity;
  /** Parts of the configuration that are invalid, one clause each; such a part counts as absent. */
  readonly problems: readonly string[];
}

/**
 * Reads a configuration in the shape of upstream's PodSecurityConfiguration, `{ defaults: { enforce, enforce-version, …
 * }, exemptions: { usernames, namespaces, runtimeClasses } }`, and `username`. Upstream: ValidatePodSecurityConfiguration.
 */
export function readPodSecurity(given: unknown): ReadPodSecurity {
  const problems: string[] = [];
  const report: Report = problem => void problems.push(problem);
  const whole = mapping(given, '', ['apiVersion', 'kind', 'defaults', 'exemptions', 'username'], report);
  const fields = MODES.flatMap(it => [it, `${it}-version`]);
  const written = mapping(whole.defaults, 'defaults', fields, report);
  const exempt = mapping(whole.exemptions, 'exemptions', Object.keys(EXEMPTIONS), report);
  const { username } = whole;
  if (username !== undefined && typeof username !== 'string') report(t('username must be a string'));
  const podSecurity: PodSecurity = {
    defaults: {
      enforce: levelVersion('enforce', written, report),
      warn: levelVersion('warn', written, report),
      audit: levelVersion('audit', written, report),
    },
    exemptions: {
      usernames: names('usernames', exempt, report),
      namespaces: names('namespaces', exempt, report),
      runtimeClasses: names('runtimeClasses', exempt, report),
    },
    ...(typeof username === 'string' && username !== '' && { username }),
  };
  return { podSecurity, problems };
}

/** Reports a problem, as one clause. */
type Report = (problem: string) => void;

function mapping(value: unknown, path: string, known: readonly string[], report: Report): UnknownObject {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    report(path === '' ? t('it must be a mapping') : t`${path} must be a mapping`);
    return {};
  }
  for (const key of Object.keys(value)) {
    if (!known.includes(key)) report(t`${path === '' ? key : `${path}.${key}`} is not one of: ${known.join(', ')}`);
  }
  return value as UnknownObject;
}

function levelVersion(mode: Mode, written: UnknownObject, report: Report): LevelVersion {
  const word = <T>(field: string, parse: (word: string) => T | undefined, detail: string): T | undefined => {
    const value = written[field];
    if (value === undefined || value === null || value === '') return undefined;
    const known = typeof value === 'string' ? parse(value) : undefined;
    if (known === undefined) report(`defaults.${field}: Invalid value: ${jsonText(value)}: ${detail}`);
    return known;
  };
  return {
    level: word(mode, parseLevel, LEVEL_DETAIL) ?? 'privileged',
    version: word(`${mode}-version`, parseVersion, VERSION_DETAIL) ?? 'latest',
  };
}

function names(field: keyof PodSecurity['exemptions'], exempt: UnknownObject, report: Report): readonly string[] {
  const value = exempt[field];
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    report(`exemptions.${field} must be a list`);
    return [];
  }
  const known = new Set<string>();
  for (const [i, name] of value.entries()) {
    const path = `exemptions.${field}[${i}]`;
    const errors = typeof name === 'string' ? EXEMPTIONS[field](name) : ['must be a string'];
    if (errors.length > 0) report(`${path}: Invalid value: ${jsonText(name)}: ${errors.join(', ')}`);
    else if (known.has(name)) report(`${path}: Duplicate value: ${jsonText(name)}`);
    else known.add(name);
  }
  return [...known];
}

/**
 * Reads `restricted`, `restricted:v1.30` (the enforced default), or `enforce=baseline,warn=restricted:latest`, which
 * override the configuration. Invalid words are reported among the problems.
 */
export function withDefaultLevels(podSecurity: PodSecurity, text: string): ReadPodSecurity {
  const problems: string[] = [];
  const defaults: Record<Mode, LevelVersion> = { ...podSecurity.defaults };
  for (const part of text.split(',').map(it => it.trim())) {
    const [, mode = 'enforce', level = '', version = 'latest'] = /^(?:(\w+)=)?([^:=]*)(?::(.*))?$/.exec(part) ?? [];
    const known = { mode: MODES.find(it => it === mode), level: parseLevel(level), version: parseVersion(version) };
    if (known.mode === undefined) problems.push(`"${part}" must begin with one of ${MODES.join(', ')}`);
    else if (known.level === undefined) problems.push(`"${part}": the level ${LEVEL_DETAIL}`);
    else if (known.version === undefined) problems.push(`"${part}": the version ${VERSION_DETAIL}`);
    else defaults[known.mode] = { level: known.level, version: known.version };
  }
  return { podSecurity: { ...podSecurity, defaults }, problems };
}
