import type { SystemReport, SystemTrace, TraceStep } from '../../analysis/explore';
import { type ExploredOrders, wayInWords } from '../../analysis/scenario';
import { STOPPED, VIOLATED } from './exploration';
import type { JunitCase } from './junit';
import { counted } from './style';

/** What was asked about a system: deadlocks, and each property. */
export function casesOfSystem({ deadlocks, properties, stopped }: SystemReport): readonly JunitCase[] {
  const unknown = stopped && `The search was stopped by ${STOPPED[stopped]} and found no violation.`;
  const { count, shortest } = deadlocks;
  const ofDeadlock: JunitCase = {
    name: 'no deadlock',
    failures: shortest === undefined ? [] : [{ type: 'deadlock', message: deadlockWords(count, shortest) }],
    ...(shortest === undefined && unknown !== undefined && { skipped: unknown }),
  };
  const ofProperties = properties.map(
    ({ name, kind, holds, trace }): JunitCase => ({
      name,
      failures: trace === undefined ? [] : [{ type: kind, message: `${VIOLATED[kind]}: ${wayOf(trace)}` }],
      ...(holds === null && { skipped: unknown ?? 'It is not known.' }),
    }),
  );
  return [ofDeadlock, ...ofProperties];
}

/** What was asked about a scenario. */
export function casesOfOrders(explored: ExploredOrders): readonly JunitCase[] {
  const { alwaysPlaced, shortest, deadlock, broken, cut, refused, strandedOrders } = explored;
  const unknown = cut.length > 0 ? { skipped: cut.join(' ') } : {};
  const way = shortest ? `: ${wayInWords(shortest)}` : '';
  const isStranded = refused.length === 0 || strandedOrders !== 0n;
  const message = isStranded
    ? `a Pod is not placed in some order${way}`
    : `${refused[0]!.pod} is refused: ${refused[0]!.message}`;
  const groupWay = deadlock?.shortest ? `: ${wayInWords(deadlock.shortest)}` : '';
  return [
    {
      name: 'every Pod is placed, whatever the order',
      failures: alwaysPlaced ? [] : [{ type: 'alwaysPlaced', message }],
      ...(alwaysPlaced && unknown),
    },
    {
      name: 'no deadlock between groups',
      failures: deadlock
        ? [{ type: 'deadlock', message: `${deadlock.between.join(' and ')} wait for each other${groupWay}` }]
        : [],
      ...(!deadlock && unknown),
    },
    ...(broken
      ? [
          {
            name: 'preemption breaks no group',
            failures: [{ type: 'broken', message: `${broken.groups.join(' and ')} lose Pods that they need` }],
          },
        ]
      : []),
  ];
}

function deadlockWords(count: number, shortest: SystemTrace): string {
  return `${counted(count, 'deadlock')}, the nearest after ${counted(shortest.steps.length, 'step')}: ${wayOf(shortest)}`;
}

function wayOf({ steps, cycle }: SystemTrace): string {
  const way = steps.length === 0 ? 'in the initial state' : listed(steps);
  return cycle === undefined ? way : `${way}, and then again and again ${listed(cycle)}`;
}

const listed = (steps: readonly TraceStep[]): string => steps.map(it => `${it.process}: ${it.step}`).join(', ');
