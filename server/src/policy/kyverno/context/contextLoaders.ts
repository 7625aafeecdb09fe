import type { JsonObject, JsonValue } from '../../../base/json';
import { record, records, text } from '../../../kube/goFields';
import { Indeterminate, KyvernoError, reasonOf } from '../results/failures';
import { attempt } from '../results/outcome';
import type { KyvernoWorld } from '../world';
import type { ContextEntry, EvalContext } from './context';
import { substitute, substituteText } from './variables';

/**
 * The entries of a `context:` block, loaded when they are first named. Requests to a cluster or a registry are
 * indeterminate unless a value is given. Upstream: contextLoader.newLoader.
 */
export function contextEntries(
  holder: JsonObject | undefined,
  world: KyvernoWorld,
  policyNamespace: string | undefined,
): readonly ContextEntry[] {
  return records(holder, 'context').map(entry => {
    const name = text(entry, 'name');
    const load = loaderOf(entry, world, policyNamespace);
    return { name, load: context => load(context, name) };
  });
}

type Loader = (context: EvalContext, name: string) => JsonObject | undefined;

function loaderOf(entry: JsonObject, world: KyvernoWorld, policyNamespace: string | undefined): Loader {
  const { variable, configMap, apiCall, globalReference, imageRegistry } = entry;
  if (variable !== undefined)
    return (context, name) => ({ [name]: loadVariable(name, record(entry, 'variable'), context) });
  if (configMap !== undefined)
    return (context, name) => loadConfigMap(name, record(entry, 'configMap'), context, world, policyNamespace);
  if (apiCall !== undefined) return (context, name) => loadApiCall(name, record(entry, 'apiCall'), context, world);
  if (globalReference !== undefined)
    return (context, name) => loadGlobal(name, record(entry, 'globalReference'), context, world);
  if (imageRegistry !== undefined) return unlessGiven('asks a registry about an image');
  return (_, name) => {
    throw new KyvernoError(`missing ConfigMap|APICall|ImageRegistry|Variable in context entry ${name}`);
  };
}

const targetOfCall = (call: JsonObject | undefined): string =>
  text(call, 'urlPath') || text(record(call, 'service'), 'url') || 'something';

/** A loader of something unknown offline, which a suite's values may provide. */
function unlessGiven(reason: string): Loader {
  return (context, name) => {
    if (isGiven(name, context)) return undefined;
    throw new Indeterminate(`context variable ${name} ${reason}`);
  };
}

/** Upstream: apiLoader. Calls with data and calls of services are never answered. */
function loadApiCall(name: string, call: JsonObject | undefined, context: EvalContext, world: KyvernoWorld) {
  const target = targetOfCall(call);
  const attempted = attempt('', () => substituteText(target, context, `context ${name} apiCall.urlPath`));
  // A suite's value replaces the call, even when the path cannot be resolved.
  if ('outcome' in attempted && isGiven(name, context)) return undefined;
  const path =
    'value' in attempted ? attempted.value : substituteText(target, context, `context ${name} apiCall.urlPath`);
  const found = call?.data === undefined ? world.apiCall(path) : undefined;
  if (found === undefined) return unlessGiven(`asks for ${path}`)(context, name);
  return { [name]: atJmesPath(found, call, context) };
}

function loadGlobal(name: string, reference: JsonObject | undefined, context: EvalContext, world: KyvernoWorld) {
  const entry = substituteText(text(reference, 'name'), context, `context ${name} globalReference.name`);
  const found = world.globalEntry?.(entry);
  if (found === undefined) return unlessGiven(`reads the GlobalContextEntry ${entry}`)(context, name);
  return { [name]: atJmesPath(found, reference, context) };
}

/** The part of a value that `jmesPath` selects. */
function atJmesPath(value: JsonValue, from: JsonObject | undefined, context: EvalContext): JsonValue {
  const path = text(from, 'jmesPath');
  return path === ''
    ? value
    : context.jmespath.searchShared(substituteText(path, context, 'jmespath value'), value, context.budget);
}

function isGiven(name: string, context: EvalContext): boolean {
  try {
    return context.query(name) !== null;
  } catch (error) {
    reasonOf(error);
    return false;
  }
}

/** Upstream: variableLoader.loadVariable. */
function loadVariable(name: string, variable: JsonObject | undefined, context: EvalContext): JsonValue {
  const path =
    variable?.jmesPath === undefined ? '' : substituteText(text(variable, 'jmesPath'), context, 'jmespath value');
  const otherwise = variable?.default === undefined ? null : substitute(variable.default, context);
  const value = variable?.value === undefined ? undefined : substitute(variable.value, context);
  const output = path === '' ? (value ?? otherwise) : (searched(path, value, context, otherwise) ?? otherwise);
  if (output === null)
    throw new KyvernoError(`failed to add context entry for variable ${name} since it evaluated to nil`);
  return output;
}

function searched(path: string, value: JsonValue | undefined, context: EvalContext, otherwise: JsonValue): JsonValue {
  try {
    return value === undefined ? context.query(path) : context.jmespath.search(path, value, context.budget);
  } catch (error) {
    const reason = reasonOf(error);
    if (otherwise === null || error instanceof Indeterminate) {
      throw error instanceof Indeterminate
        ? error
        : new KyvernoError(`failed to apply jmespath ${path} to variable: ${reason}`);
    }
    return otherwise;
  }
}

/** Upstream: configMapLoader.fetchConfigMap. */
function loadConfigMap(
  name: string,
  configMap: JsonObject | undefined,
  context: EvalContext,
  world: KyvernoWorld,
  policyNamespace: string | undefined,
): JsonObject | undefined {
  if (world.configMap === undefined) return undefined;
  const wanted = substituteText(text(configMap, 'name'), context, `context ${name} configMap.name`);
  const written = substituteText(text(configMap, 'namespace'), context, `context ${name} configMap.namespace`);
  const namespace = written || policyNamespace || 'default';
  if (policyNamespace !== undefined && namespace !== policyNamespace) {
    const problem = `configMap namespace ${JSON.stringify(namespace)} is different from policy namespace ${JSON.stringify(policyNamespace)}`;
    throw new KyvernoError(`context entry ${name}: ${problem}`);
  }
  const found = world.configMap(namespace, wanted);
  if (found === undefined) {
    if (isGiven(name, context)) return undefined;
    throw new Indeterminate(
      `context variable ${name} reads ConfigMap ${namespace}/${wanted}, which is not in the workspace`,
    );
  }
  return { [name]: { data: found.data ?? {}, metadata: found.metadata ?? {} } };
}
