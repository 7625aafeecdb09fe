import { expect, test } from 'vitest';
import { type ConsentStore, createConsents } from '../../client/src/consents';
import type { MayRunAnswer, MayRunParams } from '../../server/src/lsp/protocol';

function memory(kept?: unknown): ConsentStore {
  const values = new Map<string, unknown>([['berth.consents', kept]]);
  return {
    get: key => values.get(key),
    update: async (key, value) => void values.set(key, value),
  };
}

/** Consents whose user answers in turn, and what was asked. */
function asking(answers: readonly (MayRunAnswer | undefined)[], own = memory()) {
  const asked: string[] = [];
  const left = [...answers];
  const consents = createConsents(own, async ({ folder, program }: MayRunParams) => {
    asked.push(`${folder} ${program}`);
    return left.shift();
  });
  const answer = (folder: string, program: string) => consents.answer({ folder, program });
  return { consents, asked, answer };
}

test('a user is asked once for each program of a folder, and is asked again after all was forgotten', async () => {
  const { consents, asked, answer } = asking(['yes', 'no', 'yes', 'no']);
  expect(await answer('a', 'aws')).toBe('yes');
  expect(await answer('a', 'aws')).toBe('yes');
  expect(await answer('b', 'aws')).toBe('no');
  expect(await answer('b', 'aws')).toBe('no');
  expect(await answer('a', 'gcloud')).toBe('yes');
  expect(asked).toEqual(['a aws', 'b aws', 'a gcloud']);
  expect(consents.allowed()).toBe(2);
  await consents.forget();
  expect(consents.allowed()).toBe(0);
  expect(await answer('a', 'aws')).toBe('no');
});

test('answers outlive the editor', async () => {
  const own = memory();
  await asking(['yes'], own).answer('a', 'aws');
  const { asked, answer } = asking([], own);
  expect(await answer('a', 'aws')).toBe('yes');
  expect(asked).toEqual([]);
});

test('a question that is closed means no, and is asked again', async () => {
  const { asked, answer } = asking([undefined, 'yes']);
  expect(await answer('a', 'aws')).toBe('no');
  expect(await answer('a', 'aws')).toBe('yes');
  expect(asked).toHaveLength(2);
});

test('two that ask at the same time get one answer', async () => {
  const { asked, answer } = asking(['yes', 'no']);
  expect(await Promise.all([answer('a', 'aws'), answer('a', 'aws')])).toEqual(['yes', 'yes']);
  expect(asked).toHaveLength(1);
});

test.each([[null], ['yes'], [[{ folder: 'a', program: 'aws', answer: 'maybe' }, null, 5]]])(
  'what it does not understand is no consent: %j',
  async kept => {
    const { answer, asked } = asking(['no'], memory(kept));
    expect(await answer('a', 'aws')).toBe('no');
    expect(asked).toHaveLength(1);
  },
);
