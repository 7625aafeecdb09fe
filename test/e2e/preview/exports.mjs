// What the preview exports, through the dialog of the editor into files.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { until } from '../until.mjs';
import { partsOf } from './parts.mjs';

/** What gives the file that an item of the menu makes; the dialog proposes where. */
function savingIn(session) {
  const { page, preview, folder } = session;
  const { button } = partsOf(session);
  return async (item, name) => {
    await button('Export…').click();
    await preview.getByRole('menuitem', { name: item }).click();
    const path = page.locator('.quick-input-widget input[type="text"]');
    const wanted = join(folder, name);
    await page.waitForFunction(
      ([input, value]) => document.querySelector(input)?.value === value,
      ['.quick-input-widget input[type="text"]', wanted],
    );
    await path.press('Enter');
    await path.waitFor({ state: 'hidden' });
    return until(`all of ${name}`, () => {
      const bytes = existsSync(wanted) ? readFileSync(wanted) : Buffer.alloc(0);
      return isWhole[extname(name)](bytes.toString('latin1')) && bytes;
    });
  };
}

/** Whether all of a file of each format is there. */
const isWhole = {
  '.svg': text => /<\/svg>\s*$/.test(text),
  '.png': text => /IEND.{4}$/s.test(text),
  '.md': text => text.endsWith('\n'),
  '.json': text => {
    try {
      return JSON.parse(text) !== null;
    } catch {
      return false;
    }
  },
};

/** Steps that save each format and read the file. */
export function exportStepsOf(session) {
  const { preview, folder } = session;
  const { button, chip, choose, frame, reset } = partsOf(session);
  const saved = savingIn(session);

  return {
    'exports a picture of all nodes as SVG': async () => {
      await choose('web-1');
      const svg = (await saved('Picture (SVG)', 'placement.svg')).toString('utf8');
      const texts = await (await frame()).evaluate(text => {
        const page = new DOMParser().parseFromString(text, 'image/svg+xml');
        const wrong = page.querySelector('parsererror');
        return wrong ? [wrong.textContent] : [...page.querySelectorAll('text')].map(it => it.textContent);
      }, svg);
      for (const told of ['a-1', 'b-2', 'gpu-1', 'eu-1c', 'web-1', 'orders-3', 'nightly-1'])
        assert.ok(
          texts.some(it => it.includes(told)),
          `${told} is not in ${texts.join(' | ')}`,
        );
    },
    'exports the same picture as PNG': async () => {
      const png = await saved('Picture (PNG)', 'placement.png');
      const size = await (await frame()).evaluate(async base64 => {
        const bytes = Uint8Array.from(atob(base64), it => it.charCodeAt(0));
        const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
        const context = canvas.getContext('2d');
        context.drawImage(bitmap, 0, 0);
        const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
        const colors = new Set();
        for (let at = 0; at < data.length; at += 4) colors.add((data[at] << 16) | (data[at + 1] << 8) | data[at + 2]);
        return { width: bitmap.width, height: bitmap.height, colors: colors.size };
      }, png.toString('base64'));
      const svg = readFileSync(join(folder, 'placement.svg'), 'utf8');
      const [, width, height] = /width="(\d+)" height="(\d+)"/.exec(svg);
      assert.deepEqual([size.width, size.height], [2 * width, 2 * height]);
      assert.ok(size.colors > 5, 'the picture is empty');
    },
    'exports the model as JSON, at the turn that is shown': async () => {
      await preview.locator('.timeline input').fill('2');
      const model = JSON.parse((await saved('JSON', 'placement.json')).toString('utf8'));
      assert.deepEqual(
        model.nodes.map(it => it.name),
        ['a-1', 'a-2', 'b-1', 'b-2', 'c-1', 'gpu-1'],
      );
      const placed = model.pods.filter(it => it.state === 'placed').map(it => it.id);
      assert.deepEqual(placed, ['default/web-1', 'default/web-2']);
      await preview.locator('.timeline input').press('End');
    },
    'exports a report in Markdown, with what is tried': async () => {
      await button('Try b-1 down').click();
      await chip('b-1 down').waitFor();
      const report = (await saved('Report (Markdown)', 'placement.md')).toString('utf8');
      assert.match(
        report,
        /^# Placement\n\nKubernetes 1\.37 · .*\d+ placed · \d+ pending · \d+ evicted · \d+ refused · Queues: .*\d+ unschedulable, \d+ gated\n/,
      );
      assert.match(report, /## Tried\n\n- b-1 down\n\n## Differences\n\n- /);
      assert.match(report, /\| default\/Deployment\/web \| 6 of 6 \|/);
      assert.match(report, /images-1.*Insufficient cpu/);
      assert.doesNotMatch(report, /\| b-1 \|/);
      await reset();
    },
  };
}
