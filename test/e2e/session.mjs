// One editor with Berth in it, one browser page that shows it, and what tests do there again and again.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { copyWorkspace, FOR_TESTS, openBrowser, startEditor } from './host.mjs';
import { inFrame } from './inFrame.mjs';

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
    settings: {
      ...FOR_TESTS.settings,
      'workbench.colorTheme': 'Dark 2026',
      // A part of the editor that is opened takes the focus, when it is there.
      'workbench.quickOpen.closeOnFocusLost': false,
      ...settings,
    },
  });
  const { browser, page } = await openBrowser();

  /** Runs a command of the palette by its full title; Enter would take whatever row comes first. */
  function command(title) {
    const exact = page.locator('.label-name', { hasText: new RegExp(`^${title.replaceAll('.', '\\.')}$`) });
    return choose(page, 'F1', `>${title}`, quickRow(page).filter({ has: exact }));
  }

  /** Closes all editors by the key for that and opens a file by its path in the folder, which takes less than a page that is loaded anew. */
  async function openAlone(path) {
    await page.locator('.tab.dirty').first().waitFor({ state: 'detached' });
    await takeFocus(page);
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Control+w');
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
    preview: inFrame(() => frameOfWebview(page)),

    /** A picture for people, with `--pictures`. */
    async picture(path) {
      if (takesPictures) await page.screenshot({ path });
    },

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

    /** Puts the cursor somewhere, both counted from 1. */
    async goTo(line, column) {
      const row = quickRow(page, { hasText: `line ${line}` });
      await choose(page, 'Control+g', `:${line}:${column}`, row, (_, input) => input.press('Enter'));
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

/** The frame that has the page of the webview that is shown. */
async function frameOfWebview(page) {
  const webview = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  return (await webview.locator('body').elementHandle()).ownerFrame();
}

const quickRow = (page, options) => page.locator('.quick-input-list .monaco-list-row', options);

/** Gives the focus to the editor's own page: one inside it that still loads would swallow a key. */
const takeFocus = page =>
  page.evaluate(() => document.activeElement?.matches('iframe') && document.activeElement.blur());

/** Opens a quick input by its key, fills it in and takes a row, by a click or as `take` says. */
async function choose(page, key, text, row, take = it => it.click()) {
  const input = page.locator('.quick-input-widget input[type="text"]');
  await takeFocus(page);
  await page.keyboard.press(key);
  await input.fill(text);
  await row.first().waitFor();
  await take(row.first(), input);
}

/**
 * Chooses a quick fix at the cursor, `look` being called while it is shown. The light bulb has the fixes that it stands for;
 * the key asks for them again, and is forgotten when the editor asks by itself before they have come, as after a change of
 * the problems.
 */
async function chooseFix(page, text, look = async () => undefined) {
  await page.locator('.lightBulbWidget, .codicon-gutter-lightbulb').locator('visible=true').first().click();
  const fix = page.locator('.action-widget .monaco-list-row', { hasText: text }).first();
  await fix.waitFor();
  await look();
  await fix.click();
}

/** What the editor has notified of, which hides after some seconds; none where the editor does not answer any more. */
async function noticesOf({ page, command }) {
  const told = async () => {
    await command('Notifications: Show Notifications');
    const messages = page.locator('.notifications-list-container .notification-list-item-message');
    await messages.first().waitFor({ timeout: 5_000 });
    return (await messages.allTextContents()).join('; ');
  };
  return told().catch(() => '');
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
    const notices = await noticesOf(session);
    if (notices !== '') console.log(`The editor had notified: ${notices}`);
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
