import { compareText } from '../../base/compareText';
import type { UnknownObject } from '../../base/json';
import { printed } from '../../base/printed';
import type { PersistentVolumeClaim, Pod, StorageClass } from '../../kube/types';
import { admissionFacts, claimRefusal, isAdmitted, OFF_BY_DEFAULT, pluggedInPod, podRefusal } from './admission';
import { defaultClassOf } from './storageClass';

/** The kinds that `requestPlugins` reads; the plugins that are on by default read no Namespaces. */
export const PLUGIN_KINDS = ['PriorityClass', 'RuntimeClass', 'LimitRange', 'StorageClass', 'IngressClass'] as const;

/** An object of a create request after the plugins (the same object where none changes it), or a plugin's refusal. */
export type PluggedIn = { readonly object: UnknownObject } | { readonly rejected: string };

type Change = (object: UnknownObject) => UnknownObject;

/** What the server's own plugins do with a create request. */
export interface RequestPlugins {
  change(object: UnknownObject): PluggedIn;
  /** The server's text where they refuse a valid object, after all that changes it; undefined: they do not. */
  refusalOf(object: UnknownObject): string | undefined;
}

/**
 * The server's own plugins that change what policies see or refuse what policies made, in the server's order, with the
 * plugins that are on by default. ServiceAccount's volume is left out: its name is random. ResourceQuota is left out: it
 * counts what else is there. Upstream: AllOrderedPlugins.
 */
export function requestPlugins(byKind: ReadonlyMap<string, readonly UnknownObject[]>): RequestPlugins {
  const facts = admissionFacts(byKind, it => !OFF_BY_DEFAULT.has(it));
  const withClass = defaultClassOf((byKind.get('StorageClass') ?? []) as readonly StorageClass[]);
  const withIngressClass = defaultIngressClass(byKind.get('IngressClass') ?? []);
  const withClaimClass: Change = it => withClass(it as PersistentVolumeClaim) as UnknownObject;
  const change = (object: UnknownObject): PluggedIn => {
    switch (`${printed(object.apiVersion)} ${printed(object.kind)}`) {
      case 'v1 Pod': {
        const answer = pluggedInPod(object as Pod, facts);
        return 'rejected' in answer ? answer : { object: answer.pod as UnknownObject };
      }
      case 'v1 PersistentVolumeClaim':
        return { object: protectedBy('kubernetes.io/pvc-protection', withClaimClass(object)) };
      case 'v1 PersistentVolume':
        return { object: protectedBy('kubernetes.io/pv-protection', object) };
      case 'storage.k8s.io/v1 VolumeAttributesClass':
        return { object: protectedBy('kubernetes.io/vac-protection', object) };
      case 'networking.k8s.io/v1 Ingress':
        return { object: withIngressClass(object) };
      default:
        return { object };
    }
  };
  const refusalOf = (object: UnknownObject): string | undefined => {
    switch (`${printed(object.apiVersion)} ${printed(object.kind)}`) {
      case 'v1 Pod':
        return podRefusal(object as Pod, (object as Pod).spec ?? {}, facts);
      case 'v1 PersistentVolumeClaim':
        return claimRefusal(object as PersistentVolumeClaim, facts);
      default:
        return undefined;
    }
  };
  return { change, refusalOf };
}

/** Whether the plugins have changed the object before: a Pod that runs, or that was read from a server. */
export const hasPassedPlugins = (object: UnknownObject): boolean =>
  object.kind === 'Pod' && object.apiVersion === 'v1' && isAdmitted(object as Pod);

interface Meta {
  readonly name?: string;
  readonly finalizers?: readonly string[];
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Upstream: storageobjectinuseprotection. */
function protectedBy(finalizer: string, object: UnknownObject): UnknownObject {
  const metadata = (object.metadata ?? {}) as Meta;
  const finalizers = metadata.finalizers ?? [];
  if (finalizers.includes(finalizer)) return object;
  return { ...object, metadata: { ...metadata, finalizers: [...finalizers, finalizer] } };
}

const DEFAULT_CLASS = 'ingressclass.kubernetes.io/is-default-class';
const OLD_CLASS = 'kubernetes.io/ingress.class';

/** The newest class wins, then the lowest name; classes in files have no age. Upstream: defaultingressclass. */
function defaultIngressClass(classes: readonly UnknownObject[]): Change {
  const [name] = classes
    .map(it => it.metadata as Meta | undefined)
    .filter(it => it?.annotations?.[DEFAULT_CLASS] === 'true')
    .flatMap(it => it?.name ?? [])
    .sort(compareText);
  return object => {
    const spec = (object.spec ?? {}) as { readonly ingressClassName?: string };
    const isNamed = spec.ingressClassName !== undefined || OLD_CLASS in ((object.metadata as Meta)?.annotations ?? {});
    return name === undefined || isNamed ? object : { ...object, spec: { ...spec, ingressClassName: name } };
  };
}
