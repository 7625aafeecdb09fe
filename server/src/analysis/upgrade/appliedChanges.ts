import { objectOrEmpty, type UnknownObject } from '../../base/json';
import { t } from '../../base/l10n';
import { printed } from '../../base/printed';
import { isPartOfCluster } from '../../cluster/sources/redact';
import { groupOf } from '../../kube/apiVersion';
import { type Successor, successorOf } from '../../kube/successor';
import { FieldPath } from '../../manifest/fieldPath';
import type { Problem } from '../../rules/framework/problem';
import type { WorkspaceObject } from '../../workspace/object';
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
  /** Where the object says so. */
  readonly at: FieldPath;
}

/**
 * Objects of the chosen cluster that were applied or written in a version that goes, as an annotation or their managers say.
 * The server has them in other versions, too, but the next write of their manifest is refused. Objects of the workspace are
 * judged where they are written.
 */
export function appliedChanges(
  { environment, cluster, snapshot }: Pick<EnvironmentState, 'environment' | 'cluster' | 'snapshot'>,
  walk: readonly Facts[],
): readonly UpgradeChange[] {
  const applied = (cluster?.content.objects ?? []).flatMap(appliedOf);
  const isWritten = ({ apiVersion, kind, namespace, name }: Applied): boolean =>
    snapshot.find(groupOf(apiVersion), kind, namespace, name).length > 0;
  const place = { uri: environment.settings.cluster, span: { start: 0, end: 0 } };
  return applied.filter(it => !isWritten(it)).flatMap(it => changeOf(it, place, walk));
}

/** The same for an object in a file, such as one that `kubectl get -o yaml` wrote. */
export function appliedChangesIn({ manifest }: WorkspaceObject, walk: readonly Facts[]): readonly UpgradeChange[] {
  const { value, uri, document, item } = manifest;
  return appliedOf(value).flatMap(it => {
    if (it.apiVersion === value.apiVersion) return [];
    const place = { uri, document, ...(item !== undefined && { item }), fieldPath: it.at.toString() };
    return changeOf(it, { ...place, span: manifest.spanOf(it.at, 'key') }, walk);
  });
}

function appliedOf(object: UnknownObject): readonly Applied[] {
  const { name, namespace, annotations, managedFields } = objectOrEmpty(object.metadata);
  if (typeof name !== 'string') return [];
  const where = { name, namespace: namespace === undefined ? undefined : printed(namespace) };
  // What was applied says more than who wrote, and the same version is told once.
  const applied = [
    ...ofManagers(object.kind, managedFields),
    ...ofAnnotation(objectOrEmpty(annotations)[LAST_APPLIED]),
  ];
  return [...new Map(applied.map(it => [`${it.apiVersion} ${it.kind}`, { ...it, ...where }])).values()];
}

type Written = Pick<Applied, 'apiVersion' | 'kind' | 'how' | 'at'>;

const METADATA = FieldPath.of('metadata');

function ofAnnotation(text: unknown): readonly Written[] {
  if (typeof text !== 'string') return [];
  try {
    const { apiVersion, kind } = objectOrEmpty(JSON.parse(text));
    if (typeof apiVersion !== 'string' || typeof kind !== 'string') return [];
    return [{ apiVersion, kind, how: t('last applied'), at: METADATA.child('annotations').key(LAST_APPLIED) }];
  } catch {
    // An annotation may be cut or edited by hand.
    return [];
  }
}

function ofManagers(kind: unknown, managedFields: unknown): readonly Written[] {
  if (typeof kind !== 'string' || !Array.isArray(managedFields)) return [];
  return managedFields.flatMap((it): readonly Written[] => {
    const { manager, operation, apiVersion } = objectOrEmpty(it);
    if (typeof apiVersion !== 'string' || typeof manager !== 'string' || isPartOfCluster(manager)) return [];
    const how = operation === 'Apply' ? t`last applied by ${manager}` : t`last written by ${manager}`;
    return [{ apiVersion, kind, how, at: METADATA.child('managedFields') }];
  });
}

type Place = Pick<Problem, 'uri' | 'span' | 'document' | 'item' | 'fieldPath'>;

function changeOf(applied: Applied, place: Place, walk: readonly Facts[]): readonly UpgradeChange[] {
  const { apiVersion, kind, namespace, name } = applied;
  const isThere = ({ kube }: Facts): boolean => kube.kindOf(apiVersion, kind)?.origin === 'built-in';
  const [first, last] = [walk[0], walk.at(-1)];
  if (first === undefined || last === undefined || !isThere(first) || isThere(last)) return [];
  const since = walk[walk.findLastIndex(isThere) + 1]?.version ?? last.version;
  const successor = successorOf(apiVersion, kind, last.kube);
  return [
    {
      change: 'not-served',
      urgency: 'apply',
      since,
      problem: {
        code: 'upgrade/applied-version',
        category: 'decode',
        severity: 'warning',
        ...wordsOf(applied, last, successor),
        ...place,
        object: { apiVersion, kind, name, ...(namespace !== undefined && { namespace }) },
        related: [],
        fixes: [],
      },
    },
  ];
}

function wordsOf(
  { apiVersion, kind, name, how }: Applied,
  { kube }: Facts,
  successor: Successor | undefined,
): Pick<Problem, 'message' | 'headline'> {
  const instead = successor === undefined ? '' : t`; use ${successor.apiVersion} ${successor.kind}`;
  return {
    message: t`${kind} ${name} was ${how} as ${apiVersion}, which Kubernetes ${kube.minor} does not have${instead}`,
    // What to do comes first, since long headlines are cut.
    ...(successor && { headline: t`apply ${kind} ${name} as ${successor.apiVersion}; it was ${how} as ${apiVersion}` }),
  };
}
