import { t } from '../../base/l10n';
import { identityOf } from '../../cluster/sources/snapshot';
import type { EnvironmentState } from '../state/environmentState';

/** Helm stores each revision of a release in a Secret of this name. */
const RELEASE = /^sh\.helm\.release\.v1\.(.+)\.v\d+$/;

/** How many releases are named. */
const MOST_NAMES = 5;

/** A sentence about the Helm releases of files and clusters, which are not read; undefined where there are none. */
export function helmReleaseNote(
  environments: readonly Pick<EnvironmentState, 'cluster' | 'snapshot'>[],
): string | undefined {
  const secrets = environments.flatMap(({ cluster, snapshot }) => [
    ...snapshot.objectsOf('', 'Secret'),
    ...[...(cluster?.content.names ?? []), ...(cluster?.content.objects ?? []).map(identityOf)].filter(
      it => it.group === '' && it.kind === 'Secret',
    ),
  ]);
  const releases = secrets.flatMap(({ namespace = 'default', name = '' }) => {
    const release = RELEASE.exec(name)?.[1];
    return release === undefined ? [] : [`${namespace}/${release}`];
  });
  const all = [...new Set(releases)].sort();
  if (all.length === 0) return undefined;
  const rest = all.length - MOST_NAMES;
  const named = rest > 1 ? t`${all.slice(0, MOST_NAMES).join(', ')} and ${rest} more` : all.join(', ');
  return t`Helm releases are not read, as Berth never reads the data of Secrets: ${named}. Judge what they render: \`helm get manifest NAME -n NAMESPACE | berth upgrade -\`, or give the chart with --render.`;
}
