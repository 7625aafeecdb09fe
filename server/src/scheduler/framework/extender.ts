import type { UnknownObject } from '../../base/json';

export type ExtenderVerb = 'filter' | 'prioritize' | 'preempt' | 'bind';

/** An HTTP service that kube-scheduler asks beside its plugins. Upstream: HTTPExtender. */
export interface Extender {
  readonly url: string;
  /** The path that each verb is asked at; a verb that is not here is not asked. */
  readonly paths: Readonly<Partial<Record<ExtenderVerb, string>>>;
  readonly weight: number;
  readonly nodeCacheCapable: boolean;
  /** Empty: it is asked about every Pod. */
  readonly managedResources: readonly { readonly name: string; readonly ignoredByScheduler: boolean }[];
  readonly ignorable: boolean;
  /** Milliseconds. */
  readonly timeout: number;
}

/** What is sent to an extender, by POST. */
export interface ExtenderRequest {
  readonly url: string;
  readonly verb: ExtenderVerb;
  /** Upstream: the types of kube-scheduler/extender/v1, by the names of Go's fields. */
  readonly body: UnknownObject;
  /** Milliseconds to wait for the answer. */
  readonly timeout: number;
}

/** The decoded body of an answer, or why there is none. */
export type ExtenderAnswer = { readonly body: unknown } | { readonly failure: string };

/** Asks an extender. Pure as far as the scheduler knows: the same question has the same answer during a run. */
export type AskExtender = (request: ExtenderRequest) => ExtenderAnswer;

/** The extenders of a scheduler with somebody who asks them. */
export interface ExtenderChain {
  readonly extenders: readonly Extender[];
  readonly ask: AskExtender;
}
