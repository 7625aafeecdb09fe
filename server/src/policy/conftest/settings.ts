import { isObject } from '../../manifest/json';
import type { JsonObject, JsonValue } from '../../manifest/manifest';

/** What `berth.yaml` says of Conftest, in the words of its command line; paths from the folder of the configuration. */
export interface ConftestSettings {
  /** Folders of Rego. */
  readonly policy: readonly string[];
  /** Folders and files whose values are `data`. */
  readonly data: readonly string[];
  /** Packages that are asked, names or globs; empty: `main`, or all where there is no such package. */
  readonly namespaces: readonly string[];
}

const LIST = { type: 'array', items: { type: 'string' } };

export const CONFTEST_SCHEMA: JsonObject = {
  type: 'object',
  properties: { policy: LIST, data: LIST, namespaces: LIST },
  additionalProperties: false,
};

const KEYS = ['policy', 'data', 'namespaces'] as const;

/** Reads the value of `conftest:`; what is wrong is told and left out. */
export function readConftest(
  value: JsonValue,
  complain: (clause: string, at?: readonly (string | number)[]) => void,
): ConftestSettings | undefined {
  if (!isObject(value)) {
    complain('must be an object with policy, data and namespaces');
    return undefined;
  }
  for (const key of Object.keys(value)) {
    if (!KEYS.some(it => it === key)) complain(`is not one of: ${KEYS.join(', ')}`, [key]);
  }
  const [policy, data, namespaces] = KEYS.map(key =>
    texts(value[key], () => complain('must be a list of texts', [key])),
  );
  return { policy: policy ?? [], data: data ?? [], namespaces: namespaces ?? [] };
}

function texts(value: JsonValue | undefined, complain: () => void): readonly string[] {
  if (value === undefined) return [];
  const list = Array.isArray(value) ? (value as readonly JsonValue[]) : [];
  const own = list.flatMap(it => (typeof it === 'string' && it !== '' ? [it] : []));
  if (!Array.isArray(value) || own.length < list.length) complain();
  return own;
}
