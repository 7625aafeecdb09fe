import { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, invalid } from '../errors';

/** What a path is followed through. */
export interface PathSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, PathSchema>>;
  readonly additionalProperties?: boolean | PathSchema;
}

/** A path relative to a schema, and the schema that it leads to. */
export type ResolvedPath =
  | { readonly at: FieldPath; readonly schema: PathSchema | undefined }
  | { readonly problem: string };

/** The parts of a path: names, quoted strings, and the delimiters. */
function tokensOf(path: string): readonly string[] {
  return path.match(/''|'.*?[^\\]'|'.*|[.[\]]|[^.[\]]+/gs) ?? [];
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  "'": "'",
  '\\': '\\',
};

/** The text between single quotes; undefined if an escape is unknown. */
function unescaped(text: string): string | undefined {
  const letters = [...text.matchAll(/\\([^\n])/g)].map(it => it[1] ?? '');
  if (letters.some(it => ESCAPES[it] === undefined)) return undefined;
  return text.replace(/\\([^\n])/g, (_, letter: string) => ESCAPES[letter] ?? '');
}

/**
 * Follows a path of field and map accessors, such as `.spec.names['a b']`, from a schema. Upstream: cel.ValidFieldPath,
 * which follows a path into a map without a schema by crashing.
 */
export function resolvedPath(
  path: string,
  from: PathSchema | undefined,
  notation: 'any notation' | 'names only',
): ResolvedPath {
  const tokens = tokensOf(path);
  let step: Extract<ResolvedPath, { at: FieldPath }> = { at: FieldPath.root, schema: from };
  for (let i = 0; i < tokens.length; ) {
    const token = tokens[i];
    const isBracket = token === '[';
    if (isBracket && notation === 'names only') return { problem: 'array notation is not allowed' };
    if (!isBracket && token !== '.') return { problem: `expected [ or . but got: ${token}` };
    const written = tokens[i + 1];
    if (written === undefined) return { problem: 'unexpected end of JSON path' };
    const name = isBracket ? quotedName(written) : { name: written };
    if ('problem' in name) return name;
    const next = into(step, name.name);
    if ('problem' in next) return next;
    step = next;
    if (!isBracket) {
      i += 2;
      continue;
    }
    const end = tokens[i + 2];
    if (end !== ']')
      return { problem: end === undefined ? 'unexpected end of JSON path' : `expected ] but got ${end}` };
    i += 3;
  }
  return step;
}

function quotedName(token: string): { readonly name: string } | { readonly problem: string } {
  if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'")) {
    return { problem: `expected single quoted string but got ${token}` };
  }
  const name = unescaped(token.slice(1, -1));
  return name === undefined ? { problem: 'invalid string literal' } : { name };
}

function into({ at, schema }: Extract<ResolvedPath, { at: FieldPath }>, name: string): ResolvedPath {
  if (schema?.properties !== undefined) {
    const inner = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    return inner === undefined ? { problem: 'does not refer to a valid field' } : { at: at.child(name), schema: inner };
  }
  const values = schema?.additionalProperties;
  if (values === undefined) return { problem: 'does not refer to a valid field' };
  return { at: at.key(name), schema: typeof values === 'object' ? values : undefined };
}

/** Upstream: validateSimpleJSONPath. */
export function* simplePathErrors(path: string, at: FieldPath): Iterable<FieldError> {
  if (!path.startsWith('.')) yield invalid(at, path, 'must be a simple json path starting with .');
}
