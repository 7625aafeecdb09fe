import { expect, it } from 'vitest';
import { withPauses } from '../../../server/src/policy/kyverno/evaluation/workspaceObjects';

/** In which turn of the event loop, counted from the first, each of some answers is asked for. */
async function turnsOf(answers: readonly { readonly work?: number }[]): Promise<readonly number[]> {
  const state = { turn: 0, isOver: false };
  const count = (): void => {
    if (state.isOver) return;
    state.turn += 1;
    setImmediate(count);
  };
  setImmediate(count);
  const turns: number[] = [];
  await withPauses(answers, it => {
    turns.push(state.turn);
    return { results: [], mutations: [], ...it };
  });
  state.isOver = true;
  return turns;
}

it.each([
  ['answers that take much work', { work: 10_000 }, [0, 1, 2]],
  ['answers that take some work', { work: 5_000 }, [0, 0, 1]],
  ['answers that tell no work', {}, [0, 0, 0]],
])('%s come in as many turns of the event loop as that needs', async (_, answer, turns) => {
  expect(await turnsOf([answer, answer, answer])).toEqual(turns);
});
