import type { JsonValue } from '../../base/json';
import { ownOf } from '../../base/ownOf';
import type { Span } from '../../text/span';
import type { PolicyFileProblem } from '../policySet';
import type { ConftestSettings } from './settings';
import { parseToml, type TomlEntry } from './toml';

/** The settings of a conftest.toml, and its problems. */
export interface ConfigFile {
  readonly uri: string;
  readonly settings: ConftestSettings;
  readonly problems: readonly PolicyFileProblem[];
  /** The span of each option's value, by option name. */
  readonly locations: ReadonlyMap<string, Span>;
}

export const isConfigFile = (uri: string): boolean => /(?:^|\/)conftest\.toml$/.test(uri);

type Read = (value: JsonValue) => Partial<ConftestSettings> | undefined;

/** Conftest accepts a comma-separated text as a list, and "true" as true. */
const texts =
  (field: 'policy' | 'data' | 'namespaces'): Read =>
  value => {
    const list = typeof value === 'string' ? value.split(',') : value;
    const isTexts = Array.isArray(list) && list.every(it => typeof it === 'string');
    return isTexts ? { [field]: list } : undefined;
  };

const flag =
  (settings: Partial<ConftestSettings>): Read =>
  value => {
    if (value === true || value === 'true') return settings;
    return value === false || value === 'false' ? {} : undefined;
  };

const text =
  (field: 'ignore' | 'capabilities'): Read =>
  value =>
    typeof value === 'string' ? { [field]: value } : undefined;

/** An option that Berth ignores or handles differently, with a message where the user has to know. */
interface IgnoredOption {
  readonly noteFor: (value: JsonValue) => string | undefined;
}

const withoutEffect: IgnoredOption = { noteFor: () => undefined };

/** The options of `conftest test` and `conftest verify` by name. */
const OPTIONS: Readonly<Record<string, Read | IgnoredOption>> = {
  policy: texts('policy'),
  data: texts('data'),
  namespace: texts('namespaces'),
  'all-namespaces': flag({ namespaces: ['*'] }),
  combine: flag({ combine: true }),
  ignore: text('ignore'),
  capabilities: text('capabilities'),
  strict: flag({ strict: true }),
  'show-builtin-errors': flag({ showBuiltinErrors: true }),
  'fail-on-warn': flag({ failOnWarn: true }),
  'no-fail': flag({ noFail: true }),
  'rego-version': value => {
    const version = typeof value === 'string' ? value.toLowerCase() : '';
    return version === 'v0' || version === 'v1' ? { regoVersion: version } : undefined;
  },
  update: { noteFor: () => 'Berth downloads nothing: it asks the Rego that is in the folder already.' },
  parser: {
    noteFor: value =>
      value === 'yaml' || value === 'json' || value === ''
        ? undefined
        : 'Berth asks Rego about Kubernetes manifests, which it reads as YAML and JSON whatever this says.',
  },
  ...Object.fromEntries(
    [
      'config-file',
      'github-hide-passed',
      'junit-hide-message',
      'no-color',
      'output',
      'proto-file-dirs',
      'quiet',
      'report',
      'stdin-filename',
      'suppress-exceptions',
      'tls',
      'trace',
      'var-values',
    ].map(it => [it, withoutEffect]),
  ),
};

/**
 * Reads a conftest.toml as Conftest does: option names are case-insensitive, unknown options have no effect. Mistakes
 * become problems.
 */
export function readConfigFile(uri: string, content: string): ConfigFile {
  const { entries, error } = parseToml(content);
  const problem = (message: string, span: Span, severity: PolicyFileProblem['severity']): PolicyFileProblem => ({
    uri,
    code: 'conftest/configuration',
    severity,
    message,
    span,
  });
  if (error !== undefined) {
    const problems = [problem(error.message, error.span, 'error')];
    return { uri, settings: { policy: ['policy'], data: [], namespaces: [] }, problems, locations: new Map() };
  }
  const read = entries.map(it => ({ entry: it, ...settingsOf(it, problem) }));
  const settings = read.map(it => it.settings ?? {});
  // `all-namespaces` overrides `namespace`, in any order.
  const all = settings.find(it => it.namespaces?.[0] === '*');
  return {
    uri,
    settings: Object.assign({ policy: ['policy'], data: [], namespaces: [] }, ...settings, all),
    problems: read.flatMap(it => it.problem ?? []),
    locations: new Map(entries.map(({ key, span }) => [nameOf(key), span])),
  };
}

const nameOf = (key: TomlEntry['key']): string => key.join('.').toLowerCase();

function settingsOf(
  { key, keySpan, value, span }: TomlEntry,
  problem: (message: string, span: Span, severity: PolicyFileProblem['severity']) => PolicyFileProblem,
): { readonly settings?: Partial<ConftestSettings>; readonly problem?: PolicyFileProblem } {
  const name = nameOf(key);
  const option = ownOf(OPTIONS, name);
  if (option === undefined) return { problem: problem(`Conftest has no option \`${name}\`.`, keySpan, 'warning') };
  if (typeof option === 'object') {
    const sentence = option.noteFor(value);
    return sentence === undefined ? {} : { problem: problem(sentence, span, 'info') };
  }
  const settings = option(value);
  return settings === undefined
    ? { problem: problem(`Conftest cannot use this value for \`${name}\`.`, span, 'error') }
    : { settings };
}
