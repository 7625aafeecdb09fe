import type { JsonObject } from '../../base/json';
import type { Kube } from '../../kube/kube';
import { FieldPath } from '../../manifest/fieldPath';
import { invalidityOf, isValid } from '../../rules/apiserver/invalidity';
import type { WorkspaceObject } from '../../workspace/object';
import { admittedObject, admittedValue, requestedValue } from '../admitted';
import type { MutationPreview } from '../mutation';
import type { PolicyCheck } from '../policySet';
import type { PolicyResult } from '../result';
import type { IncomingObject, MutationRound, Mutator } from './mutator';
import { noPlugins, type ServerPlugins } from './serverPlugins';

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
  readonly mutators: readonly Mutator[];
  /** The outcome for objects that are created. Outcomes are cached by `contentId`. */
  admit(objects: readonly WorkspaceObject[]): Promise<readonly AdmittedObject[]>;
  /** Problems of an engine's policies themselves, where its mutator finds them. */
  check(engine: PolicyResult['engine']): Promise<PolicyCheck> | undefined;
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

/** What a chain needs besides the policies. */
export interface ChainWorld {
  readonly kube: Kube;
  readonly plugins: ServerPlugins;
}

/** Upstream: AllOrderedPlugins, and the reinvoker around them. */
export function admissionChain({ plugin, webhooks }: Mutators, world: ChainWorld): AdmissionChain {
  const mutators = [...(plugin ? [plugin] : []), ...webhooks.map(it => it.mutator)];
  const outcomes = new WeakMap<object, ChainOutcome>();
  return {
    dependencies: [world.kube, ...world.plugins.dependencies, ...mutators.flatMap(it => it.dependencies)],
    isMutating: mutators.length > 0,
    mutators,
    async admit(objects) {
      const newObjects = objects.filter(it => mutators.length > 0 && !outcomes.has(it.manifest.contentId));
      const passed = await runChain({ plugin, webhooks }, newObjects, world);
      for (const it of passed) outcomes.set(it.object.manifest.contentId, it);
      return objects.map(it => admittedAfter(it, outcomes.get(it.manifest.contentId), world));
    },
    check: engine => mutators.find(it => it.engine === engine)?.check?.(),
    runtimeProblems: () => mutators.flatMap(it => it.runtimeProblems()),
    release() {
      for (const it of mutators) it.release();
    },
  };
}

/** Whether policies of a chain read objects beside those that they change. */
export const readsOthers = ({ mutators }: AdmissionChain): boolean =>
  mutators.some(it => it.continueWith !== undefined);

/** Whether a chain goes on with the objects of a later one that has equal dependencies: all outcomes so far are the same with them. */
export const goesOnWith = ({ mutators }: AdmissionChain, later: AdmissionChain): boolean =>
  mutators.every((it, i) => {
    const next = later.mutators[i];
    return next !== undefined && it.continueWith?.(next) !== false;
  });

export const withoutMutation = (kube: Kube): AdmissionChain =>
  admissionChain({ webhooks: [] }, { kube, plugins: noPlugins });

/** The steps of one engine, merged. */
export const stepsOf = ({ steps }: AdmittedObject, engine: PolicyResult['engine']): Omit<AdmissionStep, 'engine'> => {
  const own = steps.filter(it => it.engine === engine);
  return { mutations: own.flatMap(it => it.mutations), results: own.flatMap(it => it.results) };
};

/** An object part of the way through the chain. */
interface ObjectInChain extends IncomingObject {
  readonly steps: readonly AdmissionStep[];
  readonly isRefused: boolean;
  readonly takesPlugins: boolean;
}

/** The cached part of an outcome. An unchanged value is not kept: it is recomputed when needed. */
type ChainOutcome = Pick<ObjectInChain, 'object' | 'steps' | 'isRefused'> & { readonly value: JsonObject | undefined };

function admittedAfter(object: WorkspaceObject, passed: ChainOutcome | undefined, world: ChainWorld): AdmittedObject {
  const { steps = [], isRefused = false, value = unchangedObject(object, world) } = passed ?? {};
  return { value, steps, isRefused };
}

function unchangedObject(object: WorkspaceObject, world: ChainWorld): JsonObject {
  const { kube, plugins } = world;
  return plugins.hasPassed(object.manifest.value)
    ? admittedObject(object, kube)
    : admittedValue(object, requestedObject(object, world), kube);
}

function requestedObject(object: WorkspaceObject, { kube, plugins }: ChainWorld): JsonObject {
  const value = requestedValue(object, object.manifest.value, kube);
  if (plugins.hasPassed(value)) return value;
  const answer = plugins.change(value);
  // A refusal here has nothing to do with policies, and rules report its cause.
  return 'rejected' in answer ? value : answer.object;
}

/** The plugins once more after policies changed the object; they may refuse what policies made of it. */
function reinvoked(passing: ObjectInChain, { plugins }: ChainWorld): ObjectInChain {
  if (passing.value === passing.original || passing.isRefused || !passing.takesPlugins) return passing;
  const answer = plugins.change(passing.value);
  if ('object' in answer) return { ...passing, value: answer.object };
  return refused(passing, answer.rejected, () => false);
}

async function runChain(
  { plugin, webhooks }: Mutators,
  objects: readonly WorkspaceObject[],
  world: ChainWorld,
): Promise<readonly ChainOutcome[]> {
  if (objects.length === 0) return [];
  let passing = objects.map((object): ObjectInChain => {
    const value = requestedObject(object, world);
    const takesPlugins = !world.plugins.hasPassed(object.manifest.value);
    return { object, original: value, value, steps: [], isRefused: false, takesPlugins };
  });
  const ask = async (
    mutator: Mutator,
    round: MutationRound,
    isConcerned: (it: ObjectInChain, i: number) => boolean,
  ) => {
    const concerned = passing.filter((it, i) => !it.isRefused && isConcerned(it, i));
    const mutated = concerned.length === 0 ? [] : await mutator.mutate(concerned, round);
    const after = new Map(concerned.map((it, i) => [it, afterStep(it, mutator.engine, mutated[i], world.kube)]));
    passing = passing.map(it => after.get(it) ?? it);
  };
  const all = () => true;
  const isChanged = (it: ObjectInChain) => it.value !== it.original;
  if (plugin) await ask(plugin, 'first', all);
  for (const { mutator } of webhooks) await ask(mutator, 'first', all);
  const left = passing.map(it => it.value);
  passing = passing.map(it => reinvoked(it, world));
  if (plugin?.isReinvoked) await ask(plugin, 'again', isChanged);
  for (const { mutator, reinvocationPolicy } of webhooks) {
    if (reinvocationPolicy === 'IfNeeded') await ask(mutator, 'again', (it, i) => it.value !== left[i]);
  }
  return passing
    .map(it => (isChanged(it) && !it.isRefused ? validated(it, world) : it))
    .map(({ object, steps, isRefused, value, original }) => {
      return {
        object,
        steps,
        isRefused,
        value: value === original ? undefined : admittedValue(object, value, world.kube),
      };
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
    value: value === passing.value ? value : requestedValue(passing.object, value, kube),
    steps: mutations.length + results.length === 0 ? passing.steps : [...passing.steps, { engine, mutations, results }],
    isRefused,
  };
}

/** The object's validation, and then the plugins that refuse a valid object; validating policies come after both. */
function validated(passing: ObjectInChain, { kube, plugins }: ChainWorld): ObjectInChain {
  const { original, value, takesPlugins } = passing;
  if (!isValid(value, kube)) {
    const invalid = invalidityOf(original, value, kube);
    const field = invalid?.errors[0]?.at.toString() ?? '';
    return invalid === undefined ? passing : refused(passing, invalid.text, at => field.startsWith(at));
  }
  const refusal = takesPlugins ? plugins.refusalOf(value) : undefined;
  // What is refused as requested is reported by a rule of its own.
  if (refusal === undefined || (isValid(original, kube) && plugins.refusalOf(original) !== undefined)) return passing;
  return refused(passing, refusal, at => at.startsWith('spec'));
}

/** The object, refused because of what a policy made of it: the last that changed such a field, or else the last one. */
function refused(passing: ObjectInChain, reason: string, isConcerned: (field: string) => boolean): ObjectInChain {
  const last = passing.steps.findLast(it => it.mutations.length > 0);
  const culprit =
    last?.mutations.findLast(it => it.changes.some(({ at }) => isConcerned(at.toString()))) ?? last?.mutations.at(-1);
  if (last === undefined || culprit === undefined) return passing;
  const { policy, kind, source } = culprit;
  const result: PolicyResult = {
    engine: last.engine,
    policy,
    outcome: 'error',
    severity: 'error',
    message: `The API server refuses what ${kind} ${policy} makes of this object`,
    detail: reason,
    location: { object: passing.object, at: FieldPath.of('kind'), part: 'value' },
    ...(source && { source: { object: source, at: FieldPath.of('metadata', 'name'), part: 'value' as const } }),
  };
  const step = { engine: last.engine, mutations: [], results: [result] };
  return { ...passing, steps: [...passing.steps, step], isRefused: true };
}
