// Builds the programs of a control plane from published Go modules, outside the repository, and keeps them by version. It
// needs Go and a module proxy, nothing else; the first time takes some minutes.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export const VERSION = '1.37.1';
/** Of the way to build them: programs of another one are not used. */
const REVISION = 2;
const PACKAGES = {
  etcd: './etcd',
  'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
  'kube-controller-manager': 'k8s.io/kubernetes/cmd/kube-controller-manager',
  'kube-scheduler': 'k8s.io/kubernetes/cmd/kube-scheduler',
};

/**
 * The folder of the programs: BERTH_CONTROL_PLANE, or one in which those that are missing are built. undefined when there
 * is neither that nor Go.
 * @param {readonly (keyof typeof PACKAGES)[]} programs
 */
export function controlPlane(programs = ['etcd', 'kube-apiserver']) {
  const given = process.env.BERTH_CONTROL_PLANE;
  if (given) return given;
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const out = join(cache, 'berth', `control-plane-${VERSION}-${REVISION}`);
  const bin = join(out, 'bin');
  const missing = programs.filter(it => !existsSync(join(bin, it)));
  if (missing.length === 0) return bin;
  if (!hasGo()) return undefined;
  build(join(out, 'module'), bin, missing);
  return bin;
}

function hasGo() {
  try {
    execFileSync('go', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function build(module, bin, programs) {
  mkdirSync(join(module, 'etcd'), { recursive: true });
  mkdirSync(bin, { recursive: true });
  copyFileSync(join(import.meta.dirname, 'etcd/main.go'), join(module, 'etcd/main.go'));
  const env = { ...process.env, GO111MODULE: 'on', GOFLAGS: '-buildvcs=false' };
  const go = (...args) => execFileSync('go', args, { cwd: module, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const { Dir: source } = JSON.parse(
    execFileSync('go', ['mod', 'download', '-json', `k8s.io/kubernetes@v${VERSION}`], { env, cwd: bin }),
  );
  // k8s.io/kubernetes replaces its staging modules by folders that the published module does not have.
  const staging = `v0.${VERSION.slice(2)}`;
  const text = readFileSync(join(source, 'go.mod'), 'utf8')
    .replace(/=> \.\/staging\/src\/(\S+)/g, `=> $1 ${staging}`)
    .replace(/^module .*/m, 'module controlplane')
    .replace('require (', `require (\n\tk8s.io/kubernetes v${VERSION}`);
  writeFileSync(join(module, 'go.mod'), text);
  writeFileSync(join(module, 'go.sum'), readFileSync(join(source, 'go.sum')));
  // Without its version a server turns off whatever it thinks is newer than itself, and warns of each API that will be
  // deprecated one day.
  const [major, minor] = VERSION.split('.');
  const numbers = { gitVersion: `v${VERSION}`, gitMajor: major, gitMinor: minor };
  const version = Object.entries(numbers)
    .map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`)
    .join(' ');
  for (const program of programs) {
    console.log(`Building ${program} ${VERSION} …`);
    go('build', '-mod=mod', '-ldflags', `-s -w ${version}`, '-o', join(bin, program), PACKAGES[program]);
  }
}
