/**
 * What CEL knows of the values of a schema. `name` is CEL's type (`string`, `list`, `map`, `object`); `maxElements` is
 * the largest size in bytes, items or entries, and `minSize` the smallest number of bytes in JSON. Upstream:
 * k8s.io/apiserver/pkg/cel.DeclType.
 */
export interface DeclType {
  readonly name: 'dyn' | 'list' | 'map' | 'object' | 'bytes' | 'duration' | 'timestamp' | 'string' | Scalar;
  readonly maxElements: number;
  readonly minSize: number;
  /** Of a list or a map. */
  readonly elem?: DeclType;
  /** Of an object, by the escaped name. */
  readonly fields?: ReadonlyMap<string, DeclType>;
}

type Scalar = 'bool' | 'int' | 'double';

/** Upstream: celconfig.MaxRequestSizeBytes. */
export const maxRequestBytes = 3 * 1024 * 1024;
const RESERVED: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

const ESCAPES: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/**
 * A field of an object by a name in CEL. A word that CEL reserves may stand for itself since the environment of 1.31.
 * Upstream: DeclTypeProvider.FindStructFieldType with recognizeKeywordAsFieldName.
 */
export function fieldNamed(
  fields: ReadonlyMap<string, DeclType>,
  name: string,
  recognizesKeywords: boolean,
): DeclType | undefined {
  const found = fields.get(name);
  return found === undefined && recognizesKeywords && RESERVED.has(name) ? fields.get(`__${name}__`) : found;
}

/** A field's name in CEL; undefined for one that CEL cannot spell. Upstream: k8s.io/apiserver/pkg/cel.Escape. */
export function escapedName(name: string): string | undefined {
  if (!/^[A-Za-z_./-][\w./-]*$/.test(name)) return undefined;
  if (RESERVED.has(name)) return `__${name}__`;
  return name.replace(/__|[./-]/g, it => ESCAPES[it] ?? it);
}
