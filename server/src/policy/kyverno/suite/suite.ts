import type { Kube } from '../../../kube/kube';
import type { JsonObject } from '../../../manifest/manifest';
import { parseManifests } from '../../../manifest/parse';
import { record, records, text, texts } from '../../../rules/apiserver/validate/read';
import { folderOf, resolveIn } from '../../../workspace/paths';
import { emptySnapshot, withFiles, workspaceObject } from '../../../workspace/snapshot';
import type { WorkspaceObject } from '../../../workspace/workspace';
import { kyvernoPoliciesOf } from '../kyverno';
import { subjectOf } from '../subject';
import { workspaceWorld } from '../workspaceWorld';
import { rowsOf, type SuiteRow, type SuiteScene } from './rows';
import { requestInfoOf, suiteValues } from './values';

/** A test of the Kyverno CLI: a document of a `kyverno-test.yaml`. */
export interface KyvernoSuite {
  readonly uri: string;
  readonly name: string;
  readonly fields: JsonObject;
}

export interface SuiteReport {
  readonly suite: KyvernoSuite;
  /** Files that are not there, in sentences. */
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
 * What a suite's policies say of its resources, against what it expects. `read` gives the text of a file; `now` is the
 * time that policies may ask for, in milliseconds since 1970. Upstream: kubectl-kyverno test.
 */
export function runKyvernoSuite(
  suite: KyvernoSuite,
  read: (uri: string) => string | undefined,
  kube: Kube,
  now?: number,
): SuiteReport {
  const problems: string[] = [];
  const isNamespaced = (group: string, version: string, kind: string) =>
    kube.kindOf(group === '' ? version : `${group}/${version}`, kind)?.namespaced ?? true;
  const contentOf = (path: string): string => {
    const content = read(resolveIn(folderOf(suite.uri), path));
    if (content === undefined) problems.push(`${path} is not there`);
    return content ?? '';
  };
  const objectsAt = (path: string): readonly WorkspaceObject[] =>
    parseManifests(path, contentOf(path)).documents.flatMap(it =>
      it.objects.map(object => workspaceObject(object, isNamespaced)),
    );
  const objectsOf = (field: string) => texts(suite.fields, field).flatMap(objectsAt);
  const valueAt = (field: string): JsonObject | undefined => {
    const path = text(suite.fields, field);
    return path === '' ? undefined : objectsAt(path)[0]?.manifest.value;
  };
  const policies = kyvernoPoliciesOf(objectsOf('policies'));
  const context = record(valueAt('context'), 'spec');
  const values = suiteValues(valueAt('variables') ?? record(suite.fields, 'values'));
  const user = requestInfoOf(valueAt('userinfo'));
  const given = records(context, 'resources')
    .map(it => JSON.stringify(it))
    .join('\n---\n');
  const cluster = withFiles(emptySnapshot(isNamespaced, { complete: true }), [
    { uri: 'context', file: parseManifests('context', given) },
  ]);
  const exceptions = objectsOf('exceptions');
  const base = workspaceWorld(kube, cluster, {
    ...(now !== undefined && { now }),
    images: new Map(records(context, 'images').map(it => [text(it, 'image'), it])),
  });
  const { configMap: _, ...known } = base;
  const scene: SuiteScene = {
    policies,
    subjects: objectsOf('resources').map(it => subjectOf(it)),
    worldFor: (policy, object) => ({
      ...(context === undefined ? known : base),
      ...(user !== undefined && { user }),
      exceptions: exceptions.filter(it => it.group === 'kyverno.io').map(it => it.manifest.value),
      celExceptions: exceptions.filter(it => it.group === 'policies.kyverno.io').map(it => it.manifest.value),
      namespace: name => values.namespace(name) ?? base.namespace(name),
      namespaceLabels: name => labelsOf(values.namespace(name)),
      valuesOf: values.valuesOf,
      ruleValuesOf: values.ruleValuesOf,
      operation: values.operation(policy, object),
    }),
    objectsAt: path => objectsAt(path).map(it => subjectOf(it).value),
  };
  const rows = records(suite.fields, 'results').flatMap(it => rowsOf(it, scene));
  return { suite, problems, rows };
}

function labelsOf(namespace: JsonObject | undefined): Readonly<Record<string, string>> {
  return (record(record(namespace, 'metadata'), 'labels') ?? {}) as Readonly<Record<string, string>>;
}
