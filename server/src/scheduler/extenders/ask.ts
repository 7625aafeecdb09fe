import type { JsonObject, NodeModel, PodModel } from '../../cluster/model';
import { objectIn } from '../read';
import type { Extender, ExtenderVerb } from './extender';

/** What is sent to an extender, by POST. */
export interface ExtenderRequest {
  readonly url: string;
  readonly verb: ExtenderVerb;
  /** Upstream: the types of kube-scheduler/extender/v1, by the names of Go's fields. */
  readonly body: JsonObject;
  /** Milliseconds to wait for the answer. */
  readonly timeout: number;
}

/** The decoded body of an answer, or why there is none. */
export type ExtenderAnswer = { readonly body: unknown } | { readonly failure: string };

/** Asks an extender. Pure as far as the scheduler knows: the same question has the same answer during a run. */
export type AskExtender = (request: ExtenderRequest) => ExtenderAnswer;

/** The question for one of the verbs that an extender has. Upstream: HTTPExtender.send. */
export function requestTo(extender: Extender, verb: ExtenderVerb, body: JsonObject): ExtenderRequest {
  return {
    url: `${extender.url.replace(/\/+$/, '')}/${extender.paths[verb] ?? ''}`,
    verb,
    body,
    timeout: extender.timeout,
  };
}

/** The body for filter and prioritize: names for an extender that knows the nodes itself. Upstream: ExtenderArgs. */
export function nodesBody({ nodeCacheCapable }: Extender, pod: PodModel, nodes: readonly NodeModel[]): JsonObject {
  return {
    Pod: podBody(pod),
    Nodes: nodeCacheCapable ? null : { metadata: {}, items: nodes.map(it => it.source) },
    NodeNames: nodeCacheCapable ? nodes.map(it => it.name) : null,
  };
}

/** The Pod as the server has it, after defaults and admission. */
export function podBody({ source, spec, name, namespace }: PodModel): JsonObject {
  const metadata = { ...objectIn(source.metadata), name, namespace };
  return { ...(source as JsonObject), apiVersion: 'v1', kind: 'Pod', metadata, spec };
}

/** A Pod that no server has seen has no UID; its name stands in. */
export function uidOf({ source, id }: PodModel): string {
  return source.metadata?.uid ?? id;
}

/** A field by its name in any letter case, as Go's JSON decoder finds it. */
export function fieldIn(body: unknown, name: string): unknown {
  const object = objectIn(body);
  if (Object.hasOwn(object, name)) return object[name];
  const key = Object.keys(object).find(it => it.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : object[key];
}

/** What an answer says went wrong, in its `Error` or because there is none; undefined for a good one. */
export function failureOf(answer: ExtenderAnswer): string | undefined {
  if ('failure' in answer) return answer.failure;
  const error = fieldIn(answer.body, 'Error');
  return typeof error === 'string' && error !== '' ? error : undefined;
}
