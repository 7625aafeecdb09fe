import { expect, test } from 'vitest';
import { createPolicyWork } from '../../server/src/lsp/policyWork';

/** Pauses end when told to; the evaluation ends with whether it was quiet. */
function world(reading: () => Promise<void> | undefined = () => undefined) {
  const pauses: (() => void)[] = [];
  const quiet: boolean[] = [];
  let begin = (): void => undefined;
  const begun = new Promise<void>(resolve => {
    begin = resolve;
  });
  let ask = (): void => undefined;
  const asked = new Promise<void>(resolve => {
    ask = resolve;
  });
  const work = createPolicyWork({
    host: {
      async *evaluatePolicies(_, rests) {
        begin();
        await asked;
        quiet.push((await rests?.()) === true);
        yield* [];
      },
    },
    open: () => [],
    reading,
    pause: () => new Promise(resolve => pauses.push(resolve)),
    publishSoon: () => undefined,
    settled: () => undefined,
    failed(error) {
      throw error;
    },
  });
  const endPause = (): boolean => {
    const end = pauses.pop();
    end?.();
    return end !== undefined;
  };
  return { work, quiet, begun, ask, endPause };
}

const answerIn = async (quiet: readonly boolean[]): Promise<readonly boolean[]> => {
  await expect.poll(() => quiet).toHaveLength(1);
  return quiet;
};

test('what placements ask is found out after a pause without changes', async () => {
  const { work, quiet, begun, ask, endPause } = world();
  work.evaluateSoon();
  endPause();
  await begun;
  ask();
  await Promise.resolve();
  expect(quiet).toEqual([]);
  await expect.poll(endPause).toBe(true);
  expect(await answerIn(quiet)).toEqual([true]);
});

test.each(['before', 'after'])('a change %s that is asked ends the evaluation at once', async when => {
  const { work, quiet, begun, ask, endPause } = world();
  work.evaluateSoon();
  endPause();
  await begun;
  if (when === 'before') work.evaluateSoon();
  ask();
  await new Promise(resolve => setImmediate(resolve));
  if (when === 'after') work.evaluateSoon();
  expect(await answerIn(quiet)).toEqual([false]);
});

test('policies wait until all files are read', async () => {
  const state: { reading: Promise<void> | undefined } = { reading: undefined };
  let end = (): void => undefined;
  state.reading = new Promise(resolve => {
    end = resolve;
  });
  const { work, begun, endPause } = world(() => state.reading);
  const log: string[] = [];
  void begun.then(() => log.push('asked'));
  work.evaluateSoon();
  endPause();
  await new Promise(resolve => setImmediate(resolve));
  log.push('read');
  state.reading = undefined;
  end();
  await expect.poll(() => log).toEqual(['read', 'asked']);
});
