import { expect, it } from 'vitest';
import {
  choose,
  isCompared,
  receive,
  type Screen,
  tryWhatIf,
  withOutdatedComparison,
} from '../../client/src/webview/state/screen';
import { deltaOf } from '../../server/src/analysis/preview/delta';
import type { PreviewComparison, PreviewFit, PreviewModel } from '../../server/src/analysis/preview/model';

const model = (chosen: string | undefined, ...names: readonly string[]): PreviewModel => ({
  kubernetesVersion: '1.37',
  cluster: { kind: 'default', label: 'default' },
  nodes: [],
  pods: names.map(name => ({
    id: name,
    name,
    namespace: 'default',
    priority: 0,
    cpuMilli: 0,
    memoryBytes: 0,
    state: 'pending',
  })),
  attempts: Object.fromEntries(
    names.map(name => [name, { pod: name, attempt: 1, priority: 0, status: 'unschedulable' as const }]),
  ),
  notes: [],
  refused: [],
  steps: [],
  workloads: [],
  whyIsSlow: false,
  choices: { strategies: [], environments: [], movers: [], sources: [], configurations: [], profiles: [] },
  ...(chosen === undefined ? {} : { chosen }),
});

const show = (screen: Screen, next: PreviewModel) => receive(screen, { type: 'model', model: next });
const chosen = (screen: Screen) => (screen.kind === 'model' ? screen.chosen : screen.kind);
const waiting: Screen = { kind: 'waiting' };

it('chooses what the model chooses, else the first Pod tried', () => {
  expect(chosen(show(waiting, model('b', 'a', 'b')))).toBe('b');
  expect(chosen(show(waiting, model(undefined, 'a', 'b')))).toBe('a');
  expect(chosen(show(waiting, model('gone', 'a')))).toBe('a');
  expect(chosen(show(waiting, model(undefined)))).toBeUndefined();
});

it('keeps the choice of the user while the model says nothing new', () => {
  const mine = choose(show(waiting, model('a', 'a', 'b', 'c')), 'b');
  expect(chosen(show(mine, model('a', 'a', 'b', 'c')))).toBe('b');
});

it('follows the cursor when it moves to another Pod', () => {
  const mine = choose(show(waiting, model('a', 'a', 'b', 'c')), 'b');
  expect(chosen(show(mine, model('c', 'a', 'b', 'c')))).toBe('c');
});

it('falls back when the chosen Pod is gone', () => {
  const mine = choose(show(waiting, model('a', 'a', 'b')), 'b');
  expect(chosen(show(mine, model('a', 'a')))).toBe('a');
});

it('keeps the last whole comparison until there is something newer', () => {
  const compared = (pod: string): PreviewComparison => ({
    strategies: ['pack', 'optimal'],
    pods: [pod],
    nodes: [],
    done: [],
    seconds: 10,
  });
  const wholly = (pod: string): PreviewComparison => ({ ...compared(pod), optimum: { proof: 'optimal', kept: {} } });
  const hear = (screen: Screen, comparison: PreviewComparison) => receive(screen, { type: 'comparison', comparison });
  const pods = (screen: Screen) =>
    screen.kind === 'model' && [screen.comparison, screen.before].map(it => it?.pods[0] ?? 'none');
  const half = hear(show(waiting, model('a', 'a')), compared('half'));
  expect(pods(half)).toEqual(['half', 'none']);
  const whole = show(hear(half, wholly('whole')), model('a', 'a'));
  const next = hear(hear(whole, compared('next')), compared('more of next'));
  expect(pods(next)).toEqual(['more of next', 'whole']);
  expect(hear(waiting, wholly('early'))).toBe(waiting);
  // Asked anew, nothing is whole; half of one is forgotten.
  expect(pods(withOutdatedComparison(whole))).toEqual(['none', 'whole']);
  expect(pods(withOutdatedComparison(half))).toEqual(['none', 'none']);
});

it('knows a whole comparison of the very same', () => {
  const whole = { strategies: [], pods: [], nodes: [], done: [], seconds: 10, comparedAs: '1' };
  const optimum = { proof: 'optimal', kept: {} } as const;
  const now = { ...model('a', 'a'), comparedAs: '1' };
  expect(isCompared(now, { ...whole, optimum })).toBe(true);
  expect(isCompared({ ...now, comparedAs: '2' }, { ...whole, optimum })).toBe(false);
  expect([whole, undefined].map(it => isCompared(now, it))).toEqual([false, false]);
});

it('knows what is tried before the model of it is there', () => {
  const tried = (screen: Screen) => screen.kind === 'model' && screen.tried;
  const down = { changes: [{ do: 'nodeDown', node: 'n1' }] } as const;
  const difference = { moved: [], lost: [], pending: [], placed: [], evicted: [], removed: [], problems: [] };
  const drawn = show(waiting, { ...model('a', 'a'), tried: { whatIf: down, difference } });
  expect(tried(drawn)).toEqual(down);
  const both = { ...down, strategy: 'pack' } as const;
  // A model that was asked for before does not take it back, and what is tried elsewhere does.
  const older = show(tryWhatIf(drawn, both), model('a', 'a'));
  expect(tried(older)).toEqual(both);
  expect(tried(receive(older, { type: 'trying', whatIf: down }))).toEqual(down);
});

it('says why there is nothing to show', () => {
  const screen = receive(show(waiting, model('a', 'a')), { type: 'empty', reason: 'No Pods.' });
  expect(screen).toEqual({ kind: 'empty', reason: 'No Pods.' });
  expect(choose(screen, 'a')).toBe(screen);
});

it('makes the next model of the last one, and of no other', () => {
  const [first, next] = [
    { ...model('a', 'a', 'b'), revision: 1 },
    { ...model('a', 'a', 'c'), revision: 2 },
  ];
  const change = { type: 'change', delta: deltaOf(1, first, next) } as const;
  expect(receive(show(waiting, first), change)).toMatchObject({ kind: 'model', model: next });
  expect(receive(waiting, change)).toBe(waiting);
  const other = show(waiting, { ...first, revision: 7 });
  expect(receive(other, change)).toBe(other);
});

it('keeps whether a Pod fits on a node while the next model is about the same Pods and nodes', () => {
  const fit: PreviewFit = { pod: 'a', node: 'n', fits: true, summary: 'a would fit on n', words: [] };
  const about = (comparedAs: string | undefined): PreviewModel => ({
    ...model('a', 'a', 'b'),
    ...(comparedAs && { comparedAs }),
  });
  const answered = (name: string | undefined): Screen => receive(show(waiting, about(name)), { type: 'fit', fit });
  const fitIn = (screen: Screen) => (screen.kind === 'model' ? screen.fit : screen.kind);
  expect(fitIn(show(answered('1'), about('1')))).toBe(fit);
  expect(fitIn(show(answered('1'), about('2')))).toBeUndefined();
  expect(fitIn(show(answered(undefined), about(undefined)))).toBeUndefined();
});

it('opens the tab of a lens at the first model, whatever the page was told before', () => {
  const tab = (screen: Screen) => screen.openedTab?.at;
  const asked = receive(waiting, { type: 'look', at: 'descheduler' });
  expect(tab(show(asked, model('a', 'a')))).toBe('descheduler');
  const nothing = receive(asked, { type: 'empty', reason: 'no Pod' });
  expect(tab(show(nothing, model('a', 'a')))).toBe('descheduler');
  const gone = receive(show(asked, model('a', 'a')), { type: 'empty', reason: 'no Pod' });
  expect(tab(show(gone, model('a', 'a')))).toBeUndefined();
});
