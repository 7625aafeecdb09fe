// What the editor shows of explorations, on the examples: the state graph of a system with the steps to its finding, by mouse and
// by keyboard, and what axe says.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isThorough } from '../../support/isThorough.mjs';
import { artifacts } from '../session.mjs';
import { until } from '../until.mjs';
import { partsOf } from './parts.mjs';

/** Steps that build on each other; the first one opens an example. */
export function stepsAtExplorations(session, isReadable) {
  const { page, folder, preview: graph } = session;
  const { atRest } = partsOf(session);
  const pictures = join(artifacts, 'explore');
  mkdirSync(pictures, { recursive: true });

  async function show(name) {
    await atRest();
    await session.picture(join(pictures, `${name}.png`));
  }

  /** A picture, and what axe finds wrong. */
  async function look(name) {
    await show(name);
    await isReadable();
  }

  const activeLine = page.locator('.line-numbers.active-line-number');
  const selection = page.locator('.statusbar-item[id="status.editor.selection"]');
  const lens = text => page.locator('.codelens-decoration a', { hasText: text });
  const step = text => graph.locator('.steps button', { hasText: text });
  const current = graph.locator('.steps [aria-current="step"]');
  const pod = name => graph.locator('.arrival', { hasText: name });
  const slider = graph.locator('.timeline input');
  const turn = text => graph.locator('.timeline p', { hasText: text });
  const picks = page.locator('.quick-input-list .monaco-list-row');
  const changed = name => graph.locator('.values tr.is-changed', { hasText: name });

  return {
    'a quick fix at a deadlock leads to its steps': async () => {
      await session.openAlone('explore/two-philosophers.yaml');
      await page.locator('.squiggly-warning').first().waitFor();
      await lens('Show the state graph').first().waitFor();
      await session.goTo(10, 16);
      await session.chooseFix('Show the steps in the state graph');
      await graph.locator('.state.bad').waitFor();
      await current.filter({ hasText: 'philosopher[1] take left' }).waitFor();
      assert.equal(await graph.locator('.state').count(), 10);
      assert.match(await graph.locator('.state.bad').getAttribute('aria-label'), /^deadlock, the finding, State 3, /);
    },
    'the arrow keys go from step to step, and each is shown in the file': async () => {
      await changed('fork[1]').waitFor();
      await current.click();
      await page.keyboard.press('ArrowUp');
      await current.filter({ hasText: 'philosopher[0] take left' }).waitFor();
      await changed('fork[0]').waitFor();
      await activeLine.filter({ hasText: /^14$/ }).waitFor();
      await graph.locator('.way input').press('Home');
      await current.filter({ hasText: 'The start' }).waitFor();
      assert.equal(await graph.locator('.values tr.is-changed').count(), 0);
      await graph.getByRole('button', { name: 'Last: to the finding' }).click();
      await current.filter({ hasText: 'philosopher[1] take left' }).waitFor();
    },
    'they go from state to state, too': async () => {
      await graph.locator('.state[aria-pressed="true"]').focus();
      await page.keyboard.press('ArrowUp');
      await graph.locator('.state:focus[aria-pressed="true"]').waitFor();
      assert.equal(await graph.locator('.state.bad[aria-pressed="true"]').count(), 0);
      await step('philosopher[1]').click();
    },
    'beside an editor and alone it looks well': async () => {
      await look('beside');
      await page.locator('.tab', { hasText: 'State Graph' }).click();
      await session.command('View: Toggle Maximize Editor Group');
      await page.locator('.tab', { hasText: /\.yaml/ }).waitFor({ state: 'hidden' });
      await look('alone');
    },
    'states can be left out and filtered': async () => {
      await graph.locator('.choice', { hasText: 'Show' }).locator('select').selectOption('The steps alone');
      await graph.getByText('3 of 10 states drawn').waitFor();
      await graph.locator('.filter').fill('hungry');
      await graph.getByText('2 of 3 match').waitFor();
      assert.equal(await graph.locator('.state.faded').count(), 1);
      await graph.locator('.filter').fill('');
    },
    'the graph is saved in the format of Graphviz': async () => {
      await graph.getByRole('button', { name: 'Export…' }).click();
      await graph.getByRole('menuitem', { name: 'Graphviz (DOT)' }).click();
      const path = page.locator('.quick-input-widget input[type="text"]');
      const wanted = join(folder, 'two-philosophers.dot');
      await page.waitForFunction(
        ([input, value]) => document.querySelector(input)?.value === value,
        ['.quick-input-widget input[type="text"]', wanted],
      );
      await path.press('Enter');
      const dot = await until('the graph', () => existsSync(wanted) && readFileSync(wanted, 'utf8'));
      assert.match(dot, /^digraph "two-philosophers" [\s\S]*shape=octagon/);
    },
    'the command draws the system of the file that is open': async () => {
      await session.openAlone('explore/lost-wake-up.yaml');
      await lens('Show the state graph').first().waitFor();
      await session.command('Berth: Show State Graph');
      await graph.getByText('47 of 47 states drawn').waitFor();
      // It has more of what the small one has.
      await (isThorough ? look('large') : show('large'));
    },
    'a lens over a Pod leads to the order that strands it': async () => {
      await session.openAlone('arrival-orders/big-and-small/big-and-small.yaml');
      const stranded = lens('stranded in 1 of 3 orders');
      await stranded.first().waitFor();
      await session.picture(join(pictures, 'lens.png'));
      await stranded.first().click();
      await pod('big').filter({ hasText: '3. big' }).waitFor();
      await turn('Arrival 3 of 3 big waits').waitFor();
      assert.equal(await graph.locator('.arrival.is-stranded').count(), 1);
    },
    'arrow keys and Pods go from arrival to arrival, and the nodes follow': async () => {
      await slider.press('Home');
      await turn('no Pod has come yet').waitFor();
      await slider.press('ArrowRight');
      await turn('Arrival 1 of 3 small-1 lands on').waitFor();
      assert.equal(await graph.locator('.arrival.is-over').count(), 1);
      await pod('small-2').click();
      await turn('Arrival 2 of 3').waitFor();
      await graph.locator('.arrival [aria-current="step"]', { hasText: 'small-2' }).waitFor();
      await look('arrivals');
    },
    'another order is made by hand: the big Pod comes earlier and is placed': async () => {
      await graph.getByRole('button', { name: 'Earlier: big' }).click();
      await pod('big').filter({ hasText: '2. big' }).waitFor();
      await graph.locator('.counts', { hasText: '3 placed' }).waitFor();
      assert.equal(await graph.locator('.arrival.is-stranded').count(), 0);
      await pod('big').dragTo(pod('small-2'));
      await pod('big').filter({ hasText: '3. big' }).waitFor();
      await graph.locator('.counts', { hasText: '1 pending' }).waitFor();
      await graph.getByRole('button', { name: 'No longer: Order of arrival' }).click();
      await graph.locator('.arrivals').waitFor({ state: 'detached' });
      await graph.getByRole('button', { name: 'What if…' }).click();
      await graph.getByRole('button', { name: 'Arrival order…' }).click();
      await pod('big').filter({ hasText: '1. big' }).waitFor();
    },
    'what controllers may do is explored on request, and listed with what may go wrong first': async () => {
      await session.openAlone('what-controllers-do/rollout/rollout.yaml');
      await lens('explore what could happen').first().waitFor();
      await session.command('Berth: Explore What Could Happen…');
      await picks.first().filter({ hasText: 'A rollout of Deployment web never ends' }).waitFor();
      await session.picture(join(pictures, 'list.png'));
      await page.keyboard.press('Enter');
      await page.locator('.squiggly-warning').first().waitFor();
      await activeLine.filter({ hasText: /^23$/ }).waitFor();
      await lens('explored: 1 may go wrong').first().waitFor();
    },
    'its finding leads to the steps in the preview, one key for each': async () => {
      await session.chooseFix('Show the steps in the preview');
      await graph.locator('.trail-end', { hasText: 'never ends' }).waitFor();
      await turn('Step 2 of 2 Deployment web: make web (new)').waitFor();
      await slider.press('Home');
      await turn('Step 0 of 2 nothing has happened yet').waitFor();
      await slider.press('ArrowRight');
      await turn('Step 1 of 2 Deployment web: scale the new ReplicaSet to 1').waitFor();
      await slider.press('End');
      await turn('Step 2 of 2').waitFor();
      await look('trail');
    },
    'its fix is applied, and nothing goes wrong any more': async () => {
      await session.command('View: Focus First Editor Group');
      // Where the last step is, which the preview has the editor show.
      await selection.filter({ hasText: 'Ln 23, Col 11 (8 selected)' }).waitFor();
      await session.chooseFix('Let Deployment web roll out with maxUnavailable: 1', () =>
        session.picture(join(pictures, 'fixes.png')),
      );
      await page.locator('.view-line', { hasText: 'maxSurge: 1, maxUnavailable: 1' }).waitFor();
      await lens('explore what could happen').first().waitFor();
      await page.locator('.squiggly-warning').first().waitFor({ state: 'detached' });
      await session.command('Berth: Explore What Could Happen…');
      await page.locator('.quick-input-title', { hasText: 'What could happen: 0 may go wrong' }).waitFor();
      await picks.filter({ hasText: 'every rollout of Deployment web ends' }).waitFor();
      await session.picture(join(pictures, 'fixed.png'));
      await page.keyboard.press('Escape');
    },
  };
}
