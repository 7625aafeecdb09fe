// What the preview looks like: axe is asked about each state, about its colours in two themes, one of them another one for
// each state, and about each third state in a low window; a thorough run asks about all. With `--pictures` there is one of each.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isThorough } from '../../support/isThorough.mjs';
import { artifacts, root } from '../session.mjs';
import { partsOf } from './parts.mjs';

export const pictures = join(artifacts, 'preview');
const axe = readFileSync(join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');

const THEMES = {
  dark: { setting: 'Dark 2026', body: 'vscode-dark' },
  light: { setting: 'Light 2026', body: 'vscode-light' },
  contrast: { setting: 'Default High Contrast', body: 'vscode-high-contrast:not(.vscode-high-contrast-light)' },
  'contrast-light': { setting: 'Default High Contrast Light', body: 'vscode-high-contrast-light' },
};
/** A sample has one of the two themes of high contrast. */
const WORN = Object.entries(THEMES).filter(([name]) => isThorough || name !== 'contrast-light');
const SIZE = { width: 1280, height: 800 };
const LOW_SIZE = { width: 800, height: 600 };

/**
 * What is looked at, each reached from the one before: `show` once, `open` at each size. `low` comes into view where the window
 * is low.
 */
const statesOfNodes = ({ preview, page }, { button, chip, choose, reset, slider, tab }) => ({
  map: {
    low: '.board',
    async show() {
      await button('Map').click();
      await choose('web-1');
      await preview.locator('[data-key="cell:gpu-1"]').click();
    },
  },
  overview: {
    low: '.board',
    async show() {
      await button('Cards').click();
      await choose('web-1');
    },
  },
  pending: {
    low: '.details',
    async show() {
      await choose('images-1');
      await preview.locator('.suggestions').waitFor();
    },
  },
  preempting: {
    low: '.details',
    async show() {
      await choose('orders-3');
      await preview.locator('.victims').waitFor();
    },
  },
  'middle of the queue': {
    low: '.decision',
    async show() {
      await slider.fill('6');
      await preview.getByText(/^Turn 6 of/).waitFor();
    },
  },
  'what if': {
    low: '.board',
    async show() {
      await button('Last: after all turns').click();
      await button('Try b-1 down').click();
      await chip('b-1 down').waitFor();
      await button('All ×2').click();
      await chip('×2').waitFor();
      await choose('web-1');
    },
  },
  workloads: {
    low: '.workloads',
    async show() {
      await tab('Workloads').click();
      await preview.locator('.workloads tbody tr').first().waitFor();
    },
  },
  compare: {
    low: '.compare',
    async show() {
      await tab('Compare').click();
      await preview.locator('.compare tbody tr').first().waitFor();
    },
  },
  menu: {
    low: '.toolbar',
    async show() {
      await tab('Nodes').click();
      await reset();
    },
    async open() {
      await page.keyboard.press('Escape');
      await button('Export…').click();
      await preview.getByRole('menuitem').first().waitFor();
    },
  },
});

/** What the example of movers adds. */
const statesOfMovers = ({ preview }, { tab }) => ({
  descheduler: {
    low: '.movers',
    async show() {
      await tab('Descheduler').click();
      await preview.locator('.movers .round').first().waitFor();
    },
  },
  vpa: {
    low: '.movers',
    async show() {
      await tab('VPA').click();
      await preview.locator('.movers table').first().waitFor();
    },
  },
});

/** Scrolls the page of the preview alone, to a place that would be below a low window. */
function showLow(element) {
  const above = element.matches('.board, .details') ? (document.querySelector('.decision')?.offsetHeight ?? 0) : 0;
  document.documentElement.scrollTop += element.getBoundingClientRect().top - above;
}

/** The rules of axe that are serious and look at colours, which is all that a theme changes. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** Options of axe for a part of its rules. */
const COLOURS = { runOnly: { type: 'rule', values: OF_COLOURS } };
const NO_COLOURS = { rules: Object.fromEntries(OF_COLOURS.map(it => [it, { enabled: false }])) };

/**
 * Runs in the preview: parts of the page that were there before in the same surroundings, at the same width and in the same
 * theme, of which axe was asked then. What holds nothing is looked at again.
 */
function knownParts(asked) {
  globalThis.axeNames ??= new Map();
  globalThis.axeKnown ??= new Set();
  /** A short name for a text, the same each time. */
  const nameOf = text => {
    const { axeNames: names } = globalThis;
    if (!names.has(text)) names.set(text, String(names.size));
    return names.get(text);
  };
  const own = new Map();
  const whole = new Map();
  /** An element with all that is in it is named after its own tag and the names of what is in it. */
  const name = node => {
    if (node.nodeType !== Node.ELEMENT_NODE) return `${node.nodeType} ${node.nodeValue}`;
    own.set(node, nameOf(node.cloneNode(false).outerHTML));
    whole.set(node, nameOf([own.get(node), ...Array.from(node.childNodes, name)].join('\0')));
    return whole.get(node);
  };
  name(document.body);
  const known = [];
  const visit = (element, around) => {
    if (element.childElementCount === 0) return;
    const surroundings = nameOf(`${around} > ${own.get(element)}`);
    const part = `${surroundings} ${whole.get(element)}`;
    if (globalThis.axeKnown.has(part)) known.push(element);
    else {
      globalThis.axeKnown.add(part);
      for (const it of element.children) visit(it, surroundings);
    }
  };
  visit(document.body, `${asked} ${innerWidth} ${document.documentElement.getAttribute('style')}`);
  return known;
}

/**
 * Everything that axe calls serious or critical: the rule, the element, and what is wrong with it. What it has seen before is
 * looked at again in a thorough run.
 * @param {object=} part Options that choose rules; all of axe's by default.
 */
export async function seriousProblems(frame, part = {}) {
  const isNew = !(await frame.evaluate(() => 'axe' in globalThis));
  if (isNew) await frame.evaluate(`${axe};${knownParts}`);
  return frame.evaluate(
    async ({ options, preload, looksAgain }) => {
      const exclude = looksAgain ? [] : globalThis.knownParts(JSON.stringify(options));
      const asked = { include: [document], ...(exclude.length > 0 && { exclude }) };
      const { violations } = await globalThis.axe.run(asked, { resultTypes: ['violations'], preload, ...options });
      return violations
        .filter(it => it.impact === 'serious' || it.impact === 'critical')
        .flatMap(({ id, help, nodes }) => nodes.map(it => `${id} (${help}): ${it.html}\n    ${it.failureSummary}`));
    },
    // The style sheets of a page, which axe would load and read each time, stay as they are.
    { options: part, preload: isNew || isThorough, looksAgain: isThorough },
  );
}

/** Takes the pictures of an earlier run away. */
export function beginPictures() {
  rmSync(pictures, { recursive: true, force: true });
  mkdirSync(pictures, { recursive: true });
}

export const looksAtNodes = (session, isReadable) => looksOf(session, statesOfNodes, isReadable);
export const looksAtMovers = (session, isReadable) => looksOf(session, statesOfMovers, isReadable);

/** Runs in the preview: all that the editor tells its page of a theme. */
function takeOff() {
  const { documentElement, body } = document;
  return { style: documentElement.getAttribute('style'), className: body.className, dataset: { ...body.dataset } };
}

/** Runs in the preview: what `takeOff` gave. */
function putOn({ style, className, dataset }) {
  const { documentElement, body } = document;
  documentElement.setAttribute('style', style);
  body.className = className;
  Object.assign(body.dataset, dataset);
}

/** What the page of the preview gets from the editor in each theme. To change the theme of the whole editor takes long. */
async function dressesOf({ configure, preview }, parts) {
  const dresses = new Map();
  const wear = async ({ setting, body }) => {
    configure({ 'workbench.colorTheme': setting });
    await preview.locator(`body.${body}`).waitFor();
    return (await parts.frame()).evaluate(takeOff);
  };
  for (const [name, theme] of WORN) dresses.set(name, await wear(theme));
  await wear(THEMES.dark);
  assert.equal(new Set([...dresses.values()].map(it => it.style)).size, dresses.size, 'themes look alike');
  return dresses;
}

/**
 * Gives what fails where axe finds something wrong in the page as it is shown: whatever there is in the dark theme, and
 * colours in another one, which is the next one at each call. In a thorough run, colours in all others.
 */
export function readableInThemes(session) {
  const parts = partsOf(session);
  const kept = [];
  const others = WORN.map(([name]) => name).filter(it => it !== 'dark');
  let calls = 0;
  return async () => {
    if (kept.length === 0) kept.push(dressesOf(session, parts));
    const dresses = await kept[0];
    const frame = await parts.frame();
    const asked = ['dark', ...(isThorough ? others : [others[calls++ % others.length]])];
    /** A problem, and the themes in which it was seen. */
    const problems = new Map();
    for (const theme of asked) {
      await frame.evaluate(putOn, dresses.get(theme));
      const found = await seriousProblems(frame, theme === 'dark' ? {} : COLOURS);
      for (const it of found) problems.set(it, [...(problems.get(it) ?? []), theme]);
    }
    await frame.evaluate(putOn, dresses.get('dark'));
    const told = [...problems].map(([problem, places]) => `${problem}\n    in ${places.join(', ')}`);
    assert.ok(told.length === 0, `axe says:\n${told.join('\n')}`);
  };
}

/** One step for each state. */
function looksOf(session, statesOf, isReadable) {
  const { page, preview } = session;
  const parts = partsOf(session);

  const lookLow = async (path, { open, low }) => {
    // What has another size has the same colours.
    await page.setViewportSize(LOW_SIZE);
    await preview.locator(low).first().evaluate(showLow);
    await open?.();
    await session.picture(path);
    const problems = await seriousProblems(await parts.frame(), NO_COLOURS);
    await page.setViewportSize(SIZE);
    assert.ok(problems.length === 0, `axe says of the low window:\n${problems.join('\n')}`);
  };
  const look = async (state, it, index) => {
    const picture = ({ width }) => join(pictures, `${state.replaceAll(' ', '-')}-${width}.png`);
    await it.show();
    await it.open?.();
    await isReadable();
    await session.picture(picture(SIZE));
    if (isThorough || index % 3 === 2) await lookLow(picture(LOW_SIZE), it);
  };

  return Object.fromEntries(
    Object.entries(statesOf(session, parts)).map(([state, it], index) => [
      `can be read in its themes and at each size: ${state}`,
      () => look(state, it, index),
    ]),
  );
}
