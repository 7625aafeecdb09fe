// Each control of the preview does its work, by the mouse and by the keyboard, and leaves the focus where it can be found.
import assert from 'node:assert/strict';
import { isThorough } from '../../support/isThorough.mjs';
import { partsOf } from './parts.mjs';

/**
 * A control: `at` is pressed, with `key` if not with Enter; `works` waits for what must come of it; `undo` takes it back.
 * `isOwn` is one that is no button of the browser's, which makes a click of a key.
 */
const controlsOf = ({ preview }, { button, chip, pod, reset, slider, status, strip, tab }) => {
  const turn = number => preview.getByText(new RegExp(`^Turn ${number} of`)).waitFor();
  const tried = words => () => chip(words).waitFor();
  const inWorkloads = async () => {
    await tab('Workloads').click();
    await preview.locator('.workloads tbody tr').first().waitFor();
  };
  const inCompare = async () => {
    await tab('Compare').click();
    await preview.locator('.compare tbody tr').first().waitFor();
  };
  const onNodes = async () => {
    await reset();
    await tab('Nodes').click();
  };
  return {
    'a Pod in the list': {
      isOwn: true,
      at: () => pod('orders-0'),
      works: () => status.filter({ hasText: 'orders-0 lands on' }).waitFor(),
    },
    'a Pod on its node': {
      isOwn: true,
      at: () => preview.locator('[data-key="pod:default/web-3"]'),
      works: () => status.filter({ hasText: 'web-3 lands on' }).waitFor(),
    },
    'a node down': { at: () => button('Try b-1 down'), works: tried('b-1 down'), undo: reset },
    'a node drained': { at: () => button('Try to drain b-1'), key: ' ', works: tried('b-1 drained'), undo: reset },
    'a node cordoned': { at: () => button('Try to cordon b-1'), works: tried('b-1 cordoned'), undo: reset },
    'all workloads twice': { at: () => button('All ×2'), key: ' ', works: tried('all workloads ×2'), undo: reset },
    'all workloads any number of times': {
      at: () => button('All ×n: scale every workload'),
      async works() {
        const number = preview.getByRole('spinbutton', { name: 'Number' });
        await number.fill('3');
        await number.press('Enter');
        await chip('all workloads ×3').waitFor();
      },
      undo: reset,
    },
    'another cluster': {
      at: () => button('Cluster…'),
      async works() {
        await preview.getByRole('menuitem', { name: 'Example cluster' }).press('Enter');
        await chip('Cluster: Example cluster').waitFor();
        await preview.locator('.facts', { hasText: 'example cluster' }).waitFor();
      },
      undo: reset,
    },
    'one more replica of the chosen Pod': {
      at: () => preview.locator('.pod-facts').getByRole('button', { name: 'Try +1 replica' }),
      works: tried('with 7 replicas'),
      undo: reset,
    },
    'one thing that is tried taken back': {
      before: async () => {
        await button('Try b-1 down').click();
        await chip('b-1 down').waitFor();
        await button('Try to cordon a-1').click();
        await chip('a-1 cordoned').waitFor();
      },
      at: () => button('No longer: b-1 down'),
      works: () => chip('b-1 down').waitFor({ state: 'detached' }),
      undo: reset,
    },
    'everything that is tried taken back': {
      before: async () => {
        await button('Try b-1 down').click();
        await chip('b-1 down').waitFor();
      },
      at: () => button('Reset'),
      works: () => strip.waitFor({ state: 'detached' }),
    },
    'before the first turn': { at: () => button('First: before any turn'), works: () => turn(0) },
    'one turn on': { before: () => slider.press('Home'), at: () => button('Next: one turn'), works: () => turn(1) },
    'the last turn': { at: () => button('Last: after all turns'), works: () => turn(12) },
    'one turn back': {
      before: () => slider.press('End'),
      at: () => button('Back: one turn'),
      works: () => turn(11),
      undo: () => slider.press('End'),
    },
    'scores by another column': {
      before: () => pod('web-1').click(),
      at: () => preview.getByRole('button', { name: 'Node', exact: true }),
      works: () => preview.locator('th.node[aria-sort="ascending"]').waitFor(),
      undo: () => preview.locator('.sort').nth(1).click(),
    },
    'a workload chosen': {
      before: inWorkloads,
      at: () => preview.locator('.workloads').getByRole('button', { name: 'StatefulSet orders' }),
      works: () => preview.locator('.workloads tr.chosen', { hasText: 'orders' }).waitFor(),
      undo: onNodes,
    },
    'a workload twice': {
      before: inWorkloads,
      at: () => button('Try ×2 replicas of Deployment/web'),
      works: tried('Deployment/web with 12 replicas'),
      undo: onNodes,
    },
    'none of a workload': {
      before: inWorkloads,
      at: () => button('Try without Deployment/web'),
      works: tried('without Deployment/web'),
      undo: onNodes,
    },
    'another way to score shown': {
      before: inCompare,
      at: () => preview.locator('.compare').getByRole('button', { name: /^Show pack/ }),
      works: tried('pack'),
      undo: onNodes,
    },
  };
};

/** What has the focus in the preview; nothing where somebody would have to begin at the top again. */
export const focusedIn = frame =>
  frame.evaluate(() => {
    const { activeElement } = document;
    const isLost = activeElement === null || activeElement === document.body || activeElement.matches(':disabled');
    return isLost ? undefined : (activeElement.getAttribute('aria-label') ?? activeElement.textContent);
  });

/**
 * What is no button of the browser's, by both. Of the others each second one by keyboard, where the focus may get lost: what
 * is tried and taken back around other steps is clicked. In a thorough run, all by both.
 */
const waysTo = ({ isOwn }, index) => {
  if (isOwn || isThorough) return ['mouse', 'keyboard'];
  return index % 2 === 0 ? ['keyboard'] : [];
};

/** One step for each control and way to press it. */
export function controlStepsOf(session) {
  const parts = partsOf(session);
  const press = async ({ before, at, key = 'Enter', works, undo }, how) => {
    await before?.();
    if (how === 'mouse') await at().click();
    else await at().press(key);
    await works();
    // What is drawn anew after the answer may take the focus along, so it is looked at once that is over.
    await parts.atRest();
    if (how === 'keyboard') assert.notEqual(await focusedIn(await parts.frame()), undefined, 'the focus is lost');
    await undo?.();
  };
  return Object.fromEntries(
    Object.entries(controlsOf(session, parts)).flatMap(([name, control], index) =>
      waysTo(control, index).map(how => [`${name}, by ${how}`, () => press(control, how)]),
    ),
  );
}
