// A throw-away etcd and kube-apiserver on loopback, and where they are named controllers and kube-scheduler, with RBAC, a user `admin` who may do everything and a user `viewer`
// who may do nothing; the kubeconfig has a context for each.
import { spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const guard = existsSync('/usr/bin/setpriv') ? ['/usr/bin/setpriv', '--pdeathsig', 'TERM'] : [];

/** @param {{ bin: string, server?: readonly string[], scheduler?: readonly string[], controllers?: readonly string[] }} options */
export async function startControlPlane({ bin, server = [], scheduler, controllers }) {
  const dir = mkdtempSync(join(tmpdir(), 'berth-cluster-'));
  const programs = createPrograms(bin, dir);
  try {
    const cluster = await started(dir, programs, server);
    const shared = [
      `--kubeconfig=${cluster.kubeconfig}`,
      '--leader-elect=false',
      '--bind-address=127.0.0.1',
      '--secure-port=0',
    ];
    if (controllers) programs.launch('kube-controller-manager', [...shared, `--controllers=${controllers.join(',')}`]);
    if (scheduler) programs.launch('kube-scheduler', [...shared, ...scheduler]);
    return cluster;
  } catch (error) {
    await programs.stop();
    throw error;
  }
}

/** Programs with their logs in a folder that goes away with them. */
function createPrograms(bin, dir) {
  const children = [];
  return {
    launch(name, args) {
      const log = openSync(join(dir, `${name}.log`), 'a');
      // A component must not outlive the tests, however they end.
      const [command, ...rest] = [...guard, join(bin, name), ...args];
      const child = spawn(command, rest, { stdio: ['ignore', log, log] });
      children.push({ name, child, ended: new Promise(done => child.once('exit', done)) });
    },
    async stop() {
      for (const { child, ended } of [...children].reverse()) {
        if (child.exitCode === null && child.signalCode === null) {
          child.kill('SIGTERM');
          const patience = setTimeout(() => child.kill('SIGKILL'), 5000);
          await ended;
          clearTimeout(patience);
        }
      }
      rmSync(dir, { recursive: true, force: true });
    },
    async until(what, check) {
      for (const end = Date.now() + 120_000; ; ) {
        const gone = children.find(it => it.child.exitCode !== null);
        if (gone)
          throw new Error(`${gone.name} ended:\n${readFileSync(join(dir, `${gone.name}.log`), 'utf8').slice(-2000)}`);
        if (await check()) return;
        if (Date.now() > end) throw new Error(`${what}: not within two minutes`);
        await new Promise(done => setTimeout(done, 50));
      }
    },
  };
}

async function started(dir, { launch, until, stop }, more) {
  const [etcdPort, peerPort, port] = await freePorts(3);
  const token = randomBytes(16).toString('hex');
  launch('etcd', [join(dir, 'etcd'), String(etcdPort), String(peerPort)]);
  launch('kube-apiserver', [...serverArguments(dir, { etcdPort, port, token }), ...more]);
  const certificate = join(dir, 'certs/apiserver.crt');
  await until(
    'the certificate',
    () => existsSync(certificate) && readFileSync(certificate, 'utf8').includes('END CERT'),
  );
  const server = `https://127.0.0.1:${port}`;
  const users = { admin: token, viewer: `viewer-${token}` };
  const kubeconfig = written(dir, 'kubeconfig', kubeconfigText(server, certificate, users));
  const call = (method, path, body) => send({ server, ca: readFileSync(certificate), token }, method, path, body);
  await until('/readyz', async () => (await call('GET', '/readyz').catch(() => ({}))).status === 200);
  return {
    kubeconfig,
    server,
    certificate,
    token,
    call,
    stop,
    /** The requests that a user made, as the server has written them down. */
    audited: user =>
      readFileSync(join(dir, 'audit.log'), 'utf8')
        .split('\n')
        .flatMap(it => (it === '' ? [] : [JSON.parse(it)]))
        .filter(it => it.user.username === user && it.userAgent !== AGENT),
  };
}

function serverArguments(dir, { etcdPort, port, token }) {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const privateKey = written(dir, 'sa.key', keys.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const publicKey = written(dir, 'sa.pub', keys.publicKey.export({ type: 'spki', format: 'pem' }));
  const tokens = written(dir, 'tokens.csv', `${token},admin,admin,system:masters\nviewer-${token},viewer,viewer,\n`);
  const policy = 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{ level: Metadata }]\n';
  return [
    `--etcd-servers=http://127.0.0.1:${etcdPort}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${port}`,
    '--endpoint-reconciler-type=none',
    '--service-cluster-ip-range=10.0.0.0/24',
    `--cert-dir=${join(dir, 'certs')}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-signing-key-file=${privateKey}`,
    `--service-account-key-file=${publicKey}`,
    `--token-auth-file=${tokens}`,
    '--authorization-mode=RBAC',
    // Off in the program itself, on in every cluster that people set up.
    '--allow-privileged=true',
    `--audit-policy-file=${written(dir, 'audit.yaml', policy)}`,
    `--audit-log-path=${join(dir, 'audit.log')}`,
    // Both lean on controllers, which do not run here.
    '--disable-admission-plugins=ServiceAccount,TaintNodesByCondition',
  ];
}

function written(dir, name, text) {
  writeFileSync(join(dir, name), text, { mode: 0o600 });
  return join(dir, name);
}

const AGENT = 'berth-test';

function kubeconfigText(server, certificate, users) {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'admin',
    clusters: [{ name: 'local', cluster: { server, 'certificate-authority': certificate } }],
    users: Object.entries(users).map(([name, token]) => ({ name, user: { token } })),
    contexts: Object.keys(users).map(name => ({ name, context: { cluster: 'local', user: name } })),
  });
}

async function freePorts(count) {
  const servers = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise((done, fail) => {
          const server = createServer().once('error', fail);
          server.listen(0, '127.0.0.1', () => done(server));
        }),
    ),
  );
  const ports = servers.map(it => it.address().port);
  await Promise.all(servers.map(it => new Promise(done => it.close(done))));
  return ports;
}

/** The text of a Warning header, `299 - "TEXT"`, whose bytes are UTF-8. */
const warningText = header =>
  Buffer.from(header, 'latin1')
    .toString('utf8')
    .replace(/^299 - "|"$/g, '')
    .replace(/\\(.)/g, '$1');

/** One request to the API server; the answer's body as text and, where it is JSON, as a value. */
export function send({ server, ca, token }, method, path, body, accept = 'application/json') {
  return new Promise((done, fail) => {
    const data = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${token}`,
      accept,
      'user-agent': AGENT,
      'content-type': 'application/json',
      // Node frames the body of a DELETE only where its length is told.
      ...(data === undefined ? {} : { 'content-length': Buffer.byteLength(data) }),
    };
    const ask = request(server + path, { method, ca, headers }, response => {
      const parts = [];
      response.on('data', part => parts.push(part));
      response.on('error', fail);
      response.on('end', () => {
        const text = Buffer.concat(parts).toString();
        const warnings = (response.headersDistinct.warning ?? []).map(warningText);
        done({
          status: response.statusCode,
          text,
          body: text.startsWith('{') ? JSON.parse(text) : undefined,
          warnings,
        });
      });
    });
    ask.on('error', fail);
    ask.end(data);
  });
}
