import { objectOrEmpty, type UnknownObject } from '../../base/json';
import type { NodeModel } from '../../cluster/clusterModel';
import type { PodModel } from '../../cluster/pods/podModel';
import type { Extender, ExtenderAnswer, ExtenderRequest, ExtenderVerb } from '../framework/extender';

/** The request for one of the extender's verbs. Upstream: HTTPExtender.send. */
export function requestTo(extender: Extender, verb: ExtenderVerb, body: UnknownObject): ExtenderRequest {
  return {
    url: `${extender.url.replace(/(?<!\/)\/+$/, '')}/${extender.paths[verb] ?? ''}`,
    verb,
    body,
    timeout: extender.timeout,
  };
}

/** The body for filter and prioritize; an extender that caches nodes gets their names only. Upstream: ExtenderArgs. */
export function nodesBody({ nodeCacheCapable }: Extender, pod: PodModel, nodes: readonly NodeModel[]): UnknownObject {
  return {
    Pod: podBody(pod),
    Nodes: nodeCacheCapable ? null : { metadata: {}, items: nodes.map(it => it.source) },
    NodeNames: nodeCacheCapable ? nodes.map(it => it.name) : null,
  };
}

/** The Pod as stored by the API server, after defaults and admission. */
export function podBody({ source, spec, name, namespace }: PodModel): UnknownObject {
  const metadata = { ...objectOrEmpty(source.metadata), name, namespace };
  return { ...(source as UnknownObject), apiVersion: 'v1', kind: 'Pod', metadata, spec };
}

/** A Pod that is not in a cluster yet has no UID; its id is used instead. */
export function uidOf({ source, id }: PodModel): string {
  return source.metadata?.uid ?? id;
}

/** A field by its name in any letter case, as Go's JSON decoder matches it. */
export function fieldIn(body: unknown, name: string): unknown {
  const object = objectOrEmpty(body);
  if (Object.hasOwn(object, name)) return object[name];
  const key = Object.keys(object).find(it => it.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : object[key];
}

/** The failure of an answer, from its `Error` field or because there is no answer; undefined for a valid one. */
export function failureOf(answer: ExtenderAnswer): string | undefined {
  if ('failure' in answer) return answer.failure;
  const error = fieldIn(answer.body, 'Error');
  return typeof error === 'string' && error !== '' ? error : undefined;
}
