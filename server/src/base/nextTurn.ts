/** Resolves in the next turn of the event loop, so that what arrived meanwhile is handled before. */
export const nextTurn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));
