import type { JsonObject } from '../../base/json';
import type { Kube } from '../../kube/kube';
import type { WorkspaceObject } from '../../workspace/object';
import { admittedObject, admittedValue } from '../admitted';
import type { MutationPreview } from '../mutation';
import type { PolicyResult } from '../result';
import type { IncomingObject, MutationRound, Mutator } from './mutator';

/** The outcome of mutating admission for one object, as validating policies see it. */
export interface AdmittedObject {
  readonly value: JsonObject;
  /** What each engine did, in call order. An engine that is called twice has two steps. */
  readonly steps: readonly AdmissionStep[];
  /** A mutating policy rejected the request, so no validating policy is evaluated. */
  readonly isRefused: boolean;
}

export interface AdmissionStep {
  readonly engine: PolicyResult['engine'];
  readonly mutations: readonly MutationPreview[];
  readonly results: readonly PolicyResult[];
}

/** The mutating policies of one environment in the API server's order. */
export interface AdmissionChain {
  /** Two chains with equal dependencies return the same outcomes. */
  readonly dependencies: readonly unknown[];
  /** Whether any policy may change anything. */
  readonly isMutating: boolean;
  /** The outcome for objects that are created. Outcomes are cached by `contentId`. */
  admit(objects: readonly WorkspaceObject[]): Promise<readonly AdmittedObject[]>;
  runtimeProblems(): readonly PolicyResult[];
  release(): void;
}

/** The mutating policies in call order: the API server's own plugin first, then the webhooks by configuration name. */
export interface Mutators {
  readonly plugin?: Mutator | undefined;
  readonly webhooks: readonly Webhook[];
}

export interface Webhook {
  readonly mutator: Mutator;
  readonly reinvocationPolicy: 'Never' | 'IfNeeded';
}

/** Upstream: AllOrderedPlugins, and the reinvoker around them. */
export function admissionChain({ plugin, webhooks }: Mutators, kube: Kube): AdmissionChain {
  const mutators = [...(plugin ? [plugin] : []), ...webhooks.map(it => it.mutator)];
  const outcomes = new WeakMap<object, ChainOutcome>();
  return {
    dependencies: [kube, ...mutators.flatMap(it => it.dependencies)],
    isMutating: mutators.length > 0,
    async admit(objects) {
      const newObjects = objects.filter(it => mutators.length > 0 && !outcomes.has(it.manifest.contentId));
      const passed = await runChain({ plugin, webhooks }, newObjects, kube);
      for (const it of passed) outcomes.set(it.object.manifest.contentId, it);
      return objects.map(it => admittedAfter(it, outcomes.get(it.manifest.contentId), kube));
    },
    runtimeProblems: () => mutators.flatMap(it => it.runtimeProblems()),
    release() {
      for (const it of mutators) it.release();
    },
  };
}

export const withoutMutation = (kube: Kube): AdmissionChain => admissionChain({ webhooks: [] }, kube);

/** The steps of one engine, merged. */
export const stepsOf = ({ steps }: AdmittedObject, engine: PolicyResult['engine']): Omit<AdmissionStep, 'engine'> => {
  const own = steps.filter(it => it.engine === engine);
  return { mutations: own.flatMap(it => it.mutations), results: own.flatMap(it => it.results) };
};

/** An object part of the way through the chain. */
interface ObjectInChain extends IncomingObject {
  readonly steps: readonly AdmissionStep[];
  readonly isRefused: boolean;
}

/** The cached part of an outcome. An unchanged value is not kept: it is recomputed when needed. */
type ChainOutcome = Pick<ObjectInChain, 'object' | 'steps' | 'isRefused'> & { readonly value: JsonObject | undefined };

function admittedAfter(object: WorkspaceObject, passed: ChainOutcome | undefined, kube: Kube): AdmittedObject {
  const { steps = [], isRefused = false, value = admittedObject(object, kube) } = passed ?? {};
  return { value, steps, isRefused };
}

async function runChain(
  { plugin, webhooks }: Mutators,
  objects: readonly WorkspaceObject[],
  kube: Kube,
): Promise<readonly ChainOutcome[]> {
  if (objects.length === 0) return [];
  let passing = objects.map((object): ObjectInChain => {
    const value = admittedObject(object, kube);
    return { object, original: value, value, steps: [], isRefused: false };
  });
  const ask = async (
    mutator: Mutator,
    round: MutationRound,
    isConcerned: (it: ObjectInChain, i: number) => boolean,
  ) => {
    const concerned = passing.filter((it, i) => !it.isRefused && isConcerned(it, i));
    const mutated = concerned.length === 0 ? [] : await mutator.mutate(concerned, round);
    const after = new Map(concerned.map((it, i) => [it, afterStep(it, mutator.engine, mutated[i], kube)]));
    passing = passing.map(it => after.get(it) ?? it);
  };
  const all = () => true;
  if (plugin) await ask(plugin, webhooks.length === 0 ? 'whole' : 'first', all);
  for (const { mutator } of webhooks) await ask(mutator, 'first', all);
  if (plugin && webhooks.length > 0) {
    const left = passing.map(it => it.value);
    await ask(plugin, 'again', it => it.value !== it.original);
    for (const { mutator, reinvocationPolicy } of webhooks) {
      if (reinvocationPolicy === 'IfNeeded') await ask(mutator, 'again', (it, i) => it.value !== left[i]);
    }
  }
  return passing.map(({ object, steps, isRefused, value, original }) => {
    return { object, steps, isRefused, value: value === original ? undefined : value };
  });
}

function afterStep(
  passing: ObjectInChain,
  engine: PolicyResult['engine'],
  mutated: Awaited<ReturnType<Mutator['mutate']>>[number] | undefined,
  kube: Kube,
): ObjectInChain {
  if (mutated === undefined) return passing;
  const { mutations, results, value, isRefused = false } = mutated;
  if (mutations.length + results.length === 0 && value === passing.value) return passing;
  return {
    ...passing,
    value: value === passing.value ? value : admittedValue(passing.object, value, kube),
    steps: [...passing.steps, { engine, mutations, results }],
    isRefused,
  };
}
