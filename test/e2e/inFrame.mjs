// What Playwright's frame locators do, for a page deep in others that is asked again and again. They look for each frame on the
// way at each look, with some ten messages to the browser a frame, which were more than half of all messages of a run.

/** What makes a locator out of another one; anything else asks the page or acts on it. */
const NARROWS = new Set(['filter', 'first', 'getByRole', 'getByText', 'last', 'locator', 'nth']);
const STEPS = Symbol('steps');

/**
 * Locators in the frame that `find` gives, whichever is there when they are asked. The frame is looked for again once it has
 * left the page, and what was asked of it then is asked of the next one.
 * @param {() => Promise<import('playwright-core').Frame>} find Waits for the frame.
 * @returns {import('playwright-core').FrameLocator}
 */
export function inFrame(find) {
  const found = [];
  async function current() {
    if (found.length === 0 || found[0].isDetached()) found[0] = await find();
    return found[0];
  }

  async function ask(steps, name, args) {
    for (;;) {
      const frame = await current();
      const locator = of => of.reduce((it, [step, params]) => it[step](...params), frame);
      try {
        return await locator(steps)[name](...args.map(it => (it?.[STEPS] ? locator(it[STEPS]) : it)));
      } catch (error) {
        if (!frame.isDetached()) throw error;
      }
    }
  }

  const after = steps =>
    new Proxy(
      {},
      {
        get(_, name) {
          if (name === STEPS) return steps;
          // Else whoever awaits a locator would wait for ever.
          if (typeof name !== 'string' || name === 'then') return undefined;
          return (...args) => (NARROWS.has(name) ? after([...steps, [name, args]]) : ask(steps, name, args));
        },
      },
    );
  return after([]);
}
