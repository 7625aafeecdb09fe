import type { JsonObject } from '../../../base/json';
import { jsonText } from '../../../base/printed';
import { record, records, text, texts } from '../../../kube/goFields';
import type { Kube } from '../../../kube/kube';
import { parseManifests } from '../../../manifest/parse';
import type { WorkspaceObject } from '../../../workspace/object';
import { folderOf, resolveIn } from '../../../workspace/paths';
import { emptySnapshot, type IsNamespaced, withFiles, workspaceObject } from '../../../workspace/snapshot';
import { kyvernoPoliciesOf } from '../evaluation/evaluatePolicies';
import { celExceptionsByPolicy, exceptionsByPolicy } from '../policies/exceptions';
import { clusterObjects } from '../resource/clusterObjects';
import { resourceOf, textsOf } from '../resource/resource';
import { workspaceWorld } from '../workspaceWorld';
import { suiteMocks } from './mocks';
import { rowsOf, type SuiteEnvironment, type SuiteRow } from './rows';
import { asSubresource, requestInfoOf, type SuiteValues, suiteValues } from './values';

/** A test of the Kyverno CLI: a document of a `kyverno-test.yaml`. */
export interface KyvernoSuite {
  readonly uri: string;
  readonly name: string;
  readonly fields: JsonObject;
}

export interface SuiteReport {
  readonly suite: KyvernoSuite;
  /** Missing files, as sentences. */
  readonly problems: readonly string[];
  readonly rows: readonly SuiteRow[];
}

/** The suites of a file; empty for a file that holds none. */
export function kyvernoSuitesIn(uri: string, content: string): readonly KyvernoSuite[] {
  return parseManifests(uri, content).documents.flatMap(({ objects }) =>
    objects.flatMap(({ value }): KyvernoSuite[] => {
      const isTest = text(value, 'apiVersion').startsWith('cli.kyverno.io/') && text(value, 'kind') === 'Test';
      const isOld = value.kind === undefined && Array.isArray(value.policies) && Array.isArray(value.results);
      if (!isTest && !isOld) return [];
      return [{ uri, name: text(record(value, 'metadata'), 'name') || text(value, 'name') || uri, fields: value }];
    }),
  );
}

/**
 * Runs a suite. `read` returns the text of a file; `now` is the time that policies see, in milliseconds since 1970.
 * Upstream: kubectl-kyverno test.
 */
export function runKyvernoSuite(
  suite: KyvernoSuite,
  read: (uri: string) => string | undefined,
  kube: Kube,
  now?: number,
): SuiteReport {
  const isNamespaced = (group: string, version: string, kind: string) =>
    kube.kindOf(group === '' ? version : `${group}/${version}`, kind)?.namespaced ?? true;
  const files = suiteFiles(suite, read, isNamespaced);
  const targets = files.objectsOf('targetResources');
  const resources = files.objectsOf('resources');
  const policies = files.objectsOf('policies');
  const values = files.valueAt('variables') ?? record(suite.fields, 'values');
  const environment: SuiteEnvironment = {
    policies: kyvernoPoliciesOf(policies),
    policyObjects: policies,
    resources: resources.map(it => asSubresource(resourceOf(it), values)),
    targets: targets.map(it => resourceOf(it)),
    hasPayloads: payloadFields.some(it => texts(suite.fields, it).length > 0),
    worldFor: worldsOf(suite, files, suiteValues(values), kube, isNamespaced, now, resources),
    objectsAt: path => files.objectsAt(path).map(it => resourceOf(it).value),
  };
  const rows = records(suite.fields, 'results').flatMap(it => rowsOf(it, environment));
  return { suite, problems: files.problems, rows };
}

/** Payloads that are not cluster objects. */
const payloadFields = ['jsonPayloads', 'httpPayloads', 'envoyPayloads'];

/** The files that a suite names. */
interface SuiteFiles {
  readonly problems: readonly string[];
  objectsAt(path: string): readonly WorkspaceObject[];
  /** The objects of all files that a field lists. */
  objectsOf(field: string): readonly WorkspaceObject[];
  /** The first object of the file that a field names. */
  valueAt(field: string): JsonObject | undefined;
}

function suiteFiles(
  suite: KyvernoSuite,
  read: (uri: string) => string | undefined,
  isNamespaced: IsNamespaced,
): SuiteFiles {
  const problems: string[] = [];
  const contentOf = (path: string): string => {
    const content = read(resolveIn(folderOf(suite.uri), path));
    if (content === undefined) problems.push(`${path} is not there`);
    return content ?? '';
  };
  const objectsAt = (path: string) =>
    parseManifests(path, contentOf(path)).documents.flatMap(it =>
      it.objects.map(object => workspaceObject(object, isNamespaced)),
    );
  return {
    problems,
    objectsAt,
    objectsOf: field => texts(suite.fields, field).flatMap(objectsAt),
    valueAt: field => {
      const path = text(suite.fields, field);
      return path === '' ? undefined : objectsAt(path)[0]?.manifest.value;
    },
  };
}

/** The world of each policy and resource: no cluster, except what the suite describes. */
function worldsOf(
  suite: KyvernoSuite,
  files: SuiteFiles,
  values: SuiteValues,
  kube: Kube,
  isNamespaced: IsNamespaced,
  now: number | undefined,
  resources: readonly WorkspaceObject[],
): SuiteEnvironment['worldFor'] {
  const context = record(files.valueAt('context'), 'spec');
  const described = files
    .objectsOf('clusterResources')
    .flatMap(it => records(record(it.manifest.value, 'spec'), 'resources'));
  const targets = files.objectsOf('targetResources').map(it => it.manifest.value);
  const manifests = [...records(context, 'resources'), ...described, ...targets]
    .map(it => jsonText(it))
    .join('\n---\n');
  const cluster = withFiles(emptySnapshot(isNamespaced, { complete: true }), [
    { uri: 'context', file: parseManifests('context', manifests) },
  ]);
  const mocks = suiteMocks(suite.fields, path => files.objectsAt(path).map(it => it.manifest.value));
  const base = workspaceWorld(kube, cluster, {
    mocks,
    ...(now !== undefined && { now }),
    images: new Map(records(context, 'images').map(it => [text(it, 'image'), it])),
  });
  const { configMap: _, ...withoutCluster } = base;
  const hasCluster = context !== undefined || described.length > 0;
  const user = requestInfoOf(files.valueAt('userinfo'));
  const exceptions = files.objectsOf('exceptions');
  const exceptionsIn = (group: string) => exceptions.filter(it => it.group === group).map(it => it.manifest.value);
  const own = exceptionsByPolicy(exceptionsIn('kyverno.io'));
  const ofExpressions = celExceptionsByPolicy(exceptionsIn('policies.kyverno.io'));
  const allObjects = clusterObjects(() => [...resources.map(it => resourceOf(it)), ...base.clusterObjects.all()]);
  return (policy, object) => ({
    ...(hasCluster ? base : withoutCluster),
    clusterObjects: allObjects,
    apiCall: path => mocks.apiCall(path) ?? (hasCluster ? base.apiCall(path) : undefined),
    globalEntry: mocks.globalEntry,
    ...(user !== undefined && { user }),
    exceptionsOf: own,
    celExceptionsOf: ofExpressions,
    namespace: name => values.namespace(name) ?? base.namespace(name),
    namespaceLabels: name => textsOf(record(record(values.namespace(name), 'metadata'), 'labels')),
    valuesOf: values.valuesOf,
    ruleValuesOf: values.ruleValuesOf,
    operation: values.operation(policy, object),
  });
}
