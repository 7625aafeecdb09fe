import type { PolicyFileProblem } from '../policySet';
import { type RegoError, sentenceOf, spanOfRegoError } from '../regoText';
import { type ConftestFolder, dataRequest } from './folders';
import { enginePath } from './regoFiles';
import type { RegoRule } from './results';
import type { RegoVersion } from './settings';

/** A rule that Conftest evaluates. */
export interface RuleQuery {
  readonly namespace: string;
  readonly rule: string;
}

export interface CompileAnswer {
  readonly handle: number;
  readonly rules?: readonly RegoRule[] | null;
  readonly questions?: readonly RuleQuery[] | null;
  readonly errors?: readonly RegoError[];
}

/** The engine's request to compile the Rego of a folder, as `conftest test` and `conftest verify` do. */
export function compileRequest(folder: ConftestFolder, regoVersion: RegoVersion) {
  const { modules, settings, capabilities = '' } = folder;
  const { namespaces, ignore = '', strict = false, showBuiltinErrors = false } = settings;
  return {
    modules: Object.fromEntries([...modules].map(([uri, text]) => [enginePath(uri), text])),
    ...dataRequest(folder),
    regoVersion,
    strict,
    namespaces,
    ignore,
    capabilities,
    showBuiltinErrors,
  };
}

/** The Rego version to try first, and the one to try if the first does not parse and no version is configured. */
export function versionsOf({ settings }: ConftestFolder): readonly [first: RegoVersion, next?: RegoVersion] {
  return settings.regoVersion === undefined ? ['v1', 'v0'] : [settings.regoVersion];
}

/**
 * The result for the first version that parses. If that is the older version, `inNewer` holds the errors in the newer
 * one.
 */
export async function inSomeVersion<Answer extends { readonly errors?: readonly RegoError[] }>(
  folder: ConftestFolder,
  compile: (version: RegoVersion) => Promise<Answer>,
): Promise<{ readonly version: RegoVersion; readonly answer: Answer; readonly inNewer?: readonly RegoError[] }> {
  const [first, next] = versionsOf(folder);
  const answer = await compile(first);
  const isOther = next !== undefined && answer.errors?.some(it => it.code === 'rego_parse_error');
  const other = isOther ? await compile(next) : undefined;
  if (other === undefined || next === undefined || (other.errors ?? []).length > 0) return { version: first, answer };
  return { version: next, answer: other, inNewer: answer.errors ?? [] };
}

/** Maps the engine's name of a module to its uri. */
export function urisOf({ modules }: ConftestFolder): (name: string) => string {
  const byName = new Map([...modules.keys()].map(it => [enginePath(it), it]));
  return name => byName.get(name) ?? name;
}

/** Options of conftest.toml that the engine may reject, by error code. */
const OPTION_OF: Readonly<Record<string, string>> = {
  ignore_error: 'ignore',
  namespace_error: 'namespace',
  capabilities_error: 'capabilities',
  data_error: 'data',
};

/** The problem for an error: at its position in the Rego, or at the option in conftest.toml that causes it. */
export function problemOf(folder: ConftestFolder, error: RegoError): PolicyFileProblem {
  const option = OPTION_OF[error.code];
  const span = option === undefined ? undefined : folder.config?.locations.get(option);
  const head = { severity: 'error', message: sentenceOf(error) } as const;
  if (span !== undefined && folder.config !== undefined) {
    return { ...head, uri: folder.config.uri, code: 'conftest/configuration', span };
  }
  const uri = uriOfError(folder, error);
  return { ...head, uri, code: `conftest/${error.code}`, span: spanOfRegoError(folder.modules.get(uri) ?? '', error) };
}

const uriOfError = (folder: ConftestFolder, { location }: RegoError): string =>
  location?.file === undefined ? ([...folder.modules.keys()][0] ?? '') : urisOf(folder)(location.file);

/** The problem of a folder that compiles only as Rego v0. */
export function oldRegoProblem(folder: ConftestFolder, [first]: readonly RegoError[]): readonly PolicyFileProblem[] {
  if (first === undefined) return [];
  return [
    {
      ...problemOf(folder, first),
      code: 'conftest/rego-v0',
      severity: 'info',
      message:
        'This is Rego v0. Conftest takes v1 since 0.60; say `import rego.v1`, or `rego-version = "v0"` in conftest.toml.',
    },
  ];
}

/** The rules of an answer, with the uris of their modules. */
export function rulesOf(folder: ConftestFolder, { rules }: CompileAnswer): readonly RegoRule[] {
  const uriOf = urisOf(folder);
  return (rules ?? []).map(it => ({ ...it, file: uriOf(it.file) }));
}
