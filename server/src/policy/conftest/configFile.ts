import type { JsonValue } from '../../base/json';
import type { Span } from '../../text/span';
import type { PolicyFileProblem } from '../policySet';
import type { ConftestSettings } from './settings';
import { parseToml, type TomlEntry } from './toml';

/** What a conftest.toml says, with what is wrong in it. */
export interface ConfigFile {
  readonly uri: string;
  readonly settings: ConftestSettings;
  readonly problems: readonly PolicyFileProblem[];
  /** Where the value of an option stands, by its name in the file. */
  readonly locations: ReadonlyMap<string, Span>;
}

export const isConfigFile = (uri: string): boolean => /(?:^|\/)conftest\.toml$/.test(uri);

type Read = (value: JsonValue) => Partial<ConftestSettings> | undefined;

/** Conftest takes a text with commas for a list, and "true" for true. */
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

/** An option that Berth does otherwise, with the sentence that says so where that matters. */
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

/** Reads a conftest.toml as Conftest does: names in any case, unknown ones without effect. What is wrong is told. */
export function readConfigFile(uri: string, content: string): ConfigFile {
  const { entries, error } = parseToml(content);
  const told = (message: string, span: Span, severity: PolicyFileProblem['severity']): PolicyFileProblem => ({
    uri,
    code: 'conftest/configuration',
    severity,
    message,
    span,
  });
  if (error !== undefined) {
    const problems = [told(error.message, error.span, 'error')];
    return { uri, settings: { policy: ['policy'], data: [], namespaces: [] }, problems, locations: new Map() };
  }
  const read = entries.map(it => ({ entry: it, ...settingsOf(it, told) }));
  const settings = read.map(it => it.settings ?? {});
  // All namespaces win over some, wherever they are written.
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
  told: (message: string, span: Span, severity: PolicyFileProblem['severity']) => PolicyFileProblem,
): { readonly settings?: Partial<ConftestSettings>; readonly problem?: PolicyFileProblem } {
  const name = nameOf(key);
  const option = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined;
  if (option === undefined) return { problem: told(`Conftest has no option \`${name}\`.`, keySpan, 'warning') };
  if (typeof option === 'object') {
    const sentence = option.noteFor(value);
    return sentence === undefined ? {} : { problem: told(sentence, span, 'info') };
  }
  const settings = option(value);
  return settings === undefined
    ? { problem: told(`Conftest cannot use this value for \`${name}\`.`, span, 'error') }
    : { settings };
}
