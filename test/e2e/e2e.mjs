// Berth, from its .vsix (or, without an argument, from this folder), in a real editor in a browser, used as a person does: how the
// placement preview can be read in its themes and at each size, as axe says; each control by keyboard and by mouse; what a screen
// reader hears; what it exports; what the editor shows of explorations, and what the preview tells of the descheduler and of a VPA;
// then a manifest that is edited. All in one editor, as its start takes longest. Counts go to artifacts/e2e.json, and with
// `--pictures` pictures to artifacts/. `--update-screenshot` renews the README's picture, `--only nodes,explorations,movers,editing`
// takes some of the parts, `--matching PATTERN` those steps of the part `nodes` whose names match.
import assert from 'node:assert/strict';
import { copyFileSync, cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readOptions } from '../../tools/options.mjs';
import { stepsOfEditing } from './editing.mjs';
import { controlStepsOf } from './preview/controls.mjs';
import { stepsAtExplorations } from './preview/explorations.mjs';
import { exportStepsOf } from './preview/exports.mjs';
import { keyboardStepsOf } from './preview/keyboard.mjs';
import { beginPictures, looksAtNodes, pictures, readableInThemes } from './preview/looks.mjs';
import { stepsAtMovers } from './preview/movers.mjs';
import { partsOf } from './preview/parts.mjs';
import { root, runSteps, startSession } from './session.mjs';

const { values, positionals } = readOptions(import.meta.filename, {
  allowPositionals: true,
  options: {
    pictures: { type: 'boolean', default: false },
    'update-screenshot': { type: 'boolean', default: false },
    only: { type: 'string', default: 'nodes,explorations,movers,editing' },
    matching: { type: 'string', default: '' },
  },
});
const session = await startSession({
  extension: positionals[0],
  workspace: join(root, 'examples'),
  // The others are other programs' work, as that of the engine of policies, which nothing here shows.
  only: ['three-zones', 'explore', 'arrival-orders', 'what-controllers-do', 'moved'],
  // Saved by itself, so that editors close without a question.
  settings: { 'files.autoSave': 'afterDelay', 'files.autoSaveDelay': 100 },
});
cpSync(join(import.meta.dirname, 'workspace'), join(session.folder, 'web'), { recursive: true });
const { page, preview } = session;
const { choose, maximize, openAll, openBeside } = partsOf(session);
beginPictures();

/** Whether all of an element lies within the window. */
async function isInSight(element) {
  const box = await element.boundingBox();
  const { width, height } = page.viewportSize();
  return box !== null && box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height;
}

const opened = {
  'opens beside the editor': async () => {
    await session.goTo(80, 25);
    await page.locator('.squiggly-warning').first().waitFor();
    await openBeside();
    // The preview follows the cursor.
    await preview.locator('.decision', { hasText: 'images-1 stays Pending' }).waitFor();
    await preview.locator('.suggestions').waitFor();
    // Over nothing that would tell something.
    await page.mouse.move(300, 650);
    await page.locator('.monaco-hover:visible').waitFor({ state: 'detached' });
    await session.picture(join(pictures, 'beside.png'));
    const cells = await preview.locator('.cell').all();
    for (const cell of cells) assert.ok(await isInSight(cell), 'a node is out of sight beside the editor');
    assert.equal(cells.length, 6);
    await maximize();
    await openAll();
    await choose('web-1');
  },
};
const isReadable = readableInThemes(session);
const atNodes = {
  ...looksAtNodes(session, isReadable),
  ...controlStepsOf(session),
  ...keyboardStepsOf(session),
  ...exportStepsOf(session),
};
const isMatching = new RegExp(values.matching);
const parts = {
  nodes: { ...opened, ...Object.fromEntries(Object.entries(atNodes).filter(([name]) => isMatching.test(name))) },
  explorations: stepsAtExplorations(session, isReadable),
  movers: stepsAtMovers(session, isReadable),
  editing: stepsOfEditing(session),
};

const { failed } = await runSteps('e2e', session, {
  'opens the folder': async () => {
    await session.open('three-zones/shop.yaml');
    await session.command('View: Toggle Primary Side Bar Visibility');
  },
  ...Object.assign({}, ...values.only.split(',').map(it => parts[it])),
});
if (values['update-screenshot'] && failed === 0) {
  mkdirSync(join(root, 'docs/images'), { recursive: true });
  copyFileSync(join(pictures, 'beside.png'), join(root, 'docs/images/preview.png'));
}
