// The preview's webview in a browser without a window: until it is drawn anew, and what a frame costs while it scrolls.

import { join } from 'node:path';
import { build } from 'esbuild';
import { openBrowser } from '../e2e/host.mjs';

const root = join(import.meta.dirname, '../..');

/** What the webview finds in VS Code: nodes are shown as `board` says, `map` or `cards`. */
const editorWith = board =>
  `globalThis.acquireVsCodeApi = () => ({ postMessage() {}, getState: () => ({ choices: { board: '${board}' } }), setState() {} });`;

async function bundle() {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'client/src/webview/main.tsx')],
    outdir: 'out',
    bundle: true,
    minify: true,
    write: false,
    platform: 'browser',
    target: 'es2022',
    format: 'iife',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  const textOf = ext => outputFiles.find(it => it.path.endsWith(ext))?.text ?? '';
  return { script: textOf('.js'), style: textOf('.css') };
}

/** Runs in the page: draws an answer, and gives the milliseconds until it is on the screen. */
async function drawn(texts) {
  const times = [];
  for (const text of texts) {
    const start = performance.now();
    window.dispatchEvent(new MessageEvent('message', { data: JSON.parse(text) }));
    await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
    times.push(performance.now() - start);
  }
  return times;
}

/** Runs in the page: opens all workloads in the list of Pods. */
function openAll() {
  const event = new KeyboardEvent('keydown', { key: '*', bubbles: true });
  document.querySelector('[role="treeitem"]').dispatchEvent(event);
}

/** Runs in the page: scrolls a part by a step in each frame, down and up again, and gives the times between frames. */
async function scrolled({ selector, step, frames }) {
  const part = document.querySelector(selector);
  const times = [];
  let last;
  for (let frame = 0; frame < frames; frame++) {
    const now = await new Promise(requestAnimationFrame);
    if (last !== undefined) times.push(now - last);
    last = now;
    part.scrollTop += frame < frames / 2 ? step : -step;
  }
  return times;
}

/**
 * Milliseconds for each answer of `texts` (messages to the webview as JSON), one after the other, and for some parts: the
 * time between frames while they scroll, and what a frame takes of the page's thread, waiting not counted.
 * @param {'map' | 'cards'} board How nodes are shown.
 */
export async function webviewTimes(texts, parts, board) {
  const { script, style } = await bundle();
  const { browser, page } = await openBrowser();
  try {
    await page.addInitScript(editorWith(board));
    await page.setContent(`<!doctype html><html lang="en"><head><style>${style}</style></head><body></body></html>`);
    await page.evaluate(editorWith(board));
    await page.addScriptTag({ content: script });
    const redraws = await page.evaluate(drawn, texts);
    await page.evaluate(openAll);
    const scrolls = {};
    for (const [name, part] of Object.entries(parts)) {
      const session = await page.context().newCDPSession(page);
      const costs = await traced(session, async () => {
        scrolls[name] = { frames: await page.evaluate(scrolled, part) };
      });
      scrolls[name].costs = costs;
    }
    return { redraws, scrolls };
  } finally {
    await browser.close();
  }
}

/** What the frames meanwhile took of the page's main thread, in milliseconds of its CPU. */
async function traced(session, work) {
  const events = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  const categories = 'devtools.timeline,toplevel';
  await session.send('Tracing.start', { categories, transferMode: 'ReportEvents' });
  await work();
  const done = new Promise(resolve => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await done;
  const fired = events.filter(it => it.name === 'FireAnimationFrame').sort((a, b) => a.ts - b.ts);
  const main = fired[0]?.tid;
  const tasks = events.filter(it => it.tid === main && it.tdur !== undefined && it.name.endsWith('RunTask'));
  // All callbacks of one frame run in one task.
  const taskOf = ({ ts }) => tasks.find(it => it.ts <= ts && ts < it.ts + it.dur);
  const frames = fired.filter((it, i) => i === 0 || taskOf(it) === undefined || taskOf(it) !== taskOf(fired[i - 1]));
  return frames.slice(1).map(({ ts }, i) => {
    const from = frames[i].ts;
    return tasks.filter(it => it.ts >= from && it.ts < ts).reduce((sum, it) => sum + it.tdur / 1000, 0);
  });
}
