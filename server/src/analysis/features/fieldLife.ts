import { t } from '../../base/l10n';
import type { Kube } from '../../kube/kube';
import type { FieldPath } from '../../manifest/fieldPath';
import { codeSpan, plainMarkdown } from '../../text/markdown';
import type { WorkspaceObject } from '../../workspace/object';

interface Immutable {
  readonly field: RegExp;
  readonly words: () => string;
}

const NEVER = (): string => t('cannot be changed once the object exists');
const never = (...fields: string[]): Immutable => ({
  field: new RegExp(`^(?:${fields.map(it => it.replaceAll('.', '\\.')).join('|')})(?:$|[.[])`),
  words: NEVER,
});

const IDENTITY = never('apiVersion', 'kind', 'metadata.name', 'metadata.namespace');

/** What an update may not change, by group and kind. Upstream: the Validate…Update functions of pkg/apis. */
const IMMUTABLE: Readonly<Record<string, readonly Immutable[]>> = {
  '/Pod': [
    { field: /^spec\.(?:initC|c)ontainers\[\d+\]\.image$|^spec\.activeDeadlineSeconds$/, words: () => '' },
    { field: /^spec\.tolerations/, words: () => t('of a Pod that exists can only be added to') },
    { field: /^spec\.schedulingGates/, words: () => t('of a Pod that exists can only be taken away') },
    {
      field: /^spec\.(?:initC|c)ontainers\[\d+\]\.resources/,
      words: () => t('of a Pod that exists is changed through its `resize` subresource only (cpu and memory)'),
    },
    {
      field: /^spec\.(?:nodeSelector|affinity)/,
      words: () => t('cannot be changed once the Pod exists, except made stricter while it has scheduling gates'),
    },
    { field: /^spec\./, words: () => t('cannot be changed once the Pod exists') },
  ],
  '/PersistentVolumeClaim': [
    {
      field: /^spec\.resources\.requests/,
      words: () => t('of a bound claim can only grow, and only where its StorageClass allows expansion'),
    },
    { field: /^spec\.volumeAttributesClassName/, words: () => '' },
    { field: /^spec\./, words: () => t('cannot be changed once the claim exists') },
  ],
  '/PersistentVolume': [never('spec.volumeMode')],
  '/Secret': [never('type')],
  'apps/Deployment': [never('spec.selector')],
  'apps/ReplicaSet': [never('spec.selector')],
  'apps/DaemonSet': [never('spec.selector')],
  'apps/StatefulSet': [
    never('spec.selector', 'spec.serviceName', 'spec.podManagementPolicy', 'spec.volumeClaimTemplates'),
  ],
  'batch/Job': [
    never(
      'spec.selector',
      'spec.completionMode',
      'spec.podFailurePolicy',
      'spec.backoffLimitPerIndex',
      'spec.managedBy',
      'spec.successPolicy',
    ),
    {
      field: /^spec\.template\./,
      words: () => t('cannot be changed once the Job exists, but for scheduling directives while it is suspended'),
    },
  ],
  'scheduling.k8s.io/PriorityClass': [never('value', 'preemptionPolicy')],
  'storage.k8s.io/StorageClass': [never('parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode')],
  'storage.k8s.io/VolumeAttachment': [never('spec')],
  'storage.k8s.io/CSIDriver': [never('spec.attachRequired', 'spec.volumeLifecycleModes')],
  'node.k8s.io/RuntimeClass': [never('handler')],
  'rbac.authorization.k8s.io/RoleBinding': [never('roleRef')],
  'rbac.authorization.k8s.io/ClusterRoleBinding': [never('roleRef')],
  'resource.k8s.io/ResourceClaim': [never('spec')],
  'resource.k8s.io/ResourceClaimTemplate': [never('spec')],
  'resource.k8s.io/ResourceSlice': [never('spec.driver', 'spec.nodeName', 'spec.pool.name')],
};

/** Why a field cannot be changed later, a sentence; undefined: it can, as far as is known. */
export function immutability({ group, kind }: WorkspaceObject, path: FieldPath): string | undefined {
  const text = path.toString();
  const key = `${group}/${kind}`;
  const known = [...(Object.hasOwn(IMMUTABLE, key) ? (IMMUTABLE[key] ?? []) : []), IDENTITY];
  const words = known.find(it => it.field.test(text))?.words();
  return words === undefined || words === '' ? undefined : t`${codeSpan(text)} ${words}.`;
}

/** The life of the object's API version: since when, until when; undefined: unknown. */
export function apiLifeInWords({ apiVersion, kind }: WorkspaceObject, kube: Kube): string | undefined {
  const life = kube.apiLife(apiVersion, kind);
  if (life === undefined) return undefined;
  const { introduced, deprecated, replacement } = life;
  const removed = life.gone ?? life.removed;
  const isPast = (minor: string): boolean => Number(minor.split('.')[1]) <= Number(kube.minor.split('.')[1]);
  const parts = [
    introduced && t`since Kubernetes ${introduced}`,
    deprecated && (isPast(deprecated) ? t`deprecated since ${deprecated}` : t`to be deprecated in ${deprecated}`),
    removed && (isPast(removed) ? t`removed in ${removed}` : t`to be removed in ${removed}`),
    replacement && t`use \`${replacement}\` instead`,
  ].filter(it => it !== undefined && it !== '');
  const served =
    life.served[kube.minor] === 'off'
      ? t` The API server of ${kube.minor} serves it only when it is enabled (\`--runtime-config\`).`
      : '';
  if (parts.length === 0 && served === '') return undefined;
  return `**${plainMarkdown(`${apiVersion} ${kind}`)}**${parts.length > 0 ? `: ${parts.join(', ')}` : ''}.${served}`;
}

/** Whether upstream's documentation of a field says that it is deprecated. */
export function isDeprecated(description: string): boolean {
  return /^[ \t]*deprecated\b|\bDeprecated:|\bDEPRECATED\b|\bis deprecated\b/im.test(description);
}
