import { nearestNames } from '../../base/nearest';
import { ownOf } from '../../base/ownOf';

/** Subresources besides `status` that resources of Kubernetes have in any minor, those that the kubelet asks about, too. */
const SUBRESOURCES: Readonly<Record<string, readonly string[]>> = {
  pods: ['attach', 'binding', 'ephemeralcontainers', 'eviction', 'exec', 'log', 'portforward', 'proxy', 'resize'],
  nodes: [
    ...['checkpoint', 'configz', 'flagz', 'healthz', 'log', 'metrics', 'pods', 'proxy', 'spec', 'stats', 'statusz'],
  ],
  services: ['proxy'],
  namespaces: ['finalize'],
  serviceaccounts: ['token'],
  replicationcontrollers: ['scale'],
  'deployments.apps': ['rollback', 'scale'],
  'replicasets.apps': ['scale'],
  'statefulsets.apps': ['scale'],
  'certificatesigningrequests.certificates.k8s.io': ['approval'],
  'resourceclaims.resource.k8s.io': ['binding', 'driver'],
};

/** `finalizers` is asked about by the admission plugin OwnerReferencesPermissionEnforcement. */
const OF_ALL = ['status', 'finalizers'];

const ALL_WORDS: ReadonlySet<string> = new Set([...Object.values(SUBRESOURCES).flat(), ...OF_ALL]);

/**
 * The subresource of a resource that a text most probably means, which is no name of one: `log` for `logs`. undefined for a
 * subresource of any resource, and for words that are like none.
 */
export function meantSubresource(group: string, resource: string, written: string): string | undefined {
  if (ALL_WORDS.has(written)) return undefined;
  const own = ownOf(SUBRESOURCES, group === '' ? resource : `${resource}.${group}`) ?? [];
  const all = [...own, ...OF_ALL];
  const plain = plainly(written);
  return all.find(it => plainly(it) === plain) ?? nearestNames(written, all)[0];
}

/** Without what tells the spellings of one word apart: `port-forward`, `portForward`, `logs`. */
const plainly = (word: string): string => word.toLowerCase().replace(/[-_]/g, '').replace(/s$/, '');
