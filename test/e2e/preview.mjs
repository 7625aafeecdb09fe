// The placement preview in a real browser, on the examples: what it looks like in each theme and size, with axe
// asked about it; each control by mouse and by keyboard; what a screen reader hears; and what it exports. Pictures go to
// artifacts/preview/, counts to artifacts/preview.json. `--update-screenshot` renews the README's picture, `--only PATTERN`
// runs the steps whose names match.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { controlStepsOf } from './preview/controls.mjs';
import { exportStepsOf } from './preview/exports.mjs';
import { keyboardStepsOf, moverStepsOf } from './preview/keyboard.mjs';
import { beginPictures, looksAtMovers, looksAtNodes, pictures } from './preview/looks.mjs';
import { partsOf } from './preview/parts.mjs';
import { root, runSteps, startSession } from './session.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'update-screenshot': { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
});
const session = await startSession({
  extension: positionals[0],
  workspace: join(root, 'examples'),
  settings: { 'editor.minimap.enabled': false },
});
const { page, preview } = session;
const { choose, maximize, openAll, openBeside, tab } = partsOf(session);
beginPictures();

/** Whether all of an element lies within the window. */
async function isInSight(element) {
  const box = await element.boundingBox();
  const { width, height } = page.viewportSize();
  return box !== null && box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height;
}

const opened = {
  'opens beside the editor': async () => {
    await session.open('three-zones/shop.yaml');
    await session.command('View: Toggle Primary Side Bar Visibility');
    await session.goTo(80, 25);
    await page.locator('.squiggly-warning').first().waitFor();
    await openBeside();
    // The preview follows the cursor.
    await preview.locator('.decision', { hasText: 'images-1 stays Pending' }).waitFor();
    await preview.locator('.suggestions').waitFor();
    // Over nothing that would tell something.
    await page.mouse.move(300, 650);
    await page.locator('.monaco-hover:visible').waitFor({ state: 'detached' });
    await page.screenshot({ path: join(pictures, 'beside.png') });
    const cells = await preview.locator('.cell').all();
    for (const cell of cells) assert.ok(await isInSight(cell), 'a node is out of sight beside the editor');
    assert.equal(cells.length, 6);
    await maximize();
    await openAll();
    await choose('web-1');
  },
};
const openedAgain = {
  'tells what would move Pods': async () => {
    await session.open('moved/cluster.yaml');
    await openBeside();
    await maximize();
    await tab('Descheduler').waitFor();
  },
};
const onNodes = {
  ...looksAtNodes(session),
  ...controlStepsOf(session),
  ...keyboardStepsOf(session),
  ...exportStepsOf(session),
};
const onMovers = { ...looksAtMovers(session), ...moverStepsOf(session) };
const wanted = steps =>
  Object.fromEntries(Object.entries(steps).filter(([name]) => new RegExp(values.only).test(name)));

const { failed } = await runSteps('preview', session, {
  ...opened,
  ...wanted(onNodes),
  ...openedAgain,
  ...wanted(onMovers),
});
if (values['update-screenshot'] && failed === 0) {
  mkdirSync(join(root, 'docs/images'), { recursive: true });
  copyFileSync(join(pictures, 'beside.png'), join(root, 'docs/images/preview.png'));
}
