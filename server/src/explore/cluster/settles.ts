import { asObjects } from '../../base/json';
import { t, withAnd } from '../../base/l10n';
import type { Steps } from '../../base/steps';
import { type DeschedulerPolicy, isDeschedulerPolicy } from '../../descheduler/policy';
import type { ScenarioAnswer } from './answer';
import { type Blame, blaming } from './blame';
import { taintMoves } from './controllers';
import { DESCHEDULER, descheduled, pluginOf, policiesOf } from './descheduling';
import { ownMoves } from './moves';
import type { SchedulerMoves } from './scheduling';
import { type ClusterStep, type Move, nearestCycle, type SpaceLimits, searchSpace } from './search';
import { type ExploredState, keyOf, NAMED_NODES, startState } from './state';
import { TEMPLATE_SPEC, templateSpecOf } from './template';
import type { ExploredWorld } from './world';

const TAINTS = 'taint eviction';

/** Whether evictions come to an end, by a descheduler with the policies among the objects and by NoExecute taints. */
export function* askSettles(
  world: ExploredWorld,
  scheduler: SchedulerMoves,
  limits: SpaceLimits,
): Steps<readonly ScenarioAnswer[]> {
  const policies = policiesOf(world);
  const hasTaints = world.scenario.cluster.nodes.some(it => it.taints.some(taint => taint.effect === 'NoExecute'));
  const claim = t('evictions come to an end');
  if (policies.length === 0 && !hasTaints) {
    const why = t('the descheduler does not start with this policy');
    return world.objects.some(isDeschedulerPolicy)
      ? [{ question: 'settles', claim, holds: undefined, states: 0, why }]
      : [];
  }
  const searched = yield* searchSpace(
    {
      starts: [startState(world)],
      keyOf: it => keyOf(it, world),
      exactKeyOf: it => keyOf(it, NAMED_NODES),
      movesFrom: it => movesFrom(it, policies, world, scheduler),
    },
    limits,
  );
  const states = searched.states.length;
  const found = yield* nearestCycle(searched, it => it.actor === DESCHEDULER || it.actor === TAINTS);
  const asked = { question: 'settles', claim, states } as const;
  if (found === undefined) return [{ ...asked, holds: searched.isComplete ? true : undefined }];
  const evicts = found.cycle.filter(it => it.actor === DESCHEDULER || it.actor === TAINTS);
  const actors = withAnd([...new Set(evicts.map(it => it.actor))]);
  const way =
    found.end === 'hopeless'
      ? t('nothing ends it')
      : t('it ends only by luck, where the scheduler chooses another node');
  const says = t`the evictions of ${actors} may go on for ever: ${way}`;
  const { states: along, ...repetition } = found;
  const trail = { world, states: along };
  return [{ ...asked, holds: false, trouble: { says, ...repetition, trail, blamed: blamedFor(evicts, world) } }];
}

/** The plugins that evict, and the templates whose Pods taints drive off. */
function blamedFor(evicts: readonly ClusterStep[], { objects, workloads }: ExploredWorld): readonly Blame[] {
  const plugins = new Set(evicts.flatMap(it => (it.actor === DESCHEDULER ? pluginOf(it) : [])));
  const ofPolicies = objects
    .filter(isDeschedulerPolicy)
    .flatMap(policy =>
      asObjects(policy.profiles).flatMap((profile, i) =>
        asObjects(profile.pluginConfig).flatMap((it, j) =>
          plugins.has(String(it.name)) ? [blaming(policy, 'profiles', i, 'pluginConfig', j, 'name')] : [],
        ),
      ),
    );
  const named = workloads.filter(it => templateSpecOf(it.source).nodeName !== undefined);
  const hasTaints = evicts.some(it => it.actor === TAINTS);
  const ofTaints = hasTaints ? named.map(it => blaming(it.source, ...TEMPLATE_SPEC, 'nodeName')) : [];
  const whole = plugins.size > 0 ? objects.filter(isDeschedulerPolicy).map(it => blaming(it, 'profiles')) : [];
  return [...ofPolicies, ...ofTaints, ...whole];
}

/** The scheduler is done before the descheduler runs again, which waits for minutes. */
function movesFrom(
  state: ExploredState,
  policies: readonly DeschedulerPolicy[],
  world: ExploredWorld,
  scheduler: SchedulerMoves,
): readonly Move<ExploredState>[] {
  const own = ownMoves(state, world, scheduler);
  if (own.length > 0) return own;
  return [...taintMoves(state, world), ...policies.flatMap(it => descheduled(state, it, world))];
}
