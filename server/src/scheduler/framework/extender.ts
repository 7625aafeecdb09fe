import type { UnknownObject } from '../../base/json';

export type ExtenderVerb = 'filter' | 'prioritize' | 'preempt' | 'bind';

/** An HTTP service that kube-scheduler calls besides its plugins. Upstream: HTTPExtender. */
export interface Extender {
  readonly url: string;
  /** The path of each verb; an absent verb is not called. */
  readonly paths: Readonly<Partial<Record<ExtenderVerb, string>>>;
  readonly weight: number;
  readonly nodeCacheCapable: boolean;
  /** Empty: it is called for every Pod. */
  readonly managedResources: readonly { readonly name: string; readonly ignoredByScheduler: boolean }[];
  readonly ignorable: boolean;
  /** Milliseconds. */
  readonly timeout: number;
}

/** A POST request to an extender. */
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

/** Calls an extender. Must be pure during a run: the same request gets the same answer. */
export type AskExtender = (request: ExtenderRequest) => ExtenderAnswer;

/** The extenders of a scheduler, and how to call them. */
export interface ExtenderChain {
  readonly extenders: readonly Extender[];
  readonly ask: AskExtender;
}
