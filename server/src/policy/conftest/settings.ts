import type { JsonObject, JsonValue } from '../../base/json';
import { isObject } from '../../base/json';

export type RegoVersion = 'v0' | 'v1';

/** What Conftest is told on its command line, or in its conftest.toml; paths from the folder that it is run in. */
export interface ConftestSettings {
  /** Folders and files of Rego. */
  readonly policy: readonly string[];
  /** Folders and files whose values are `data`. */
  readonly data: readonly string[];
  /** Packages that are asked, names or globs; empty: `main`, or all where there is no such package. */
  readonly namespaces: readonly string[];
  /** One question about all documents together, in place of one for each. */
  readonly combine?: boolean;
  /** A regular expression of Go on paths that are not tested. */
  readonly ignore?: string;
  /** Absent: v1, and v0 for what only parses so. */
  readonly regoVersion?: RegoVersion;
  readonly strict?: boolean;
  /** Whether a built-in function that fails ends the evaluation; else what it is asked for is undefined. */
  readonly showBuiltinErrors?: boolean;
  /** A file that restricts what Rego may call. */
  readonly capabilities?: string;
  /** Whether `warn` rules end the run with a failure. */
  readonly failOnWarn?: boolean;
  /** Whether nothing ends the run with a failure. */
  readonly noFail?: boolean;
}

interface Key {
  readonly schema: JsonObject;
  /** What a value must be, after "must be". */
  readonly wanted: string;
  /** undefined for a value of another type. */
  readonly read: (value: JsonValue) => boolean | string | readonly string[] | undefined;
}

const TEXTS: Key = {
  schema: { type: 'array', items: { type: 'string' } },
  wanted: 'a list of texts',
  read: value => (Array.isArray(value) && value.every(it => typeof it === 'string' && it !== '') ? value : undefined),
};
const FLAG: Key = {
  schema: { type: 'boolean' },
  wanted: 'true or false',
  read: value => (typeof value === 'boolean' ? value : undefined),
};
const TEXT: Key = {
  schema: { type: 'string' },
  wanted: 'a text',
  read: value => (typeof value === 'string' ? value : undefined),
};
const VERSION: Key = {
  schema: { enum: ['v0', 'v1'] },
  wanted: 'v0 or v1',
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

/** Reads the value of `conftest:`; what is wrong is told and left out. */
export function readConftest(
  value: JsonValue,
  complain: (clause: string, at?: readonly (string | number)[]) => void,
): ConftestSettings | undefined {
  const names = Object.keys(KEYS);
  if (!isObject(value)) {
    complain(`must be an object with some of: ${names.join(', ')}`);
    return undefined;
  }
  for (const key of Object.keys(value)) {
    if (!names.includes(key)) complain(`is not one of: ${names.join(', ')}`, [key]);
  }
  const read = Object.entries(KEYS).flatMap(([name, { read, wanted }]) => {
    const written = value[name];
    if (written === undefined) return [];
    const found = read(written);
    if (found === undefined) complain(`must be ${wanted}`, [name]);
    return found === undefined ? [] : [[name, found] as const];
  });
  return { policy: [], data: [], namespaces: [], ...Object.fromEntries(read) };
}
