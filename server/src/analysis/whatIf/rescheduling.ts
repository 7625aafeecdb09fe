import { asObject, asText, type UnknownObject } from '../../base/json';
import { t } from '../../base/l10n';
import { jsonText } from '../../base/printed';
import type { Steps } from '../../base/steps';
import type { Changed } from '../../cluster/changes';
import { type DeschedulerPolicy, isDeschedulerPolicy, withoutNulls } from '../../descheduler/policy';
import type { RoundOptions } from '../../descheduler/rounds';
import { type SettleResult, settleSteps } from '../../descheduler/settle';
import { isAutoscaler, type VerticalPodAutoscaler } from '../../descheduler/vpa/autoscaler';
import { objectId, type VpaOptions, type VpaOutcome, vpaSteps } from '../../descheduler/vpa/whatIf';
import type { Snapshot } from '../../workspace/workspace';
import type { EnvironmentPlacement, TriedPlacement } from '../placement/environmentPlacement';
import { parsedFiles } from '../placement/parsedFiles';
import { policyErrors } from './descheduler';
import type { Rescheduler, ReschedulerKind } from './eviction';

/** A DeschedulerPolicy of an environment: an object of its own, or a value of a ConfigMap. */
export interface FoundPolicy {
  readonly name: string;
  readonly source?: { readonly uri: string; readonly offset: number };
  readonly policy: UnknownObject;
}

/** The highest number of descheduler rounds. */
const MAX_ROUNDS = 50;

type Inputs = EnvironmentPlacement['inputs'];

/** The kinds of reschedulers in an environment; what they do is not computed. */
export function reschedulerKinds({ objects }: Inputs): readonly ReschedulerKind[] {
  const hasPolicy = objects.some(it => isDeschedulerPolicy(it) || policyTexts(it).length > 0);
  return [...(hasPolicy ? (['descheduler'] as const) : []), ...(objects.some(isAutoscaler) ? (['vpa'] as const) : [])];
}

/** The policies of an environment in the order of its objects. */
export function policiesIn({ objects }: Inputs, snapshot: Snapshot): readonly FoundPolicy[] {
  const written = new Map(
    snapshot.objectsOf('descheduler', 'DeschedulerPolicy').map(it => [it.manifest.value as UnknownObject, it.manifest]),
  );
  return objects.flatMap((object): readonly FoundPolicy[] => {
    if (!isDeschedulerPolicy(object)) return policiesInside(object, snapshot);
    const found = written.get(object);
    const source = found && { uri: found.uri, offset: found.span.start };
    return [{ name: found?.uri.split('/').at(-1) ?? '', policy: object, ...(source && { source }) }];
  });
}

export const autoscalersIn = ({ objects }: Inputs): readonly VerticalPodAutoscaler[] =>
  objects.filter(isAutoscaler) as readonly VerticalPodAutoscaler[];

/** The descheduler is mostly configured by a ConfigMap with the text of its policy. */
function policiesInside(object: UnknownObject, snapshot: Snapshot): readonly FoundPolicy[] {
  const metadata = asObject(object.metadata) ?? {};
  const [name, namespace] = [asText(metadata.name) ?? '', asText(metadata.namespace) ?? 'default'];
  return policyTexts(object).flatMap(([key, text]) => {
    const [policy] = parsedFiles([{ uri: key, text }]).objects.filter(isDeschedulerPolicy);
    const found = snapshot.find('', 'ConfigMap', namespace, name)[0]?.manifest;
    const source = found && { uri: found.uri, offset: found.span.start };
    return policy ? [{ name: `${name}: ${key}`, policy, ...(source && { source }) }] : [];
  });
}

function policyTexts({ kind, data }: UnknownObject): readonly (readonly [string, string])[] {
  if (kind !== 'ConfigMap' || typeof data !== 'object' || data === null) return [];
  return Object.entries(data).filter(
    (it): it is [string, string] => typeof it[1] === 'string' && it[1].includes('DeschedulerPolicy'),
  );
}

/** What the descheduler does with a policy, round by round, or why it does not start. */
export function* deschedulingSteps(
  policy: UnknownObject,
  inputs: Inputs,
  given: RoundOptions & { readonly now: number },
): Steps<SettleResult | { readonly errors: readonly string[] }> {
  const errors = policyErrors(policy);
  if (errors.length > 0) return { errors };
  const options = { ...given, run: apart(inputs).run, maxRounds: MAX_ROUNDS };
  return yield* settleSteps(inputs.objects, withoutNulls(policy) as DeschedulerPolicy, options);
}

/** What a VPA does under each update mode, round by round. */
export function* autoscalingSteps(
  vpa: VerticalPodAutoscaler,
  inputs: Inputs,
  options: Omit<VpaOptions, 'run'>,
): Steps<VpaOutcome | undefined> {
  return yield* vpaSteps(inputs.objects, vpa, { ...options, run: apart(inputs).run });
}

/** Trials start from a copy of the run's memory, so that they do not replace it. */
function apart({ objects, run }: Inputs): Inputs {
  return { objects, run: { ...run, ...(run.memory && { memory: { ...run.memory } }) } };
}

/** The placement in a rescheduler's last round, after the scheduler has placed the evicted Pods again. */
export function* reschedulingSteps(
  rescheduler: Rescheduler,
  { placement, lost, problems }: TriedPlacement,
  snapshot: Snapshot,
): Steps<TriedPlacement> {
  const moved = yield* placement.over(jsonText(rescheduler), () =>
    afterRescheduler(placement.inputs, snapshot, rescheduler),
  );
  return { ...moved, lost: [...lost, ...moved.lost], problems: [...problems, ...moved.problems] };
}

/** The objects of an environment in a rescheduler's last round: the evicted Pods wait to be placed again. */
function* afterRescheduler(inputs: Inputs, snapshot: Snapshot, rescheduler: Rescheduler): Steps<Changed> {
  const lost: string[] = [];
  let { objects } = inputs;
  let round = 0;
  const steps = stepsOf(inputs, snapshot, rescheduler, after => {
    round += 1;
    objects = after.objects;
    for (const each of after.lost) lost.push(each);
  });
  while (round < rescheduler.round) {
    const step = steps?.next();
    if (step === undefined || step.done) return { objects, lost, problems: [t`there is no round ${round + 1}`] };
    yield;
  }
  return { objects, lost, problems: [] };
}

function stepsOf(
  inputs: Inputs,
  snapshot: Snapshot,
  rescheduler: Rescheduler,
  onRound: NonNullable<RoundOptions['onRound']>,
): Steps<unknown> | undefined {
  if (rescheduler.kind === 'descheduler') {
    const found = policiesIn(inputs, snapshot)[rescheduler.policy];
    return found && deschedulingSteps(found.policy, inputs, { now: rescheduler.now, onRound });
  }
  const vpa = autoscalersIn(inputs).find(it => objectId(it) === rescheduler.vpa);
  return vpa && autoscalingSteps(vpa, inputs, { now: rescheduler.now, only: it => it === rescheduler.mode, onRound });
}
