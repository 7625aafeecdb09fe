import { objectOrEmpty, type UnknownObject } from '../../base/json';
import { t } from '../../base/l10n';
import { printed } from '../../base/printed';
import { successorOf } from '../../kube/successor';
import type { EnvironmentState } from '../state/environmentState';
import type { UpgradeChange } from './change';
import type { Facts } from './defaultChanges';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** An object of a cluster, in a version in which somebody wrote it. */
interface Applied {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly name: string;
  /** "last applied", "last applied by helm" */
  readonly how: string;
}

/**
 * Objects of the chosen cluster that were applied or written in a version that goes, as an annotation or their managers say.
 * The server has them in other versions, too, but the next write of their manifest is refused. Objects of the workspace are
 * judged as they are written.
 */
export function appliedChanges(
  { environment, cluster, snapshot }: Pick<EnvironmentState, 'environment' | 'cluster' | 'snapshot'>,
  walk: readonly Facts[],
): readonly UpgradeChange[] {
  const applied = (cluster?.content.objects ?? []).flatMap(appliedOf);
  const isWritten = ({ apiVersion, kind, namespace, name }: Applied): boolean => {
    const [group = ''] = apiVersion.includes('/') ? apiVersion.split('/') : [];
    return snapshot.find(group, kind, namespace, name).length > 0;
  };
  const source = environment.settings.cluster;
  return applied.filter(it => !isWritten(it)).flatMap(it => changeOf(it, source, walk));
}

function appliedOf(object: UnknownObject): readonly Applied[] {
  const { name, namespace, annotations, managedFields } = objectOrEmpty(object.metadata);
  if (typeof name !== 'string') return [];
  const where = { name, namespace: namespace === undefined ? undefined : printed(namespace) };
  const applied = [
    ...ofAnnotation(objectOrEmpty(annotations)[LAST_APPLIED]),
    ...ofManagers(object.kind, managedFields),
  ];
  return [...new Map(applied.map(it => [`${it.apiVersion} ${it.kind}`, { ...it, ...where }])).values()];
}

type Written = Pick<Applied, 'apiVersion' | 'kind' | 'how'>;

function ofAnnotation(text: unknown): readonly Written[] {
  if (typeof text !== 'string') return [];
  try {
    const { apiVersion, kind } = objectOrEmpty(JSON.parse(text));
    if (typeof apiVersion !== 'string' || typeof kind !== 'string') return [];
    return [{ apiVersion, kind, how: t('last applied') }];
  } catch {
    // An annotation may be cut or edited by hand.
    return [];
  }
}

/** Managers that the source of the cluster left out are programs of Kubernetes. */
function ofManagers(kind: unknown, managedFields: unknown): readonly Written[] {
  if (typeof kind !== 'string' || !Array.isArray(managedFields)) return [];
  return managedFields.flatMap((it): readonly Written[] => {
    const { manager, operation, apiVersion } = objectOrEmpty(it);
    if (typeof apiVersion !== 'string' || typeof manager !== 'string') return [];
    const how = operation === 'Apply' ? t`last applied by ${manager}` : t`last written by ${manager}`;
    return [{ apiVersion, kind, how }];
  });
}

function changeOf(applied: Applied, source: string, walk: readonly Facts[]): readonly UpgradeChange[] {
  const { apiVersion, kind, namespace, name, how } = applied;
  const isThere = ({ kube }: Facts): boolean => kube.kindOf(apiVersion, kind)?.origin === 'built-in';
  const [first, last] = [walk[0], walk.at(-1)];
  if (first === undefined || last === undefined || !isThere(first) || isThere(last)) return [];
  const since = walk[walk.findLastIndex(isThere) + 1]?.version ?? last.version;
  const successor = successorOf(apiVersion, kind, last.kube);
  const instead = successor === undefined ? '' : t`; use ${successor.apiVersion} ${successor.kind}`;
  return [
    {
      change: 'not-served',
      urgency: 'apply',
      since,
      problem: {
        code: 'upgrade/applied-version',
        category: 'decode',
        severity: 'warning',
        message: t`${kind} ${name} of the cluster was ${how} as ${apiVersion}, which Kubernetes ${last.kube.minor} does not have${instead}`,
        uri: source,
        object: { apiVersion, kind, name, ...(namespace !== undefined && { namespace }) },
        span: { start: 0, end: 0 },
        related: [],
        fixes: [],
      },
    },
  ];
}
