import { isObject, type JsonObject, type JsonValue } from '../../base/json';
import { t } from '../../base/l10n';

export type RegoVersion = 'v0' | 'v1';

/** Conftest's settings, from its command line or conftest.toml. Paths are relative to the folder in which it runs. */
export interface ConftestSettings {
  /** Folders and files of Rego. */
  readonly policy: readonly string[];
  /** Folders and files whose values become `data`. */
  readonly data: readonly string[];
  /** Packages to evaluate, names or globs. Empty: `main`, or all packages when there is no `main`. */
  readonly namespaces: readonly string[];
  /** Evaluates all documents together instead of each alone. */
  readonly combine?: boolean;
  /** A Go regular expression for paths that are not tested. */
  readonly ignore?: string;
  /** Absent: v1, with v0 as the fallback for Rego that only parses as v0. */
  readonly regoVersion?: RegoVersion;
  readonly strict?: boolean;
  /** Whether a failing built-in function is an error; otherwise its value is undefined. */
  readonly showBuiltinErrors?: boolean;
  /** A file that restricts which built-in functions Rego may call. */
  readonly capabilities?: string;
  /** Whether `warn` rules fail the run. */
  readonly failOnWarn?: boolean;
  /** Whether the run never fails. */
  readonly noFail?: boolean;
}

interface Key {
  readonly schema: JsonObject;
  /** Completes "must be …" in error messages. */
  readonly wanted: () => string;
  /** undefined for a value of the wrong type. */
  readonly read: (value: JsonValue) => boolean | string | readonly string[] | undefined;
}

const TEXTS: Key = {
  schema: { type: 'array', items: { type: 'string' } },
  wanted: () => t('a list of texts'),
  read: value => (Array.isArray(value) && value.every(it => typeof it === 'string' && it !== '') ? value : undefined),
};
const FLAG: Key = {
  schema: { type: 'boolean' },
  wanted: () => t('true or false'),
  read: value => (typeof value === 'boolean' ? value : undefined),
};
const TEXT: Key = {
  schema: { type: 'string' },
  wanted: () => t('a text'),
  read: value => (typeof value === 'string' ? value : undefined),
};
const VERSION: Key = {
  schema: { enum: ['v0', 'v1'] },
  wanted: () => t('v0 or v1'),
  read: value => (value === 'v0' || value === 'v1' ? value : undefined),
};

/** The keys below `conftest:` in berth.yaml. */
const KEYS = {
  policy: TEXTS,
  data: TEXTS,
  namespaces: TEXTS,
  combine: FLAG,
  ignore: TEXT,
  regoVersion: VERSION,
  strict: FLAG,
} as const satisfies Partial<Record<keyof ConftestSettings, Key>>;

export const CONFTEST_SCHEMA: JsonObject = {
  type: 'object',
  properties: Object.fromEntries(Object.entries(KEYS).map(([name, { schema }]) => [name, schema])),
  additionalProperties: false,
};

/** Reads the value of `conftest:`. Wrong values are reported and left out. */
export function readConftest(
  value: JsonValue,
  onProblem: (clause: string, at?: readonly (string | number)[]) => void,
): ConftestSettings | undefined {
  const names = Object.keys(KEYS);
  if (!isObject(value)) {
    onProblem(t`must be an object with some of: ${names.join(', ')}`);
    return undefined;
  }
  for (const key of Object.keys(value)) {
    if (!names.includes(key)) onProblem(t`is not one of: ${names.join(', ')}`, [key]);
  }
  const read = Object.entries(KEYS).flatMap(([name, { read, wanted }]) => {
    const written = value[name];
    if (written === undefined) return [];
    const found = read(written);
    if (found === undefined) onProblem(t`must be ${wanted()}`, [name]);
    return found === undefined ? [] : [[name, found] as const];
  });
  return { policy: [], data: [], namespaces: [], ...Object.fromEntries(read) };
}
