import { compareText } from '../../base/compareText';
import { objectOrEmpty, type UnknownObject } from '../../base/json';
import { push } from '../../base/multiMap';
import { printed } from '../../base/printed';
import { groupOf } from '../../kube/apiVersion';
import { fieldsOf, listOf, textOf } from '../decode/fields';
import { type ClusterContent, EMPTY_CONTENT, type KindListing, type NamedObject, unreachable } from './content';
import { WANTED_KINDS } from './kinds';
import { isDecisive, type KeptAnnotations, redacted } from './redact';

const API_VERSION = 'berth.dev/v1alpha1';

/** `ClusterSnapshot`: the first document that `berth snapshot` writes. */
interface Header {
  readonly apiVersion: string;
  readonly kind: string;
  readonly kubernetesVersion?: string;
  readonly kinds: readonly KindListing[];
  readonly names: Readonly<Record<string, readonly string[]>>;
  /** Annotations that decide placement in Kubernetes, since the objects themselves have none. */
  readonly placementFacts: readonly PlacementFact[];
}

interface PlacementFact {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly key: string;
  readonly value: string;
}

const isHeader = ({ apiVersion, kind }: UnknownObject): boolean =>
  kind === 'ClusterSnapshot' && apiVersion === API_VERSION;

/**
 * The content of a snapshot file: the documents of `berth snapshot`, or any manifests. Of the latter a kind counts as
 * listed when its objects came in a List, as printed by `kubectl get`, and a namespaced kind only in the namespaces of
 * those objects; whether there are others is unknown.
 */
export function snapshotContent(documents: readonly UnknownObject[]): ClusterContent {
  const header = documents.find(isHeader);
  const others = documents.filter(it => it !== header);
  try {
    return header === undefined ? plainContent(others) : headedContent(header, others.flatMap(opened));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return unreachable(`the snapshot cannot be read: ${error.message}`);
  }
}

function plainContent(documents: readonly UnknownObject[]): ClusterContent {
  const listed = documents.filter(isList).flatMap(opened);
  const listings = new Map<
    string,
    { readonly group: string; readonly kind: string; readonly namespaces: Set<string> }
  >();
  for (const { group, kind, namespace } of listed.map(identityOf)) {
    const key = `${group}/${kind}`;
    const found = listings.get(key) ?? { group, kind, namespaces: new Set<string>() };
    listings.set(key, found);
    if (namespace !== undefined) found.namespaces.add(namespace);
  }
  return {
    ...EMPTY_CONTENT,
    objects: documents.flatMap(opened),
    listings: [...listings.values()].map(({ group, kind, namespaces }) => ({
      group,
      kind,
      state: 'listed',
      ...(namespaces.size > 0 && { namespaces: [...namespaces] }),
    })),
  };
}

function headedContent(header: UnknownObject, objects: readonly UnknownObject[]): ClusterContent {
  const version = textOf(header.kubernetesVersion);
  const facts = listOf(header.placementFacts).map(
    fieldsOf,
  ) as readonly UnknownObject[] as readonly unknown[] as readonly PlacementFact[];
  return {
    ...EMPTY_CONTENT,
    objects: objects.map(it => withFacts(it, facts)),
    names: Object.entries(fieldsOf(header.names)).flatMap(([key, names]) =>
      listOf(names).map(it => namedOf(key, textOf(it))),
    ),
    listings: listOf(header.kinds).map(it => fieldsOf(it) as unknown as KindListing),
    ...(version !== '' && { kubernetesVersion: version }),
  };
}

/**
 * The documents of a snapshot: a header that names what could be listed, then the objects by kind, namespace and name.
 * The same cluster gives the same text.
 */
export function snapshotDocuments(
  content: ClusterContent,
  annotations: Exclude<KeptAnnotations, 'decisive'>,
): readonly UnknownObject[] {
  const objects = [...content.objects].sort((a, b) => compareText(orderOf(a), orderOf(b)));
  const names = new Map<string, string[]>();
  for (const it of content.names) {
    const name = it.namespace === undefined ? it.name : `${it.namespace}/${it.name}`;
    push(names, `${it.group}/${it.kind}`, name);
  }
  const header: Header = {
    apiVersion: API_VERSION,
    kind: 'ClusterSnapshot',
    ...(content.kubernetesVersion !== undefined && { kubernetesVersion: content.kubernetesVersion }),
    kinds: [...content.listings].sort((a, b) => compareText(`${a.group}/${a.kind}`, `${b.group}/${b.kind}`)),
    names: Object.fromEntries(
      [...names].sort(([a], [b]) => compareText(a, b)).map(([key, it]) => [key, it.sort(compareText)]),
    ),
    placementFacts: annotations === 'all' ? [] : objects.flatMap(factsOf),
  };
  return [header as unknown as UnknownObject, ...objects.map(it => withoutUids(redacted(it, annotations)))];
}

/** UIDs are not needed outside the cluster, except where a claim refers to its owner; both sides then keep theirs. */
function withoutUids(object: UnknownObject): UnknownObject {
  if (object.kind === 'Pod' || object.kind === 'ResourceClaim' || object.kind === 'PersistentVolumeClaim')
    return object;
  const { uid: _, ...metadata } = fieldsOf(object.metadata);
  return { ...object, metadata };
}

function factsOf(object: UnknownObject): readonly PlacementFact[] {
  const { kind, namespace, name } = identityOf(object);
  return Object.entries(fieldsOf(fieldsOf(object.metadata).annotations))
    .filter(([key]) => isDecisive(key))
    .sort(([a], [b]) => compareText(a, b))
    .map(([key, value]) => ({ kind, ...(namespace !== undefined && { namespace }), name, key, value: printed(value) }));
}

function withFacts(object: UnknownObject, facts: readonly PlacementFact[]): UnknownObject {
  const { kind, namespace, name } = identityOf(object);
  const own = facts.filter(it => it.kind === kind && it.namespace === namespace && it.name === name);
  if (own.length === 0) return object;
  const metadata = fieldsOf(object.metadata);
  const annotations = { ...fieldsOf(metadata.annotations), ...Object.fromEntries(own.map(it => [it.key, it.value])) };
  return { ...object, metadata: { ...metadata, annotations } };
}

function namedOf(key: string, name: string): NamedObject {
  const [group = '', kind = ''] = key.split('/');
  const slash = name.indexOf('/');
  return slash < 0
    ? { group, kind, name }
    : { group, kind, namespace: name.slice(0, slash), name: name.slice(slash + 1) };
}

const isList = ({ kind, items }: UnknownObject): boolean => printed(kind).endsWith('List') && Array.isArray(items);

/** The objects of a document; items of a list of one kind need not repeat the kind. */
function opened(document: UnknownObject): readonly UnknownObject[] {
  if (!isList(document)) return [document];
  const kind = printed(document.kind).slice(0, -'List'.length);
  const own = kind === '' ? {} : { apiVersion: document.apiVersion, kind };
  return listOf(document.items).flatMap(it => opened({ ...own, ...fieldsOf(it) }));
}

const SCOPES: ReadonlyMap<string, 'cluster' | 'namespace'> = new Map(
  WANTED_KINDS.map(it => [`${it.group}/${it.kind}`, it.scope]),
);

/** The identity of an object; the group is '' for core. For unknown kinds the namespace is the written one. */
export function identityOf(object: UnknownObject): NamedObject {
  const apiVersion = typeof object.apiVersion === 'string' ? object.apiVersion : '';
  const { namespace: written, name } = metadataOf(object);
  const group = groupOf(apiVersion);
  const kind = typeof object.kind === 'string' ? object.kind : '';
  const scope = SCOPES.get(`${group}/${kind}`);
  const namespace = written ?? (scope === 'namespace' ? 'default' : undefined);
  return {
    group,
    kind,
    ...(typeof namespace === 'string' && scope !== 'cluster' && { namespace }),
    name: typeof name === 'string' ? name : '',
  };
}

/** Metadata of a manifest may have any type. */
function metadataOf({ metadata }: UnknownObject): UnknownObject {
  return objectOrEmpty(metadata);
}

function orderOf(object: UnknownObject): string {
  const { group, kind, namespace = '', name } = identityOf(object);
  return [group, kind, namespace, name].join('\u0000');
}
