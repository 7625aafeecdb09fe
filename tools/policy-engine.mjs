// `node tools/policy-engine.mjs [--required]`: compiles server/policyEngine to WebAssembly, into dist/ (`policyEngine.wasm.br`,
// `wasm_exec.js`, the notices of its modules). What was built is kept in the user's cache folder by a hash of all that goes in,
// so that only the first build takes minutes. Without Go 1.26 or newer the pinned toolchain is downloaded; where that cannot
// be, it says so and nothing else is missing, but where the engine is required (CI) that is an error.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotli } from './brotli.mjs';
import { goToolchain, PINNED_GO } from './go-toolchain.mjs';
import { noticesOf } from './notices.mjs';
import { limitMemory } from './policy-engine/limit-memory.mjs';
import { patches } from './policy-engine/patches.mjs';
import { cacheFolder, root } from './run.mjs';

const source = join(root, 'server/policyEngine');
const OUTPUTS = ['policyEngine.wasm.br', 'wasm_exec.js', 'policyEngine.notices.txt'];
/** Bytes of the module's memory. A policy that wants more than the maximum ends the engine, not the machine. */
const MEMORY = { initial: 256 * 2 ** 20, maximum: 1024 * 2 ** 20 };
const OLDEST_GO = [1, 26];
const KEPT = join(cacheFolder(), 'policy-engine');

/**
 * Puts the policy engine into a folder: from the cache, or built. Resolves to whether it is there.
 * @param {{ out: string, isRequired?: boolean, kept?: string }} options `kept`: the folder in which what was built is kept.
 */
export async function buildPolicyEngine({ out, isRequired = process.env.CI === 'true', kept = KEPT }) {
  const own = goVersion();
  const isOwn = own !== undefined && compare(own, OLDEST_GO) >= 0;
  const version = isOwn ? own : PINNED_GO;
  const cached = join(kept, keyOf(version));
  if (!OUTPUTS.every(it => existsSync(join(cached, it)))) {
    try {
      build(cached, version, goAt(isOwn ? 'go' : join(await toolchain(), 'bin/go')));
    } catch (error) {
      const sentence =
        `policy engine: not built: ${error.message} ValidatingAdmissionPolicies, Gatekeeper and Rego policies will not be ` +
        'evaluated; everything else works.';
      if (isRequired) throw new Error(sentence);
      console.warn(sentence);
      return false;
    }
  }
  mkdirSync(out, { recursive: true });
  for (const name of OUTPUTS) copyFileSync(join(cached, name), join(out, name));
  return true;
}

async function toolchain() {
  try {
    return await goToolchain();
  } catch (error) {
    throw new Error(
      `Go 1.26 or newer was not found, and ${error.message}. Install Go from https://go.dev/dl and build again.`,
    );
  }
}

/** Everything the result depends on. */
function keyOf(version) {
  const hash = createHash('sha256').update(version.join('.'));
  for (const folder of [source, join(root, 'tools/policy-engine')]) {
    for (const name of readdirSync(folder, { recursive: true }).map(String).sort()) {
      const file = join(folder, name);
      if (/\.(go|mod|sum|txt|mjs)$/.test(name)) hash.update(name).update(readFileSync(file));
    }
  }
  return hash
    .update(readFileSync(import.meta.filename))
    .digest('hex')
    .slice(0, 24);
}

function build(cached, version, go) {
  const start = Date.now();
  console.log('policy engine: compiling; the first time this takes some minutes and downloads 110 MB of Go modules');
  // Two builds may go on at once; whoever is ready first is taken.
  const folder = `${cached}.building-${process.pid}`;
  mkdirSync(folder, { recursive: true });
  const modfile = patchedModfile(folder, go);
  const wasm = join(folder, 'policyEngine.wasm');
  const env = { ...process.env, GOOS: 'js', GOARCH: 'wasm', GOFLAGS: '', GOTOOLCHAIN: 'local' };
  go(['build', `-modfile=${modfile}`, '-trimpath', '-ldflags=-s -w', '-buildvcs=false', '-o', wasm, '.'], { env });
  const limited = limitMemory(readFileSync(wasm), MEMORY);
  const finished = join(folder, 'finished');
  mkdirSync(finished);
  writeFileSync(join(finished, OUTPUTS[0]), brotli(limited, 9));
  // wasm_exec.js must be of the Go that built the module.
  copyFileSync(join(go(['env', 'GOROOT']).trim(), 'lib/wasm/wasm_exec.js'), join(finished, OUTPUTS[1]));
  writeFileSync(
    join(finished, OUTPUTS[2]),
    noticesOf('The policy engine contains these Go modules.', modulesOf(modfile, env, go)),
  );
  if (!OUTPUTS.every(it => existsSync(join(cached, it)))) {
    rmSync(cached, { recursive: true, force: true });
    renameSync(finished, cached);
  }
  rmSync(folder, { recursive: true, force: true });
  const seconds = Math.round((Date.now() - start) / 1000);
  console.log(
    `policy engine: ${(limited.length / 1e6).toFixed(1)} MB built with Go ${version.join('.')} in ${seconds} s`,
  );
}

/** Copies the patched modules beside the build and gives the go.mod that points at the copies. */
function patchedModfile(folder, go) {
  const modfile = join(folder, 'go.mod');
  copyFileSync(join(source, 'go.mod'), modfile);
  copyFileSync(join(source, 'go.sum'), join(folder, 'go.sum'));
  for (const patch of patches) {
    const copy = join(folder, 'modules', patch.module);
    if (!existsSync(copy)) {
      const { Dir } = JSON.parse(go(['mod', 'download', '-json', patch.module]));
      cpSync(Dir, copy, { recursive: true });
      execFileSync('chmod', ['-R', 'u+w', copy]); // The module cache is read-only.
      go(['mod', 'edit', `-replace=${patch.module}=${copy}`, modfile]);
    }
    const file = join(copy, patch.file);
    const upstream = readFileSync(file, 'utf8'); // Throws if upstream has moved the file.
    let text = patch.standIn === undefined ? upstream : readFileSync(join(source, 'slim', patch.standIn), 'utf8');
    for (const [from, to] of patch.changes ?? []) {
      if (text.search(from) < 0) throw new Error(`${patch.module}: nothing to change in ${patch.file} for ${from}`);
      text = text.replace(from, to);
    }
    writeFileSync(file, text);
  }
  return modfile;
}

/** The modules that are in the program, with their folders. */
function modulesOf(modfile, env, go) {
  const template = '{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}';
  const lines = go(['list', `-modfile=${modfile}`, '-deps', '-f', template, '.'], { env }).split('\n');
  return [...new Set(lines.filter(it => it !== ''))].sort().map(it => {
    const [path, version, folder] = it.split('\t');
    return { path, version, folder };
  });
}

/** Runs a go command. Only the Go that was found is used: it downloads no other one. */
function goAt(command) {
  return (args, options = {}) => {
    const env = { ...process.env, GOTOOLCHAIN: 'local' };
    const run = spawnSync(command, args, { cwd: source, encoding: 'utf8', maxBuffer: 1 << 28, env, ...options });
    if (run.error || run.status !== 0) throw new Error(`go ${args[0]}: ${run.error?.message ?? run.stderr}`);
    return run.stdout;
  };
}

/** [1, 26, 8], or undefined without Go. */
function goVersion() {
  const run = spawnSync('go', ['env', 'GOVERSION'], { cwd: dirname(source), encoding: 'utf8' });
  const found = /go(\d+)\.(\d+)(?:\.(\d+))?/.exec(run.stdout ?? '');
  return found ? found.slice(1).map(it => Number(it ?? 0)) : undefined;
}

const compare = (a, b) => a[0] - b[0] || a[1] - b[1];

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const isRequired = process.argv.includes('--required') || process.env.CI === 'true';
  try {
    await buildPolicyEngine({ out: join(root, 'dist'), isRequired });
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
