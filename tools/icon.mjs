// `node tools/icon.mjs`: draws docs/images/icon.svg as the PNG that extension galleries want.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBrowser } from '../test/e2e/host.mjs';
import { root } from './run.mjs';

const SIZE = 256;
const images = join(root, 'docs/images');
const { browser, page } = await openBrowser({ viewport: { width: SIZE, height: SIZE } });
const drawn = `<style>body { margin: 0; background: transparent } svg { display: block }</style>${readFileSync(join(images, 'icon.svg'), 'utf8')}`;
await page.setContent(drawn);
await page.screenshot({ path: join(images, 'icon.png'), omitBackground: true });
await browser.close();
