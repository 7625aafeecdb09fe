// Loaded before the language server by tools/reach.mjs: notes each path, process and socket that Node's modules are asked for.
const childProcess = require('node:child_process');
const dgram = require('node:dgram');
const dns = require('node:dns');
const fs = require('node:fs');
const net = require('node:net');
const { fileURLToPath } = require('node:url');

const { writeSync } = fs;
const file = fs.openSync(process.env.BERTH_REACH_NOTES, 'a');
delete process.env.BERTH_REACH_NOTES;
const note = (kind, what) => writeSync(file, `${JSON.stringify({ kind, what: String(what) })}\n`);

const asPath = it => (it instanceof URL ? fileURLToPath(it) : Buffer.isBuffer(it) ? it.toString() : it);
/** Those whose second argument is a path, too. */
const TWO_PATHS = /^(?:copyFile|cp|link|rename|symlink)/;

function hookPaths(module) {
  for (const [name, own] of Object.entries(module)) {
    if (typeof own !== 'function' || /^[A-Z_]/.test(name)) continue;
    const hooked = (...args) => {
      for (const it of args.slice(0, TWO_PATHS.test(name) ? 2 : 1)) {
        const path = asPath(it);
        if (typeof path === 'string') note('path', path);
      }
      return own.apply(module, args);
    };
    module[name] = Object.assign(hooked, own);
  }
}

function hook(owner, name, kind, whatOf) {
  const own = owner[name];
  owner[name] = function (...args) {
    note(kind, whatOf(args));
    return own.apply(this, args);
  };
}

hookPaths(fs);
hookPaths(fs.promises);
for (const it of ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'])
  hook(childProcess, it, 'process', ([command, args]) => [command, ...(Array.isArray(args) ? args : [])].join(' '));
hook(net.Socket.prototype, 'connect', 'socket', args => JSON.stringify(args[0]));
hook(net.Server.prototype, 'listen', 'socket', args => `listen ${JSON.stringify(args[0])}`);
for (const it of ['lookup', 'resolve', 'resolve4', 'resolve6']) hook(dns, it, 'socket', ([name]) => `${it} ${name}`);
for (const it of ['lookup', 'resolve']) hook(dns.promises, it, 'socket', ([name]) => `${it} ${name}`);
hook(dgram.Socket.prototype, 'send', 'socket', () => 'datagram');
