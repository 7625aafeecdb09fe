// What the preview tells of the descheduler and of a VPA, on the example of moved Pods: from the lens, by mouse and by keyboard.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { moverStepsOf } from './keyboard.mjs';
import { looksAtMovers, pictures, seriousProblems } from './looks.mjs';
import { partsOf } from './parts.mjs';

/** Steps that build on each other; the first one opens the example. */
export function stepsAtMovers(session, isReadable) {
  const { page, preview, folder } = session;
  const { button, chip, strip, tab, reset, frame, maximize } = partsOf(session);
  const written = () =>
    ['cluster', 'policy', 'vpa'].map(it => readFileSync(join(folder, `moved/${it}.yaml`), 'utf8')).join('');
  const before = written();
  const round = name => preview.getByRole('region', { name, exact: true });
  const tile = pod => preview.locator('.board').getByRole('button', { name: new RegExp(`${pod}, placed`) });

  return {
    'a lens over the policy tells what it would do, and leads to its tab': async () => {
      await session.openAlone('moved/policy.yaml');
      const lens = page.locator('.codelens-decoration a', {
        hasText: 'would evict 2 Pods now · settles after 1 round',
      });
      await lens.waitFor();
      await lens.click();
      await preview.getByText('The descheduler would evict 2 Pods now.').waitFor();
      assert.equal(await tab('Descheduler').getAttribute('aria-selected'), 'true');
    },
    'tells who leaves, why, and where they come again': async () => {
      await tab('Descheduler').click();
      await maximize();
      await preview.getByText('It settles after 1 round').waitFor();
      const first = round('Round 1');
      await first.getByText('RemoveDuplicates').first().waitFor();
      await first.getByRole('cell', { name: 'node-c' }).waitFor();
    },
    'shows the round on the nodes by the keyboard, and no file changes': async () => {
      await button('Show on the nodes: Round 1').focus();
      await page.keyboard.press('Enter');
      await chip('descheduler, round 1').waitFor();
      assert.equal(await tab('Nodes').getAttribute('aria-selected'), 'true');
      await strip.getByText('2 Pods moved').waitFor();
      await button('Cards').click();
      await tile('web-2').waitFor();
      await session.picture(join(pictures, 'round.png'));
      assert.deepEqual(await seriousProblems(await frame()), []);
      assert.equal(written(), before);
    },
    'takes it back': async () => {
      await reset();
      await tile('web-2').waitFor({ state: 'detached' });
    },
    ...looksAtMovers(session, isReadable),
    ...moverStepsOf(session),
    'tells of each mode of the VPA, reached by the arrow keys': async () => {
      await tab('Nodes').focus();
      await page.keyboard.press('End');
      await preview.getByRole('region', { name: 'InPlaceOrRecreate', exact: true }).waitFor();
      assert.equal(await tab('VPA').getAttribute('aria-selected'), 'true');
      const recreate = preview.getByRole('region', { name: 'Recreate', exact: true });
      assert.equal(await recreate.getByRole('region').count(), 3);
      await recreate.getByRole('button', { name: 'Show on the nodes: Round 2' }).click();
      await chip('VPA default/web in Recreate, round 2').waitFor();
    },
    'is shown until somebody types': async () => {
      await session.command('View: Toggle Maximize Editor Group');
      await page.locator('.monaco-editor .view-line').first().click();
      await page.keyboard.type('# ');
      await strip.waitFor({ state: 'detached' });
    },
  };
}
