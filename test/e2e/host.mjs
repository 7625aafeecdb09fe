// A real VS Code as a web page: starts the server on a loopback port, opens pages of it, runs suites in its extension host.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { installEditor } from './install.mjs';
import { until } from './until.mjs';

// Imported, its files of 3 MB would be read through for the names that they export.
const { chromium } = createRequire(import.meta.url)('playwright-core');

/** Quiet and repeatable; a test adds its own. They become *machine* settings: the web editor keeps user settings in the browser. */
const SETTINGS = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.reduceMotion': 'on',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'extensions.ignoreRecommendations': true,
  'chat.disableAIFeatures': true,
  'git.enabled': false,
  'editor.hover.delay': 100,
};

/** What tests ask nothing of: it is looked up, started and drawn for nobody. */
export const FOR_TESTS = {
  settings: {
    'breadcrumbs.enabled': false,
    'editor.bracketPairColorization.enabled': false,
    'editor.cursorBlinking': 'solid',
    'editor.guides.indentation': false,
    'editor.matchBrackets': 'never',
    'editor.minimap.enabled': false,
    'editor.occurrencesHighlight': 'off',
    'editor.selectionHighlight': false,
    'editor.stickyScroll.enabled': false,
    'editor.unicodeHighlight.ambiguousCharacters': false,
    'editor.unicodeHighlight.invisibleCharacters': false,
    'editor.unicodeHighlight.nonBasicASCII': false,
    'editor.wordBasedSuggestions': 'off',
    'extensions.autoCheckUpdates': false,
    'extensions.webWorker': false,
    'remote.autoForwardPorts': false,
    'window.commandCenter': false,
    'workbench.layoutControl.enabled': false,
  },
  builtIn: ['json', 'markdown-basics', 'markdown-language-features', 'theme-defaults', 'theme-seti', 'yaml'],
};

/**
 * Starts the editor's server. `stop` ends it with all its processes and deletes its data.
 * @param {object} options
 * @param {string=} options.extension A `.vsix` file to install, or the folder of an unpacked extension to link.
 * @param {object=} options.settings Machine settings on top of SETTINGS.
 * @param {string[]=} options.builtIn Folders of the editor's own extensions that it has; all by default.
 * @param {NodeJS.ProcessEnv=} options.env Seen by the extension host and by the language server.
 * @param {boolean=} options.reportsTests Lets pages run suites. It also hides every notification.
 * @param {number=} options.port 0 takes a free one.
 * @param {number=} options.timeout In ms.
 */
export async function startEditor({
  extension,
  settings = {},
  builtIn,
  env = {},
  reportsTests = false,
  port = 0,
  timeout = 240_000,
} = {}) {
  const installed = await installEditor();
  const home = mkdtempSync(join(tmpdir(), 'berth-editor-'));
  const token = randomUUID();
  mkdirSync(join(home, 'data/Machine'), { recursive: true });
  writeFileSync(join(home, 'data/Machine/settings.json'), JSON.stringify({ ...SETTINGS, ...settings }));

  const extensions = join(home, 'extensions');
  mkdirSync(extensions);
  const packed = extension?.endsWith('.vsix');
  if (extension && !packed) {
    const { publisher, name, version } = JSON.parse(readFileSync(join(extension, 'package.json'), 'utf8'));
    symlinkSync(extension, join(extensions, `${publisher}.${name}-${version}`)); // Before the first start: later ones read extensions.json alone.
  }

  const own = join(installed.server, '../../extensions');
  const chosen = join(home, 'built-in');
  mkdirSync(chosen);
  for (const name of builtIn ?? []) symlinkSync(join(own, name), join(chosen, name));

  const log = join(home, 'server.log');
  const out = openSync(log, 'a');
  const server = spawn(
    installed.node,
    [
      installed.server,
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
      '--connection-token',
      token,
      '--server-data-dir',
      home,
      '--extensions-dir',
      extensions,
      '--builtin-extensions-dir',
      builtIn === undefined ? own : chosen,
      '--accept-server-license-terms',
      '--telemetry-level',
      'off',
      '--disable-workspace-trust',
      '--disable-websocket-compression',
      '--enable-remote-auto-shutdown', // Ends by itself should this process be killed.
      ...(reportsTests ? ['--enable-smoke-test-driver'] : []),
      ...(packed ? ['--install-extension', extension, '--start-server'] : []),
    ],
    { env: { ...editorFreeEnv(), ...env, HOME: home }, stdio: ['ignore', out, out], detached: true },
  );

  const stop = () => {
    try {
      process.kill(-server.pid, 'SIGKILL');
    } catch {
      /* It has ended already. */
    }
    try {
      rmSync(home, { recursive: true, force: true });
    } catch {
      /* A shell of the terminal may still write its history: no reason to fail. */
    }
    process.off('exit', stop).off('SIGINT', leave).off('SIGTERM', leave);
  };
  const leave = () => process.exit(130); // A signal by itself would skip the 'exit' handlers.
  process.once('exit', stop).once('SIGINT', leave).once('SIGTERM', leave);

  const portOf = () => /Extension host agent listening on (\d+)/.exec(readFileSync(log, 'utf8'))?.[1];
  await until('the server of the editor', () => portOf() ?? server.exitCode !== null, timeout).catch(() => undefined);
  if (portOf() === undefined) {
    const said = readFileSync(log, 'utf8');
    stop();
    throw new Error(`The editor's server did not start:\n${said}`);
  }
  const authority = `127.0.0.1:${portOf()}`;
  return {
    home,
    stop,
    log: () => readFileSync(log, 'utf8'),
    /** The form in which the page names a file of this machine. */
    uri: path => `vscode-remote://${authority}${path}`,
    /** The address that opens a folder, or a `.code-workspace` file, in a browser. */
    address(workspace, payload = []) {
      const kind = workspace.endsWith('.code-workspace') ? 'workspace' : 'folder';
      return `http://${authority}/?${new URLSearchParams({ tkn: token, [kind]: workspace, ...(payload.length > 0 && { payload: JSON.stringify(payload) }) })}`;
    },
  };
}

/**
 * Runs in each page: the editor's bars of progress, spinners and scroll bars stand still, which otherwise are drawn anew sixty
 * times a second. The pages inside, such as the preview, are as they are.
 */
function standStill() {
  if (window !== window.top) return;
  const still = new CSSStyleSheet();
  still.replaceSync('*, *::before, *::after { animation: none !important; transition: none !important }');
  document.adoptedStyleSheets = [still];
}

/**
 * Runs in each page: messages of the editor's server come as buffers. It reads them out of blobs, which the browser's process
 * keeps, so that each message would go there and back.
 */
function receiveBuffers() {
  const { readAsArrayBuffer } = FileReader.prototype;
  FileReader.prototype.readAsArrayBuffer = function (data) {
    if (data instanceof ArrayBuffer) queueMicrotask(() => this.onload({ target: { result: data } }));
    else readAsArrayBuffer.call(this, data);
  };
  window.WebSocket = class extends WebSocket {
    constructor(...args) {
      super(...args);
      this.binaryType = 'arraybuffer';
    }
  };
}

/** A headless browser with one page. 1280 × 800 is the size of the screenshots. */
export async function openBrowser({ viewport = { width: 1280, height: 800 } } = {}) {
  const installed = await installEditor();
  const browser = await chromium.launch({
    executablePath: installed.chromium,
    env: { ...process.env, ...installed.chromiumEnv },
    // Root, as in a container, has no sandbox. Nothing is drawn in three dimensions, by whatever means.
    args: ['--no-sandbox', '--disable-gpu', '--disable-software-rasterizer'],
  });
  const page = await browser.newPage({ viewport });
  page.setDefaultTimeout(120_000);
  await page.addInitScript(standStill);
  await page.addInitScript(receiveBuffers);
  return { browser, page };
}

/**
 * Runs a compiled suite (a module with `run(): Promise<void>`, as @vscode/test-electron wants it) in the extension host.
 * Resolves to the exit code that the extension host gave, which alone proves nothing: it is 0 too when that process dies.
 */
export async function runSuite({ extension, suite, workspace, env, timeout = 600_000 }) {
  const editor = await startEditor({ ...FOR_TESTS, env, reportsTests: true });
  let browser;
  try {
    // Nobody looks at it, and drawing a small window takes less.
    const opened = await openBrowser({ viewport: { width: 640, height: 480 } });
    browser = opened.browser;
    const { page } = opened;
    return await new Promise((resolve, reject) => {
      setTimeout(() => reject(new Error(`The suite did not end within ${timeout} ms`)), timeout).unref();
      page.on('crash', () => reject(new Error('The page crashed')));
      Promise.all([
        process.env.BERTH_TEST_VERBOSE &&
          page.exposeFunction('codeAutomationLog', (type, args) => console[type]?.(...args)),
        page.exposeFunction('codeAutomationExit', resolve),
      ])
        .then(() =>
          page.goto(
            editor.address(workspace, [
              ['extensionDevelopmentPath', editor.uri(extension)],
              ['extensionTestsPath', editor.uri(suite)],
              ['skipWelcome', 'true'],
            ]),
          ),
        )
        .catch(reject);
    });
  } finally {
    await browser?.close();
    editor.stop();
  }
}

/** A copy of a sample workspace, or of some of what is in it, that a test may change. It keeps its name, which the editor shows. */
export function copyWorkspace(from, only = readdirSync(from)) {
  const to = join(mkdtempSync(join(tmpdir(), 'berth-workspace-')), basename(from));
  for (const name of only) cpSync(join(from, name), join(to, name), { recursive: true });
  return to;
}

/** Without the variables of an editor in whose terminal this may run: they would make the server think it is that editor. */
function editorFreeEnv() {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('VSCODE_') && name !== 'ELECTRON_RUN_AS_NODE'),
  );
}
