// One editor with Berth in it, one browser page that shows it, and what tests do there again and again.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { copyWorkspace, FOR_TESTS, openBrowser, startEditor } from './host.mjs';

export const root = resolve(import.meta.dirname, '../..');
export const artifacts = join(root, 'artifacts');

/** Nothing is read off pictures, and taking them takes a while: they are for whoever asks for them. */
const takesPictures = ['--pictures', '--update-screenshot'].some(it => process.argv.includes(it));

/**
 * Starts an editor on a copy of a folder, and a browser; `end` stops both and deletes the copy.
 * @param {object} options
 * @param {string=} options.extension The `.vsix` to install, or a folder to link; this one by default.
 * @param {string} options.workspace The folder that is copied.
 * @param {string[]=} options.only Names of what is copied of it; everything by default.
 * @param {object=} options.settings On top of those that make runs quiet and repeatable.
 */
export async function startSession({ extension, workspace, only, settings = {} }) {
  mkdirSync(artifacts, { recursive: true });
  const folder = copyWorkspace(workspace, only);
  const editor = await startEditor({
    extension: resolve(extension ?? root),
    builtIn: FOR_TESTS.builtIn,
    settings: { ...FOR_TESTS.settings, 'workbench.colorTheme': 'Dark 2026', ...settings },
  });
  const { browser, page } = await openBrowser();

  /** Runs a command of the palette by its full title; Enter would take whatever row comes first. */
  function command(title) {
    const exact = page.locator('.label-name', { hasText: new RegExp(`^${title.replaceAll('.', '\\.')}$`) });
    return choose(page, 'F1', `>${title}`, quickRow(page).filter({ has: exact }));
  }

  /** Closes all editors and opens a file by its path in the folder, which takes less than a page that is loaded anew. */
  async function openAlone(path) {
    await page.locator('.tab.dirty').first().waitFor({ state: 'detached' });
    await command('View: Close All Editors');
    await page.locator('.tab').first().waitFor({ state: 'detached' });
    const [name, ...folders] = path.split('/').reverse();
    const inFolder = quickRow(page, { hasText: name }).filter({ hasText: folders.reverse().join('/') });
    await choose(page, 'Control+p', path, inFolder);
    await page.locator('.tab.active', { hasText: name }).waitFor();
    await page.locator('.monaco-editor.focused').first().waitFor();
  }

  return {
    editor,
    page,
    folder,
    preview: page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame'),

    /** A picture for people, with `--pictures`. */
    async picture(path) {
      if (takesPictures) await page.screenshot({ path });
    },

    /** A picture of the page once it has come to rest: once two of them, one after the other, are the same. */
    shotAtRest: path => shotAtRest(page, path),

    /** Opens a file of the folder in the editor. */
    async open(file) {
      const payload = [
        ['openFile', editor.uri(join(folder, file))],
        ['skipWelcome', 'true'],
      ];
      await page.goto(editor.address(folder, payload));
      await page.locator('.tab', { hasText: basename(file) }).waitFor();
      // It takes the focus when it is there, which closes a quick input that is open by then.
      await page.locator('.monaco-editor.focused').first().waitFor();
    },

    command,

    /** Opens a file of the folder by its name, beside those that are open. */
    openByName: file => choose(page, 'Control+p', file, quickRow(page, { hasText: file })),

    openAlone,

    /**
     * Presses a lens of a file until what it leads to is there. VS Code may replace a lens between the press and its release,
     * or show one whose command is gone, because it was requested anew meanwhile; opened again, the file has lenses with commands.
     */
    async pressLens(file, lens, wanted) {
      for (let attempt = 1; ; attempt++) {
        await lens.click();
        try {
          return await wanted.waitFor({ timeout: 30_000 });
        } catch (error) {
          if (attempt === 3) throw error;
          await openAlone(file);
          await lens.waitFor();
        }
      }
    },

    /** Puts the cursor somewhere, both counted from 1. */
    async goTo(line, column) {
      const row = quickRow(page, { hasText: `line ${line}` });
      await choose(page, 'Control+g', `:${line}:${column}`, row, () => page.keyboard.press('Enter'));
      const told = { hasText: `Ln ${line}, Col ${column}` };
      await page.locator('.statusbar-item[id="status.editor.selection"]', told).waitFor();
    },

    chooseFix: (text, look) => chooseFix(page, text, look),

    /** Writes the settings of the folder, as an editor of another window would. */
    configure(wanted) {
      mkdirSync(join(folder, '.vscode'), { recursive: true });
      writeFileSync(join(folder, '.vscode/settings.json'), JSON.stringify(wanted));
    },

    async end() {
      await browser.close();
      editor.stop();
      rmSync(dirname(folder), { recursive: true, force: true });
    },
  };
}

const quickRow = (page, options) => page.locator('.quick-input-list .monaco-list-row', options);

/**
 * Opens a quick input by its key, fills it in and takes a row, by a click or as `take` says. It closes when the focus moves,
 * as it does while a part of the editor opens: then it is opened again.
 */
async function choose(page, key, text, row, take = it => it.click({ timeout: 10_000 })) {
  const widget = page.locator('.quick-input-widget');
  for (let attempt = 1; ; attempt++) {
    try {
      await page.keyboard.press(key);
      // Closed again before anything could be written: the next attempt waits longer, as a slow machine may need it.
      await widget.locator('input').fill(text, { timeout: 2_000 * attempt });
      const shown = row.first().waitFor();
      const closed = widget.waitFor({ state: 'hidden' });
      const isShown = await Promise.race([shown.then(() => true), closed.then(() => false)]);
      // The one that is not awaited ends later, with the page at the latest.
      for (const it of [shown, closed]) it.catch(() => undefined);
      if (!isShown) throw new Error(`The quick input closed before it showed ${text}`);
      return await take(row.first());
    } catch (error) {
      if (attempt === 6) throw error;
      await page.keyboard.press('Escape');
    }
  }
}

/** How often a menu is opened, and for how many milliseconds it is looked at. */
const [MOST_OPENED, MENU] = [6, 10_000];

/**
 * Chooses a quick fix at the cursor, `look` being called while it is shown. The editor closes its menu when problems or
 * lenses come; then it is opened again.
 */
async function chooseFix(page, text, look = async () => undefined) {
  const fix = page.locator('.action-widget .monaco-list-row', { hasText: text }).first();
  for (let opened = 1; ; opened++) {
    try {
      await page.keyboard.press('Control+.');
      await fix.waitFor({ timeout: MENU });
      await look();
      return await fix.click({ timeout: MENU });
    } catch (error) {
      if (opened === MOST_OPENED) throw error;
    }
  }
}

async function shotAtRest(page, path) {
  for (let last = await page.screenshot(), attempt = 0; ; attempt++) {
    const now = await page.screenshot({ path });
    if (now.equals(last)) return;
    if (attempt === 50) throw new Error(`The page of ${basename(path)} does not come to rest.`);
    last = now;
  }
}

/**
 * Runs steps that build on each other: those that could not run any more have failed. Ends the session, writes the counts
 * and what failed into artifacts/NAME.json and sets the exit code.
 * @param {string} name
 * @param {Record<string, () => Promise<unknown>>} steps What holds, and what tries it.
 */
export async function runSteps(name, session, steps) {
  const names = Object.keys(steps);
  const done = [];
  const failures = [];
  try {
    for (const step of names) {
      const start = Date.now();
      await steps[step]();
      done.push(step);
      console.log(`  ok ${step} (${Date.now() - start} ms)`);
    }
  } catch (error) {
    const picture = `${name}-failure`;
    await session.page.screenshot({ path: join(artifacts, `${picture}.png`) });
    const log = session.editor.log().slice(-2000);
    console.log(`FAIL ${names[done.length]}\n${error.stack}\nThe editor's log ends with:\n${log}`);
    console.log(`See artifacts/${picture}.png.`);
    const left = names.slice(done.length + 1);
    if (left.length > 0) console.log(`Not run after that: ${left.join('; ')}`);
    failures.push({ name: names[done.length], message: error.stack });
  } finally {
    await session.end();
  }
  const counts = { passed: done.length, failed: names.length - done.length, failures };
  writeFileSync(join(artifacts, `${name}.json`), JSON.stringify(counts));
  process.exitCode = counts.failed === 0 ? 0 : 1;
  return counts;
}
