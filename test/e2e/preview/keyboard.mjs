// The keyboard gets everywhere and out again, one sees where it is, and a screen reader hears what there is.
import assert from 'node:assert/strict';
import { isThorough } from '../../support/isThorough.mjs';
import { focusedIn } from './controls.mjs';
import { partsOf } from './parts.mjs';

/** Runs in the preview: what stands there to be pressed, chosen or scrolled, by a mark that it is given. */
function markControls() {
  const all = document.querySelectorAll('button:enabled, input:enabled, select:enabled, summary, [tabindex], a[href]');
  return [...all]
    .filter(it => it.getClientRects().length > 0 && !it.matches('[role="tree"]'))
    .map((it, index) => {
      it.dataset.mark = String(index);
      const name = it.getAttribute('aria-label') ?? it.textContent;
      const isPartOfOne = it.matches('[role="tab"], [role="treeitem"]');
      return { mark: String(index), name: `${it.tagName.toLowerCase()} ${name}`, isPartOfOne };
    });
}

/** Runs in the preview: what has the focus, and whether one sees it. */
function lookAtFocus() {
  const it = document.activeElement;
  if (it === null || it === document.body || !document.hasFocus()) return undefined;
  const style = getComputedStyle(it);
  const box = it.getBoundingClientRect();
  // The middle of what the window shows of it; a part that scrolls may be higher than the window.
  const x = (Math.max(box.left, 0) + Math.min(box.right, innerWidth)) / 2;
  const y = (Math.max(box.top, 0) + Math.min(box.bottom, innerHeight)) / 2;
  const atop = document.elementFromPoint(x, y);
  return {
    mark: it.dataset.mark,
    name: it.getAttribute('aria-label') ?? it.textContent,
    isOutlined: style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 1,
    isInSight: atop !== null && (it.contains(atop) || atop.contains(it)),
    isAmongNodes: it.closest('.map, .all-cards') !== null,
  };
}

/** Goes with Tab from the first control until the focus leaves the preview, and through the nodes with the arrow keys. */
async function walk({ page }, frame) {
  const controls = await frame.evaluate(markControls);
  const seen = new Map();
  const look = async () => {
    const at = await frame.evaluate(lookAtFocus);
    if (at) seen.set(at.mark, at);
    return at;
  };
  await frame.evaluate(() => document.querySelector('[role="tab"][aria-selected="true"]').focus());
  for (let at = await look(); at !== undefined && seen.size <= controls.length; at = await look()) {
    if (at.isAmongNodes) {
      await page.keyboard.press('Home');
      for (let now = await look(), last; now?.mark !== last?.mark; now = await look()) {
        last = now;
        await page.keyboard.press('ArrowRight');
      }
    }
    await page.keyboard.press('Tab');
  }
  return { controls, seen: [...seen.values()] };
}

/** Fails where a control is out of reach of the keyboard, or where one does not see that it has the focus. */
async function reachesAllOf(session) {
  // Where the walk begins the focus must be shown as for the keyboard.
  await session.preview.locator('[role="tab"][aria-selected="true"]').press('Shift');
  const { controls, seen } = await walk(session, await partsOf(session).frame());
  const reached = new Set(seen.map(it => it.mark));
  // Tabs and Pods of the list are one stop each, and have steps of their own.
  const missed = controls.filter(it => !reached.has(it.mark) && !it.isPartOfOne);
  assert.deepEqual(
    missed.map(it => it.name),
    [],
    'out of reach of the keyboard',
  );
  assert.deepEqual(
    seen.filter(it => !it.isOutlined || !it.isInSight).map(it => it.name),
    [],
    'one does not see that it has the focus',
  );
  assert.ok(seen.length > 4, `only ${seen.length} controls`);
}

/** One step for each thing that must hold for whoever has no mouse, or sees no screen. */
export function keyboardStepsOf(session) {
  const { page, preview } = session;
  const { button, chip, choose, frame, pod, reset, slider, status, strip, tab } = partsOf(session);

  const reachesAll = () => reachesAllOf(session);

  return {
    'the keyboard reaches every control of a Pod that waits, one sees where it is, and it gets out again': async () => {
      await choose('images-1');
      await preview.locator('.suggestions').waitFor();
      await button('Try a-2 down').click();
      await chip('a-2 down').waitFor();
      await preview.locator('.suggestions').waitFor();
      await reachesAll();
      await reset();
    },
    ...(isThorough && {
      'the keyboard reaches every control in a low window, with nothing before it': async () => {
        await page.setViewportSize({ width: 800, height: 600 });
        await choose('web-1');
        await preview.locator('.scores').waitFor();
        await reachesAll();
        await page.setViewportSize({ width: 1280, height: 800 });
      },
    }),
    'the keyboard reaches every control of the workloads, by the arrow keys of the tabs': async () => {
      await tab('Nodes').press('ArrowRight');
      await preview.locator('.workloads tbody tr').first().waitFor();
      assert.equal(await focusedIn(await frame()), 'Workloads');
      await reachesAll();
    },
    'the keyboard reaches every control of the comparison': async () => {
      await tab('Workloads').press('ArrowRight');
      await preview.locator('.compare tbody tr').first().waitFor();
      assert.equal(await focusedIn(await frame()), 'Compare');
      await preview.locator('.moves').waitFor();
      await reachesAll();
      const left = preview.getByRole('combobox', { name: 'Left' });
      await left.press('ArrowDown');
      assert.equal(await left.inputValue(), 'default');
      await tab('Compare').press('Home');
      await preview.locator('.board').waitFor();
    },
    'the arrow keys go through all Pods, and the filter leads to what it found': async () => {
      const filter = preview.getByRole('searchbox', { name: 'Filter Pods' });
      await filter.fill('orders');
      await filter.press('ArrowDown');
      await page.keyboard.press('End');
      await status.filter({ hasText: 'orders-3 lands on' }).waitFor();
      await page.keyboard.press('ArrowUp');
      await status.filter({ hasText: 'orders-2 lands on' }).waitFor();
      assert.match((await focusedIn(await frame())) ?? '', /orders-2/);
      await filter.fill('');
      await pod('orders-2').press('Home');
      await page.keyboard.press('ArrowDown');
      await status.filter({ hasText: 'images-1 stays Pending' }).waitFor();
    },
    'the arrow keys open and close a workload, whose row tells how many Pods it has': async () => {
      const orders = preview.locator('[data-key^="workload:placed default StatefulSet/orders"]');
      await pod('orders-0').press('ArrowLeft');
      assert.match((await focusedIn(await frame())) ?? '', /StatefulSet\/orders, 4 Pods, 4 nodes/);
      await page.keyboard.press('ArrowLeft');
      await pod('orders-0').waitFor({ state: 'detached' });
      assert.equal(await orders.getAttribute('aria-expanded'), 'false');
      await page.keyboard.press('ArrowRight');
      await pod('orders-0').waitFor();
    },
    'the arrow keys go over the map, which tells about each node, and Enter opens one': async () => {
      await button('Map').press('Enter');
      const cell = name => preview.locator(`[data-key="cell:${name}"]`);
      await cell('a-1').press('ArrowRight');
      assert.match((await focusedIn(await frame())) ?? '', /^a-2, /);
      await preview.locator('.readout', { hasText: 'a-2, ' }).waitFor();
      await page.keyboard.press('Home');
      await page.keyboard.press('End');
      const why = 'gpu-1, Does not fit, taint dedicated=gpu:NoSchedule not tolerated';
      await preview.locator(`:focus[aria-label^="${why}"]`).waitFor();
      await page.keyboard.press('Enter');
      await preview.locator('.opened-node h3', { hasText: 'gpu-1' }).waitFor();
      await reachesAll();
      await button('Cards').press('Enter');
    },
    'a Pod is tried on another node from a menu, and one hears whether it fits': async () => {
      await choose('web-1');
      await button('Try on node…').press('Enter');
      await preview.getByRole('menuitem', { name: 'gpu-1' }).press('Enter');
      const answer = preview.locator('.fit [role="status"]');
      await answer.filter({ hasText: /does not fit on gpu-1: taint dedicated=gpu:NoSchedule not tolerated/ }).waitFor();
      await button('Close').press('Enter');
      await preview.locator('.fit').waitFor({ state: 'detached' });
    },
    'a Pod is dragged onto another node, which says whether it fits': async () => {
      await button('Map').click();
      await pod('web-1').dragTo(preview.locator('[data-key="cell:a-1"]'));
      await preview.locator('.fit.fits', { hasText: 'web-1 would fit on a-1' }).waitFor();
      await button('Close').click();
      await button('Cards').click();
    },
    'a menu opens, goes round, closes with Escape and gives the focus back': async () => {
      const items = preview.getByRole('menuitem');
      const menu = button('Export…');
      await menu.press('ArrowUp');
      assert.equal(await focusedIn(await frame()), 'Report (Markdown)');
      await page.keyboard.press('ArrowDown');
      assert.equal(await focusedIn(await frame()), 'Picture (SVG)');
      await page.keyboard.press('j');
      assert.equal(await focusedIn(await frame()), 'JSON');
      assert.equal(await menu.getAttribute('aria-expanded'), 'true');
      await page.keyboard.press('Escape');
      await items.first().waitFor({ state: 'detached' });
      assert.equal(await focusedIn(await frame()), 'Export…');
      await button('Zone down…').press('Enter');
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await chip('zone eu-1c down').waitFor();
      assert.equal(await focusedIn(await frame()), 'Zone down…');
      await reset();
    },
    'a list of choices and the slider take the arrow keys': async () => {
      const scoring = preview.getByRole('combobox', { name: 'Scoring' });
      await scoring.press('ArrowDown');
      await strip.waitFor();
      assert.equal(await scoring.inputValue(), 'default');
      await scoring.press('ArrowUp');
      await strip.waitFor({ state: 'detached' });
      await slider.press('Home');
      await slider.press('ArrowRight');
      await preview.getByText(/^Turn 1 of/).waitFor();
      await slider.press('End');
    },
    'a change is applied by the keyboard, taken back, and the focus stays in the preview': async () => {
      await choose('web-1');
      await preview.locator('.block.why').waitFor();
      await choose('images-1');
      await button('Apply: Tolerate the taint dedicated=gpu:NoSchedule').press('Enter');
      await preview.locator('.counts', { hasText: '11 placed' }).waitFor();
      assert.notEqual(await focusedIn(await frame()), undefined, 'the focus is lost');
      await page.locator('.notification-list-item').getByRole('button', { name: 'Undo' }).click();
      await preview.locator('.counts', { hasText: '1 pending' }).waitFor();
    },
    'a screen reader hears what there is, with its names and roles': async () => {
      await choose('web-1');
      await preview.locator('.scores').waitFor();
      const heard = await preview.locator('body').ariaSnapshot();
      for (const line of HEARD) assert.match(heard, line);
    },
    'a screen reader hears what changes, from regions that were there before': async () => {
      await tab('Nodes').click();
      const regions = preview.locator('[role="status"]');
      await regions.evaluateAll(all => {
        for (const it of all) it.dataset.before = 'yes';
      });
      await pod('orders-2').click();
      const told = preview.locator('[role="status"][data-before="yes"]');
      await told.filter({ hasText: 'orders-2 lands on c-1' }).waitFor();
      await button('Try b-1 down').press('Enter');
      await told.filter({ hasText: /evicted.*moved/ }).waitFor();
      assert.equal(await focusedIn(await frame()), 'Reset', 'the way back is not at hand');
      await reset();
    },
  };
}

/** The same for what would move Pods, whose rounds are shown on the nodes. */
export function moverStepsOf(session) {
  const { preview } = session;
  const { chip, frame, reset, tab } = partsOf(session);
  return Object.fromEntries(
    // One module draws both tabs.
    (isThorough ? ['Descheduler', 'VPA'] : ['VPA']).map(name => [
      `the keyboard reaches every control of the tab ${name}, and shows a round on the nodes`,
      async () => {
        await tab(name).click();
        await preview.locator('.movers table').first().waitFor();
        await reachesAllOf(session);
        const show = preview.locator('.movers button[aria-pressed="false"]').first();
        await show.press('Enter');
        await chip(/round 1/).waitFor();
        await preview.locator('.board').waitFor();
        assert.notEqual(await focusedIn(await frame()), undefined, 'the focus is lost');
        await reset();
      },
    ]),
  );
}

/** Lines of what Playwright takes from the accessibility tree, as a screen reader would. */
const HEARD = [
  /heading "Placement preview" \[level=1\]/,
  /list "Result of the simulation":\s+- listitem: 10 placed\s+- listitem: 1 pending\s+- listitem: 1 evicted/,
  /tablist "What to look at":\s+- tab "Nodes" \[selected\]\s+- tab "Workloads"\s+- tab "Compare"/,
  /combobox "Scoring"/,
  /button "Export…"/,
  /searchbox "Filter Pods"/,
  /tree "Pods tried":\s+- treeitem "Pending, 1 Pod" \[expanded\] \[level=1\].*\s+(?:- .*\s+)*?- treeitem "default\/images-1, pending, no node fits, [^"]+" \[level=2\]/,
  /treeitem "default\/web-1, placed on a-2" \[level=3\] \[selected\]/,
  /status:\s+- strong: "?web-1 lands on \S+, one of \d+ equally good nodes/,
  /slider "Turns of the scheduling queue"/,
  /region "eu-1a":\s+- heading "eu-1a 2 nodes" \[level=2\]\s+- group "a-1, Fits, score \d+ · rank \d of 5, CPU 2 of 4 cores used/,
  /button "Try to drain a-1"/,
  /group "gpu-1, Does not fit, taint dedicated=gpu:NoSchedule not tolerated, TaintToleration: node\(s\) had untolerated/,
  /button "default\/nightly-2, evicted for orders-3"/,
  /region "Details of web-1"/,
  /table "Scores of the feasible nodes for web-1/,
  /columnheader "Total"/,
  /rowheader "a-2 ?, lands here"/,
];
