import type { JsonObject, JsonValue } from '../../../base/json';
import { lazy } from '../../../base/lazy';
import { regexOf } from '../../../base/regexText';
import { isMap } from '../go/goValues';
import type { Jmespath } from '../jmespath/jmespath';
import { type Budget, KyvernoError, UnknownKey } from '../results/failures';

/**
 * The context in which variables are looked up. Immutable: `plus` and the like return another context. Entries that
 * were loaded stay loaded in derived contexts.
 */
export interface EvalContext {
  /**
   * The value of a JMESPath expression. Loads the entries that it names first. Throws a KyvernoError, Indeterminate or
   * OutOfSteps.
   */
  query(expression: string): JsonValue;
  /** Merges the data into existing maps. */
  plus(data: JsonObject): EvalContext;
  /** Replaces existing top-level values. */
  replacing(data: JsonObject): EvalContext;
  /** Adds entries that are loaded when an expression first names them. Upstream: DeferredLoaders. */
  withEntries(entries: readonly ContextEntry[]): EvalContext;
  readonly operation: string;
  readonly jmespath: Jmespath;
  readonly budget: Budget;
}

export interface ContextEntry {
  readonly name: string;
  /** Sees the entries before it. Returns `undefined` to keep an existing value. */
  readonly load: (context: EvalContext) => JsonObject | undefined;
}

interface Layer {
  readonly data: JsonObject;
  readonly entries: readonly ContextEntry[];
  /** Entries that are already part of `data`. */
  readonly loaded?: ReadonlySet<ContextEntry>;
  readonly operation: string;
  readonly jmespath: Jmespath;
  readonly budget: Budget;
}

/** Upstream: pkg/engine/context. */
export function evalContext(layer: Layer): EvalContext {
  const { entries, operation, jmespath, budget } = layer;
  const loaded = new Set(layer.loaded);
  let data = layer.data;
  const load = (expression: string) => {
    for (const [i, entry] of entries.entries()) {
      if (loaded.has(entry) || !names(expression, entry.name)) continue;
      loaded.add(entry);
      const more = entry.load(evalContext({ ...layer, data, loaded, entries: entries.slice(0, i) }));
      if (more !== undefined) data = { ...data, ...more };
    }
  };
  const context: EvalContext = {
    operation,
    jmespath,
    budget,
    query: expression => {
      load(expression);
      return searched(jmespath, expression, data, budget);
    },
    plus: more => evalContext({ ...layer, loaded, data: mergedMaps(data, more) }),
    replacing: more => evalContext({ ...layer, loaded, data: { ...data, ...more } }),
    withEntries: more =>
      more.length === 0 ? context : evalContext({ ...layer, loaded, data, entries: [...entries, ...more] }),
  };
  return context;
}

/** The context that `make` gives, made when it is first asked: most rules have no variables. */
export function contextWhenAsked(
  shared: Pick<EvalContext, 'operation' | 'jmespath' | 'budget'>,
  make: () => EvalContext,
): EvalContext {
  const made = lazy(make);
  const context: EvalContext = {
    operation: shared.operation,
    jmespath: shared.jmespath,
    budget: shared.budget,
    query: expression => made().query(expression),
    plus: data => made().plus(data),
    replacing: data => made().replacing(data),
    withEntries: entries => (entries.length === 0 ? context : made().withEntries(entries)),
  };
  return context;
}

function searched(jmespath: Jmespath, expression: string, data: JsonObject, budget: Budget): JsonValue {
  try {
    return jmespath.search(expression, data, budget);
  } catch (error) {
    if (error instanceof UnknownKey) throw new KyvernoError(`JMESPath query failed: ${error.message}`);
    throw error;
  }
}

/** Whether an expression may use an entry. Upstream: NewDeferredLoader's pattern. */
function names(expression: string, entry: string): boolean {
  return expression.includes(entry) && new RegExp(`(?:^|[^.0-9A-Za-z])${regexOf(entry)}\\b`).test(expression);
}

/** Upstream: mergeMaps. */
export function mergedMaps(into: JsonObject, more: JsonObject): JsonObject {
  const entries = Object.entries(more).map(([key, it]): [string, JsonValue] => {
    const have = into[key];
    return [key, isMap(it) && isMap(have) ? mergedMaps(have, it) : it];
  });
  return { ...into, ...Object.fromEntries(entries) };
}

/** Wraps a value in maps for a path of names: `['request', 'object']`. Upstream: push. */
export function nested(path: readonly string[], value: JsonValue): JsonObject {
  return path.reduceRight<JsonValue>((inner, name) => ({ [name]: inner }), value) as JsonObject;
}

/** The ServiceAccount in a user's name. Upstream: AddServiceAccount. */
export function serviceAccountOf(user: string): JsonObject {
  const [, namespace = '', name = ''] = /^system:serviceaccount:([^:]*):([^:]*)/.exec(user) ?? [];
  return { serviceAccountName: name, serviceAccountNamespace: namespace };
}

/** The parts of a dotted name; a quoted part may contain dots. Upstream: AddVariable. */
export function partsOfName(name: string): readonly string[] {
  return [...name.matchAll(/"((?:[^"]|"")*)"|([^.]+)/g)].map(it => it[1]?.replaceAll('""', '"') ?? it[2] ?? '');
}
