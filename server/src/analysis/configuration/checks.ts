import { t } from '../../base/l10n';
import type { Kube } from '../../kube/kube';
import { gateProblems } from '../../kube/load';
import { FieldPath } from '../../manifest/fieldPath';
import type { Configuration, ConfigurationProblem, ConfiguredEnvironment } from './configuration';
import { pathFinder } from './pathMatcher';

/** What a configuration is checked against. */
export interface ConfigurationWorld {
  /** The facts of an environment by its name; undefined name: of files in no environment. */
  readonly kubeOf: (environment: string | undefined) => Kube | undefined;
  /** Why the cluster of an environment, or of all, cannot be used; undefined: it can. */
  readonly unreachable: (environment: string | undefined) => string | undefined;
  /** Absolute paths of all files. */
  readonly files: () => readonly string[];
  /** The absolute path of the configuration's folder. */
  readonly folder: string;
}

/** The configuration with its problems in this workspace: unknown gates, unusable clusters, paths without files. */
export function checkedConfiguration(configuration: Configuration, world: ConfigurationWorld): Configuration {
  const { problems } = configuration;
  const found = [gatesOf, clustersOf, emptyPathsOf].flatMap(check => check(configuration, world));
  return { ...configuration, problems: [...problems, ...found] };
}

function clustersOf(
  configuration: Configuration,
  { unreachable }: ConfigurationWorld,
): readonly ConfigurationProblem[] {
  const top = { name: undefined, settings: configuration.settings };
  return [top, ...configuration.environments].flatMap(({ name, settings: { cluster } }) => {
    const reason = cluster === undefined ? undefined : unreachable(name);
    const at = name === undefined ? FieldPath.root : FieldPath.of('environments', name);
    const clause = t`the cluster ${cluster} cannot be used: ${reason}`;
    return reason === undefined ? [] : [problemAt(configuration, at.child('cluster'), clause, 'value')];
  });
}

function gatesOf(configuration: Configuration, { kubeOf }: ConfigurationWorld): readonly ConfigurationProblem[] {
  const top = { name: undefined, settings: configuration.settings };
  return [top, ...configuration.environments].flatMap(({ name, settings }) => {
    const kube = kubeOf(name);
    const at = name === undefined ? FieldPath.root : FieldPath.of('environments', name);
    return kube === undefined
      ? []
      : gateProblems(kube, settings.featureGates ?? {}).map(({ gate, message }) =>
          problemAt(configuration, at.child('featureGates', gate), message),
        );
  });
}

function emptyPathsOf(
  configuration: Configuration,
  { files, folder }: ConfigurationWorld,
): readonly ConfigurationProblem[] {
  const paths = configuration.environments.flatMap(environment =>
    environment.paths.map((_, i) => ({ environment, i })),
  );
  const find = pathFinder(
    paths.map(({ environment, i }) => [environment.paths[i]!]),
    folder,
  );
  const named = new Set(files().flatMap(find));
  return paths.flatMap(({ environment, i }, at) => (named.has(at) ? [] : [emptyPath(configuration, environment, i)]));
}

/** The problem of a path of an environment, by its index, below which there is nothing. */
export function emptyPath(
  configuration: Configuration,
  { name, paths }: ConfiguredEnvironment,
  index: number,
): ConfigurationProblem {
  const at = FieldPath.of('environments', name, 'paths').index(index);
  const clause = t`no manifest is at "${paths[index]}", seen from the folder of this file`;
  return problemAt(configuration, at, clause, 'value');
}

function problemAt(
  { file }: Configuration,
  at: FieldPath,
  clause: string,
  part: 'key' | 'value' = 'key',
): ConfigurationProblem {
  const object = file.documents.flatMap(it => it.objects)[0];
  return { clause, severity: 'warning', at, span: object?.spanOf(at, part) ?? { start: 0, end: 0 } };
}
