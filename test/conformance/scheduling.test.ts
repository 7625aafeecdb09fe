import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { UnknownObject } from '../../server/src/base/json';
import type { Attempt, NodeVerdict, Rejection } from '../../server/src/scheduler/result';
import { runScenario } from '../../server/src/scheduler/scenario';
import { isGateOn } from '../scheduler/support';
import { scenarioOf } from './scheduling/generate';
import { THEMES } from './scheduling/themes';

/** The decision of kube-scheduler's own code; scores are raw, normalized and weighted. */
interface Label {
  readonly pod: string;
  readonly attempt: number;
  readonly status: string;
  readonly node?: string;
  readonly tiedNodes?: readonly string[];
  readonly nodes?: readonly {
    readonly node: string;
    readonly verdict: string;
    readonly plugin?: string;
    readonly code?: string;
    readonly reasons?: readonly string[];
    readonly scores?: Readonly<Record<string, readonly number[]>>;
    readonly total?: number;
  }[];
  readonly preFilterRejection?: Pick<Rejection, 'plugin' | 'reasons'>;
  readonly preemption?: { readonly nominatedNode?: string; readonly victims?: readonly string[] };
  readonly message?: string;
}

interface Case {
  readonly id: string;
  readonly scenario: readonly UnknownObject[];
  readonly expect: readonly Label[];
}

const cases = readFileSync(join(import.meta.dirname, 'scheduling/scenarios.jsonl'), 'utf8')
  .split('\n')
  .filter(it => it !== '')
  .map(it => JSON.parse(it) as Case);

const sorted = (texts: readonly string[] | undefined): readonly string[] => [...(texts ?? [])].sort();

/** A verdict as one readable line. Upstream gives the reasons of one node in any order. */
function line({ node, verdict, plugin, code, reasons, scores, total }: NonNullable<Label['nodes']>[number]): string {
  if (verdict === 'excluded') return `${node} excluded`;
  if (verdict === 'rejected') return `${node} ${plugin} ${code}: ${sorted(reasons).join(', ')}`;
  const columns = Object.entries(scores ?? {}).map(([name, it]) => `${name} ${it.join('/')}`);
  return `${node} ${total ?? 'feasible'} ${columns.sort().join(', ')}`.trim();
}

function judged({ preemption, preFilterRejection: rejection, ...it }: Label) {
  return {
    what: `${it.pod}#${it.attempt} ${it.status} ${it.node ?? ''}`.trim(),
    tied: sorted(it.tiedNodes),
    nodes: (it.nodes ?? []).map(line),
    rejection: rejection ? `${rejection.plugin}: ${sorted(rejection.reasons).join(', ')}` : '',
    nominated: preemption?.nominatedNode ?? '',
    victims: preemption?.victims ?? [],
    message: it.message ?? '',
  };
}

function labelOf({ nodes, ...attempt }: Attempt): Label {
  return { ...attempt, ...(nodes && { nodes: nodes.map(verdictOf) }) };
}

function verdictOf(verdict: NodeVerdict): NonNullable<Label['nodes']>[number] {
  if (verdict.verdict !== 'feasible') return verdict;
  const { scores, ...rest } = verdict;
  if (!scores) return rest;
  const columns = Object.entries(scores).map(([name, it]) => [name, [it.raw, it.normalized, it.weighted]]);
  return { ...rest, scores: Object.fromEntries(columns) };
}

describe('what kube-scheduler decides', () => {
  it.each(Object.keys(THEMES))('%s', theme => {
    const own = cases.filter(it => it.id.startsWith(`${theme}/`));
    expect(own.length).toBeGreaterThan(0);
    for (const { id, scenario, expect: labels } of own) {
      const { attempts } = runScenario(scenario, { kubernetesVersion: '1.37', isGateOn });
      const found = attempts.map(it => judged(labelOf(it)));
      expect({ id, attempts: found }).toEqual({ id, attempts: labels.map(judged) });
    }
  });
});

it('a scenario depends only on its theme and seed', () => {
  expect(scenarioOf('mix', 7)).toEqual(scenarioOf('mix', 7));
  expect(scenarioOf('mix', 7)).not.toEqual(scenarioOf('mix', 8));
});
