import type { UnknownObject } from '../../../server/src/base/json';
import { push } from '../../../server/src/base/multiMap';
import { simulate } from '../../../server/src/scheduler/scenario';
import { endText, RUN } from './support';

/** A Pod of the file, or one that was placed. */
interface Running {
  readonly id: string;
  readonly object: UnknownObject;
}

interface State {
  readonly running: readonly Running[];
  readonly placements: Readonly<Record<string, string>>;
  readonly waiting: readonly Waiting[];
  readonly evicted: readonly string[];
  readonly placings: number;
}

interface Waiting {
  readonly id: string;
  readonly priority: number;
}

interface Choice {
  readonly node: string;
  readonly victims: readonly string[];
}

const idOf = (object: UnknownObject): string => `default/${(object.metadata as { name: string }).name}`;
const isPod = (object: UnknownObject): boolean => object.kind === 'Pod';
const specOf = (object: UnknownObject): { readonly nodeName?: string } => object.spec as { readonly nodeName?: string };

/** The permutations of each end, found one at a time, each decision by a placement of one Pod: `a=n1; waits b`. */
export function ordersOfEnds(objects: readonly UnknownObject[]): ReadonlyMap<string, readonly string[]> {
  const others = objects.filter(it => !isPod(it));
  const pods = objects.filter(isPod);
  const arriving = pods.filter(it => specOf(it).nodeName === undefined);
  const byId = new Map(arriving.map(it => [idOf(it), it]));
  const attempts = new Map<string, Answer>();
  const attempt = (id: string, { running }: State): Answer => {
    const key = JSON.stringify([id, running.map(it => [it.id, specOf(it.object).nodeName])]);
    const found = attempts.get(key) ?? decide(byId.get(id)!, [...others, ...running.map(it => it.object)]);
    attempts.set(key, found);
    return found;
  };
  const start: State = {
    running: pods.filter(it => specOf(it).nodeName !== undefined).map(it => ({ id: idOf(it), object: it })),
    placements: {},
    waiting: [],
    evicted: [],
    placings: 0,
  };
  const placed = (id: string, { node, victims }: Choice, state: State): State => {
    const object = byId.get(id)!;
    const startTime = new Date(Date.UTC(2040, 0, 1) + state.placings * 1000).toISOString();
    const now = { ...object, spec: { ...specOf(object), nodeName: node }, status: { startTime } };
    const left = state.running.filter(it => !victims.includes(it.id));
    const kept = Object.entries(state.placements).filter(([pod]) => !victims.includes(pod));
    return {
      running: [...left, { id, object: now }],
      placements: { ...Object.fromEntries(kept), [id]: node },
      waiting: state.waiting.filter(it => it.id !== id),
      evicted: [...state.evicted, ...victims],
      placings: state.placings + 1,
    };
  };
  const settled = (state: State): readonly State[] => {
    const ordered = state.waiting.toSorted((a, b) => b.priority - a.priority);
    for (const { id } of ordered) {
      const { choices } = attempt(id, state);
      if (choices.length > 0) return choices.flatMap(it => settled(placed(id, it, state)));
    }
    return [state];
  };
  const orders = new Map<string, string[]>();
  for (const order of permutations([...byId.keys()])) {
    let states: readonly State[] = [start];
    for (const id of order) {
      states = states.flatMap(state => {
        const { choices, priority } = attempt(id, state);
        if (choices.length > 0) return choices.flatMap(it => settled(placed(id, it, state)));
        return settled({ ...state, waiting: [...state.waiting, { id, priority }] });
      });
    }
    for (const end of new Set(states.map(textOf))) push(orders, end, order.join());
  }
  return orders;
}

interface Answer {
  readonly choices: readonly Choice[];
  readonly priority: number;
}

function decide(pod: UnknownObject, cluster: readonly UnknownObject[]): Answer {
  let choices: readonly Choice[] = [];
  const { result } = simulate(
    [...cluster, pod, { apiVersion: 'berth.dev/v1alpha1', kind: 'ScenarioOptions', retry: 'none' }],
    {
      ...RUN,
      onDecision({ decision: { attempt, nomination } }) {
        if (attempt.tiedNodes) choices = attempt.tiedNodes.map(node => ({ node, victims: [] }));
        else if (nomination && nomination !== 'none') {
          const all = nomination.tied ?? [nomination];
          choices = all.map(it => ({ node: it.node, victims: it.victims.map(victim => victim.id) }));
        }
      },
    },
  );
  return { choices, priority: result.attempts[0]?.priority ?? 0 };
}

function textOf({ placements, waiting, evicted }: State): string {
  return endText({ placements, pending: waiting.map(it => it.id).sort(), evicted: [...evicted].sort() });
}

function permutations<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length === 0) return [[]];
  return items.flatMap((it, i) => permutations(items.toSpliced(i, 1)).map(rest => [it, ...rest]));
}
