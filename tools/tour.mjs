// `npm run tour`: docs/images/tour.gif, what Berth shows in VS Code from a typing error to a Pod that fits, in half a
// minute. The production build is used as a person would, in a real editor; nothing is drawn but the captions.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { partsOf } from '../test/e2e/preview/parts.mjs';
import { startSession } from '../test/e2e/session.mjs';
import { animationOf } from './animation.mjs';
import { root } from './run.mjs';

const SIZE = { width: 1100, height: 680 };
const target = join(root, 'docs/images/tour.gif');
const session = await startSession({
  extension: join(root, 'dist/berth.vsix'),
  workspace: join(root, 'examples'),
  settings: {
    'editor.minimap.enabled': false,
    'window.commandCenter': false,
    'workbench.layoutControl.enabled': false,
  },
});
const { page, preview, command } = session;
const { openBeside } = partsOf(session);
await page.setViewportSize(SIZE);

const frames = [];

/** Writes what is to be seen over the foot of the window. */
const caption = text =>
  page.evaluate(said => {
    const id = 'tour-caption';
    const box = document.getElementById(id) ?? document.body.appendChild(document.createElement('div'));
    box.id = id;
    box.textContent = said;
    Object.assign(box.style, {
      position: 'fixed',
      left: '50%',
      bottom: '44px',
      transform: 'translateX(-50%)',
      padding: '10px 22px',
      borderRadius: '6px',
      background: '#14324f',
      color: '#ffffff',
      font: '600 18px sans-serif',
      boxShadow: '0 4px 16px #000000a0',
      zIndex: '100000',
      pointerEvents: 'none',
      whiteSpace: 'nowrap',
    });
  }, text);

/** Keeps a picture of what is shown, with a caption. */
async function show(text, milliseconds = 3500) {
  await caption(text);
  frames.push({ png: await page.screenshot(), milliseconds });
}

/** Moves the mouse to where it shows nothing. */
async function rest() {
  await page.mouse.move(300, 520);
  await page.locator('.monaco-hover:visible').waitFor({ state: 'detached' });
}

const word = text => page.locator('.view-line span > span', { hasText: new RegExp(`^\\s*${text}$`) }).last();

try {
  await session.open('shop/web.yaml');
  await command('View: Toggle Primary Side Bar Visibility');
  await page.locator('.monaco-editor .squiggly-error').first().waitFor();
  await word('imagePullPolcy').hover();
  await page.locator('.monaco-hover:visible', { hasText: 'imagePullPolicy' }).first().waitFor();
  await page.locator('.monaco-hover:visible', { hasText: 'Loading' }).waitFor({ state: 'hidden' });
  await show('What the API server would refuse is underlined while you type');
  await page.keyboard.press('Escape');
  await word('imagePullPolcy').click();
  await session.chooseFix('imagePullPolicy', () => show('A quick fix mends it', 2500));
  await page.locator('.monaco-editor .squiggly-error').waitFor({ state: 'detached' });

  await session.openByName('shop.yaml');
  await page.locator('.tab.active', { hasText: 'shop.yaml' }).waitFor();
  await page
    .locator('.codelens-decoration a:visible', { hasText: /→|fits|Pods/ })
    .first()
    .waitFor();
  await show('Over each workload: where its Pods will land');
  await session.goTo(80, 25);
  await openBeside();
  await preview.locator('.decision', { hasText: 'images-1 stays Pending' }).waitFor();
  await preview.locator('.suggestions').waitFor();
  await rest();
  await show("kube-scheduler's own decision, node by node, and why a Pod waits", 5000);
  await preview.locator('.suggestions').scrollIntoViewIfNeeded();
  await show('Changes that would make it fit, each tried out before', 4000);
  await preview.locator('.suggestions button:enabled').first().press('Enter');
  await preview.locator('.decision', { hasText: 'images-1 lands on gpu-1' }).waitFor();
  await page.locator('.squiggly-warning').waitFor({ state: 'detached' });
  await preview.locator('.counts').scrollIntoViewIfNeeded();
  await rest();
  await show('One click writes it into the manifest, and the Pod has a node', 4500);
} catch (error) {
  await session.shot('tour-failure');
  throw error;
} finally {
  await session.end();
}
mkdirSync(join(root, 'artifacts/tour'), { recursive: true });
for (const [index, { png }] of frames.entries()) writeFileSync(join(root, `artifacts/tour/${index}.png`), png);
const animation = animationOf(frames);
writeFileSync(target, animation);
console.log(`${target} (${Math.ceil(animation.length / 1024)} kB, ${frames.length} pictures)`);
