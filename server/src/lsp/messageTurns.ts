import type { Message, MessageStrategy } from 'vscode-languageserver/node';

/** Background work goes on after so many messages, so that a client that always sends more does not stop it. */
const MOST_MESSAGES = 64;

/** Says when the messages that arrived during a slice of background work are handled. */
export interface MessageTurns {
  /** Passes on each message of a connection, and counts it. */
  readonly messageStrategy: MessageStrategy;
  /** Resolves when received messages are handled. */
  readonly yieldToEventLoop: () => Promise<void>;
}

/**
 * A connection reads all messages in one turn of the event loop and handles one of them in each following turn.
 * @param nextTurn resolves in the next turn of the event loop
 */
export function createMessageTurns(nextTurn: () => Promise<void>): MessageTurns {
  let handled = 0;
  return {
    messageStrategy: {
      handleMessage(message: Message, next) {
        handled += 1;
        return next(message);
      },
    },
    async yieldToEventLoop() {
      const start = handled;
      await nextTurn();
      let before: number;
      do {
        before = handled;
        await nextTurn();
      } while (handled !== before && handled - start < MOST_MESSAGES);
    },
  };
}
