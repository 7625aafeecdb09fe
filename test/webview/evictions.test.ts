import { describe, expect, it } from 'vitest';
import { receive, type Screen } from '../../client/src/webview/state/screen';
import { isTrying, triedBeside } from '../../client/src/webview/state/whatIf';
import {
  isSameRescheduler,
  policySummary,
  reschedulerInWords,
  withoutRescheduler,
} from '../../client/src/webview/text/evictionWords';
import type {
  EvictionRounds,
  PreviewPolicy,
  PreviewReschedulers,
} from '../../server/src/analysis/preview/evictionModel';
import type { PreviewModel } from '../../server/src/analysis/preview/model';
import type { Rescheduler } from '../../server/src/analysis/whatIf/eviction';

const none = { first: [], count: 0 };
const round = (evicted: number): EvictionRounds => ({
  evicted: { first: [], count: evicted },
  kept: none,
  resized: none,
  landings: none,
  waiting: 0,
  lost: none,
});

const policy = (ending: PreviewPolicy['ending'], ...evicted: readonly number[]): PreviewPolicy => ({
  name: 'policy.yaml',
  errors: [],
  rounds: { first: evicted.map(round), count: evicted.length },
  ...(ending && { ending }),
  notes: [],
});

const descheduler: Rescheduler = { kind: 'descheduler', policy: 0, round: 2, now: 1 };
const vpa: Rescheduler = { kind: 'vpa', vpa: 'prod/web', mode: 'Recreate', round: 1, now: 1 };

describe('what a policy does, in words', () => {
  it.each([
    [policy({ kind: 'settles', rounds: 0 }), 'The descheduler would evict nobody.'],
    [
      policy({ kind: 'settles', rounds: 2 }, 3, 1),
      'The descheduler would evict 3 Pods now. It settles after 2 rounds: then nobody is evicted any more.',
    ],
    [
      policy({ kind: 'cycle', from: 1, back: 2, states: 4 }, 1, 1),
      'The descheduler would evict 1 Pod now. It never settles: after round 2 all is as it was at the start.',
    ],
    [
      policy({ kind: 'unknown', rounds: 50 }, 1),
      'The descheduler would evict 1 Pod now. It has not settled after 50 rounds, and nothing has come back so far.',
    ],
    [policy({ kind: 'unknown', rounds: 0, stopped: true }), '0 rounds are worked out so far.'],
    [
      policy({ kind: 'unknown', rounds: 7, stopped: true }, 1),
      'The descheduler would evict 1 Pod now. 7 rounds are worked out so far.',
    ],
  ])('%#', (told, words) => {
    expect(policySummary(told)).toBe(words);
  });
});

describe('a round that is shown on the nodes', () => {
  it('is named among what is tried, and can be taken back alone', () => {
    const whatIf = { changes: [{ do: 'nodeDown', node: 'n1' } as const], mover: vpa };
    const choices = { strategies: [], environments: [], movers: [], sources: [], configurations: [], profiles: [] };
    expect(isTrying({ changes: [], mover: descheduler })).toBe(true);
    expect(reschedulerInWords(descheduler)).toBe('descheduler, round 2');
    const [beside] = triedBeside(whatIf, choices as never);
    expect([beside?.words, beside?.without(whatIf)]).toEqual([
      'VPA prod/web in Recreate, round 1',
      { changes: [{ do: 'nodeDown', node: 'n1' }] },
    ]);
    expect(withoutRescheduler(whatIf)).toEqual({ changes: whatIf.changes });
  });

  it('is the same one whenever it was worked out', () => {
    expect(isSameRescheduler({ ...vpa, now: 2 }, vpa)).toBe(true);
    expect(isSameRescheduler({ ...vpa, round: 2 }, vpa)).toBe(false);
    expect(isSameRescheduler(undefined, vpa)).toBe(false);
  });
});

describe('the screen', () => {
  const model = { pods: [], refused: [], attempts: {}, workloads: [] } as unknown as PreviewModel;
  const shown: Screen = { kind: 'model', model, chosen: undefined, tried: { changes: [] } };
  const movers: PreviewReschedulers = { kind: 'vpa', now: 1, policies: [], vpas: [], isStopped: false };

  it('keeps the evictions while another model comes, and opens the tab each time that it is asked for', () => {
    const told = receive(receive(shown, { type: 'movers', movers }), { type: 'look', at: 'vpa' });
    const later = receive(told, { type: 'model', model });
    expect(later).toMatchObject({ movers, openedTab: { at: 'vpa' } });
    const again = receive(later, { type: 'look', at: 'vpa' });
    expect((again as { openedTab: unknown }).openedTab).not.toBe((later as { openedTab: unknown }).openedTab);
  });

  it('that shows nothing yet stays so', () => {
    expect(receive({ kind: 'waiting' }, { type: 'movers', movers })).toEqual({ kind: 'waiting' });
  });
});
