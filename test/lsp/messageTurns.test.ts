import { describe, expect, test } from 'vitest';
import { createMessageTurns } from '../../server/src/lsp/messageTurns';

/** A connection that handles one message in each turn, and keeps what was done in which order. */
function connection(messages: string[], arrives: (turn: number) => readonly string[] = () => []) {
  const done: string[] = [];
  const state = { turn: 0 };
  const { messageStrategy, yieldToEventLoop } = createMessageTurns(async () => {
    state.turn += 1;
    await Promise.resolve();
    messages.push(...arrives(state.turn));
    const message = messages.shift();
    if (message !== undefined) messageStrategy.handleMessage({ jsonrpc: message }, it => void done.push(it.jsonrpc));
  });
  return { done, yieldToEventLoop, turns: () => state.turn };
}

describe('background work goes on when the messages are handled', () => {
  test('that arrived together', async () => {
    const { done, yieldToEventLoop } = connection(['hover', 'completion', 'codeAction', 'codeLens']);
    await yieldToEventLoop();
    expect(done).toEqual(['hover', 'completion', 'codeAction', 'codeLens']);
  });

  test('that are read in the turn after the slice', async () => {
    const { done, yieldToEventLoop } = connection([], turn => (turn === 2 ? ['hover', 'completion'] : []));
    await yieldToEventLoop();
    expect(done).toEqual(['hover', 'completion']);
  });

  test('and soon where there are none', async () => {
    const { turns, yieldToEventLoop } = connection([]);
    await yieldToEventLoop();
    expect(turns()).toBe(2);
  });

  test('and goes on where a client always sends more', async () => {
    const { done, yieldToEventLoop } = connection([], () => ['hover']);
    await yieldToEventLoop();
    expect(done.length).toBeLessThan(100);
  });
});
