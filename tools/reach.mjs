// `node tools/reach.mjs [--product FOLDER] [--strace] [--trusted]`: what the language server of a production build touches when it opens a
// hostile folder that nobody trusts: files, processes, sockets. It is seen by hooks in Node's modules, or by strace (Linux),
// which misses nothing. Prints JSON, and ends with 1 where something was touched that must not be. What the server touches
// for a harmless folder, too, is its own (Node, the system's libraries), but never anything that lies beside the folder.
// With --trusted the folder is trusted, which shows that the watch sees what it must.
import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { readOptions } from './options.mjs';
import { root } from './run.mjs';

const { values } = readOptions(import.meta.filename, {
  options: {
    product: { type: 'string', default: root },
    strace: { type: 'boolean', default: false },
    trusted: { type: 'boolean', default: false },
  },
});

const POD =
  'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { priorityClassName: x, containers: [{ name: c, image: i }] }\n';
/** So many files that lead nowhere good, and that an editor would open or ask about. */
const OPENED = [
  'web.yaml',
  'berth.yaml',
  'kustomize/kustomization.yaml',
  'a.placement-test.yaml',
  'chart/Chart.yaml',
  'policy.yaml',
  'system.yaml',
  'scheduler.yaml',
  'suite.yaml',
  'kyverno-test.yaml',
  'crd.yaml',
];

/** What a repository can try, by path; `->` and a target for a link. `top` is the folder that the workspace lies in. */
function hostileFiles(top, port) {
  const secret = join(top, 'outside/credentials');
  const clusters = {
    live: 'live:prod',
    current: 'live',
    absolute: `snapshot:${secret}`,
    up: 'snapshot:../outside/credentials',
    link: 'snapshot:out.yaml',
    home: 'snapshot:~/.kube/config',
    share: 'kind://127.0.0.1/share/kind.yaml',
    unc: 'kind:\\\\127.0.0.1\\share\\kind.yaml',
    device: 'snapshot:/dev/zero',
    pipe: 'snapshot:pipe.yaml',
    url: `snapshot:http://127.0.0.1:${port}/nodes.yaml`,
  };
  const environments = Object.entries(clusters).map(
    ([name, cluster]) =>
      `  ${name}: { paths: [${name}, "../outside/**", ${secret}], cluster: ${JSON.stringify(cluster)} }\n`,
  );
  return {
    'web.yaml': POD,
    ...Object.fromEntries(Object.keys(clusters).map(it => [`${it}/web.yaml`, POD])),
    'berth.yaml': `schedulerConfig: ${secret}\nbaseline: ../outside/credentials\nconftest: { policy: [../outside], data: [${secret}] }\nenvironments:\n${environments.join('')}`,
    'out.yaml': `->${secret}`,
    'up.yaml': '->../outside/credentials',
    folder: '->../outside',
    'zero.yaml': '->/dev/zero',
    'circle.yaml': '->circle.yaml',
    '.gitignore': '->../outside/credentials',
    '.vscode/settings.json': '{ "berth.cluster": "live:prod", "berth.render": "auto" }',
    'kustomize/kustomization.yaml': [
      `resources: [http://127.0.0.1:${port}/base.yaml, "git::ssh://127.0.0.1:${port}/x", ../../outside/base, ${top}/outside/base, ../folder/base, linked.yaml]`,
      'components: [../../outside/base]',
      `patches: [{ path: ../../outside/credentials }, { path: ${secret} }]`,
      'configMapGenerator: [{ name: x, files: [../../outside/credentials, linked.yaml] }]',
      'generators: [../../outside/base/plugin.yaml]',
      `helmCharts: [{ name: x, repo: "http://127.0.0.1:${port}" }]\n`,
    ].join('\n'),
    'kustomize/linked.yaml': `->${secret}`,
    'chart/Chart.yaml': `apiVersion: v2\nname: x\nversion: 1.0.0\ndependencies: [{ name: y, repository: "http://127.0.0.1:${port}", version: 1.0.0 }]\n`,
    'chart/templates/secret.yaml': `->${secret}`,
    'chart/values.yaml': `->${secret}`,
    'a.placement-test.yaml': `apiVersion: berth.dev/v1alpha1\nkind: PlacementTest\ncluster: snapshot:${secret}\nmanifests: [../outside, up.yaml]\ntests: [{ name: a, expect: [{ scheduled: all }] }]\n`,
    'conftest.toml': `policy = "../outside"\ndata = ["${secret}"]\nupdate = ["http://127.0.0.1:${port}/policy"]\n`,
    'system.yaml': `# yaml-language-server: $schema=http://127.0.0.1:${port}/schema.json\napiVersion: berth.dev/v1alpha1\nkind: System\nmetadata: { name: "../../outside/credentials" }\nspec: { processes: [{ name: p, start: s, steps: [{ name: go, from: s, to: t }] }] }\n`,
    'scheduler.yaml': `apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nclientConnection: { kubeconfig: ${secret} }\nextenders: [{ urlPrefix: "http://127.0.0.1:${port}/extender", filterVerb: filter }]\n`,
    'suite.yaml': `apiVersion: test.gatekeeper.sh/v1alpha1\nkind: Suite\ntests: [{ name: t, template: ../outside/credentials, constraint: ${secret}, cases: [{ name: c, object: ../outside/credentials, inventory: [${secret}] }] }]\n`,
    'kyverno-test.yaml': `apiVersion: cli.kyverno.io/v1alpha1\nkind: Test\nmetadata: { name: t }\npolicies: [../outside/credentials, "http://127.0.0.1:${port}/policy.yaml"]\nresources: [${secret}, linked.yaml]\nvariables: ../outside/credentials\nresults: [{ policy: p, rule: r, resources: [web], result: pass }]\n`,
    'crd.yaml': `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: { name: as.b.example }\nspec: { group: b.example, scope: Namespaced, names: { plural: as, kind: A }, conversion: { strategy: Webhook, webhook: { conversionReviewVersions: [v1], clientConfig: { url: "https://127.0.0.1:${port}/convert" } } }, versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { $ref: "http://127.0.0.1:${port}/schema.json", type: object } } }] }\n`,
    'policy.yaml':
      'apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: { name: p }\nspec:\n  matchConstraints: { resourceRules: [{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods] }] }\n  validations: [{ expression: "object.metadata.name != \'web\'" }]\n---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\nmetadata: { name: p }\nspec: { policyName: p, validationActions: [Deny] }\n',
  };
}

/** What lies beside the folder: the user's own files, and a kubeconfig whose program leaves a mark. */
const besideFiles = top => ({
  'outside/credentials': 'secret: sesame\n',
  'outside/base/kustomization.yaml': 'resources: []\n',
  'outside/base/plugin.yaml': 'kind: ConfigMapGenerator\n',
  'home/.kube/config': JSON.stringify({
    clusters: [{ name: 'c', cluster: { server: 'http://127.0.0.1:1' } }],
    users: [{ name: 'u', user: { exec: { command: 'touch', args: [join(top, 'ran')] } } }],
    contexts: [{ name: 'prod', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'prod',
  }),
});

function write(folder, files) {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    if (content.startsWith('->')) symlinkSync(content.slice(2), join(folder, path));
    else writeFileSync(join(folder, path), content);
  }
}

/** Starts the server so that what it touches is noted in a file. */
function startServer(top, workspace) {
  const notes = join(top, 'notes');
  rmSync(notes, { force: true });
  const server = [join(values.product, 'dist/server.js'), '--stdio'];
  const hooks = ['--require', join(import.meta.dirname, 'reach-hooks.cjs')];
  const trace = ['-f', '-qq', '-s', '4096', '-e', 'trace=%file,%network,execve', '-e', 'signal=none', '-o', notes];
  const env = {
    PATH: process.env.PATH,
    HOME: join(top, 'home'),
    BERTH_COMPILE_CACHE: 'off',
    ...(!values.strace && { BERTH_REACH_NOTES: notes }),
  };
  const [command, ...args] = values.strace
    ? ['strace', ...trace, process.execPath, ...server]
    : [process.execPath, ...hooks, ...server];
  const child = spawn(command, args, { env, cwd: workspace, stdio: ['pipe', 'pipe', 'inherit'] });
  child.once('error', error => {
    throw error;
  });
  return { child, touched: () => (values.strace ? tracedIn : hookedIn)(readFileSync(notes, 'utf8'), workspace) };
}

/** Does what an editor does in a folder that nobody trusts, and resolves to how many answers came. */
async function edit(child, workspace, opened) {
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const uriOf = path => pathToFileURL(join(workspace, path)).href;
  const published = new Map();
  const waiting = new Set();
  connection.onNotification('textDocument/publishDiagnostics', ({ uri, diagnostics }) => {
    published.set(uri, diagnostics);
    for (const it of waiting) it();
  });
  for (const it of [
    'client/registerCapability',
    'workspace/codeLens/refresh',
    'window/workDoneProgress/create',
    'window/showMessageRequest',
  ])
    connection.onRequest(it, () => null);
  connection.onRequest('workspace/configuration', () => [{}]);
  connection.listen();
  const uri = pathToFileURL(workspace).href;
  await connection.sendRequest('initialize', {
    processId: null,
    rootUri: uri,
    initializationOptions: {
      isTrusted: values.trusted,
      remembersConsent: true,
      commands: ['berth.preview', 'berth.showPolicyPlaces'],
    },
    workspaceFolders: [{ uri, name: 'ws' }],
    capabilities: { workspace: { configuration: true, workspaceFolders: true, codeLens: { refreshSupport: true } } },
  });
  await connection.sendNotification('initialized', {});
  for (const it of opened) {
    const text = readFileSync(join(workspace, it), 'utf8');
    const textDocument = { uri: uriOf(it), languageId: 'yaml', version: 1, text };
    await connection.sendNotification('textDocument/didOpen', { textDocument });
  }
  // The folders are read once the tree of clusters is answered.
  await connection.sendRequest('berth/cluster');
  await connection.sendNotification('workspace/didChangeWatchedFiles', {
    changes: [
      'out.yaml',
      'folder',
      'folder/credentials',
      'pipe.yaml',
      'zero.yaml',
      '.gitignore',
      '../outside/credentials',
    ].map(it => ({
      uri: uriOf(it),
      type: 1,
    })),
  });
  let answers = 0;
  const ask = async (method, params) => {
    await connection.sendRequest(method, params).catch(() => undefined);
    answers += 1;
  };
  const position = { line: 1, character: 3 };
  for (const it of opened) {
    const textDocument = { uri: uriOf(it) };
    for (const method of [
      'hover',
      'definition',
      'completion',
      'documentLink',
      'codeLens',
      'documentSymbol',
      'inlayHint',
      'references',
    ])
      await ask(`textDocument/${method}`, {
        textDocument,
        position,
        context: { includeDeclaration: true },
        range: { start: { line: 0, character: 0 }, end: position },
      });
    const params = { textDocument, position, partialResultToken: 1, format: 'svg' };
    for (const method of ['preview', 'previewWhy', 'previewComparison', 'stateGraph', 'stateGraphText', 'policyPlaces'])
      await ask(`berth/${method}`, params);
    for (const kind of ['descheduler', 'vpa']) await ask('berth/previewMovers', { ...params, kind });
    await ask('berth/rendered', { uri: uriOf(it) });
    await ask('berth/runTests', { textDocument });
  }
  for (const it of ['berth/tests', 'berth/refreshCluster', 'berth/cluster']) await ask(it);
  // Policies are judged last.
  const isJudged = () =>
    !opened.includes('policy.yaml') ||
    (published.get(uriOf('web.yaml')) ?? []).some(it => String(it.code).startsWith('vap/'));
  await new Promise(done => {
    const look = () => isJudged() && done();
    waiting.add(look);
    look();
  });
  await connection.sendRequest('shutdown');
  await connection.sendNotification('exit');
  await new Promise(done => child.once('close', done));
  connection.dispose();
  return answers;
}

/** A line of the hooks: what, and the path or the address. */
function hookedIn(text, cwd) {
  const lines = text
    .split('\n')
    .filter(Boolean)
    .map(it => JSON.parse(it));
  const of = kind => [...new Set(lines.filter(it => it.kind === kind).map(it => it.what))];
  return { paths: of('path').map(it => resolve(cwd, it)), processes: of('process'), sockets: of('socket') };
}

/** A line of strace: a process, a call, its arguments. Sockets of this machine's own processes are no way out. */
function tracedIn(text, cwd) {
  const seen = { paths: new Set(), processes: new Set(), sockets: new Set() };
  for (const line of text.split('\n')) {
    const [, call, args = ''] = /^\d+\s+(?:<\.\.\. )?(\w+)\((.*)$/.exec(line) ?? [];
    if (call === undefined) continue;
    const [, path] = /"((?:[^"\\]|\\.)*)"/.exec(args) ?? [];
    if (call === 'execve') seen.processes.add(args.replace(/, 0x[0-9a-f]+ .*$/, ''));
    else if (['socket', 'connect', 'bind', 'sendto', 'sendmsg'].includes(call)) {
      if (/AF_(?!UNIX)|sa_family=AF_(?!UNIX)|sun_path/.test(args))
        seen.sockets.add(`${call} ${args.replace(/^\d+, /, '')}`);
    } else if (path !== undefined) seen.paths.add(resolve(cwd, path));
  }
  return Object.fromEntries(Object.entries(seen).map(([key, all]) => [key, [...all]]));
}

/** What glibc reads when it first gives memory back, or has many threads: it does so for one folder and not for another. */
const MALLOC_READS = ['/proc/sys/vm/overcommit_memory', '/sys/devices/system/cpu/online'];

const isIn = (path, folder) => path === folder || path.startsWith(folder + sep);

/** Runs the server on a folder and gives what it touched. */
async function watch(top, workspace, opened) {
  const { child, touched } = startServer(top, workspace);
  const answers = await edit(child, workspace, opened);
  return { ...touched(), answers };
}

const top = realpathSync(mkdtempSync(join(tmpdir(), 'berth-reach-')));
const requests = [];
const web = createHttpServer((request, response) => {
  requests.push(request.url);
  response.end();
});
const socket = createServer();
try {
  await new Promise(done => web.listen(0, '127.0.0.1', done));
  const [harmless, workspace] = [join(top, 'harmless'), join(top, 'ws')];
  write(top, besideFiles(top));
  const { 'policy.yaml': policy, ...others } = hostileFiles(top, web.address().port);
  // A trusted folder shows that paths and programs are seen. The engine of policies touches none, and takes longest to start.
  const files = values.trusted ? others : { ...others, 'policy.yaml': policy };
  write(workspace, files);
  write(harmless, { 'web.yaml': files['web.yaml'], 'policy.yaml': policy });
  execFileSync('mkfifo', [join(workspace, 'pipe.yaml')]);
  await new Promise(done => socket.listen(join(workspace, 'socket.yaml'), done));

  // Of a trusted folder everything is told; whatever is opened of it, all of it is read.
  const nothing = { paths: [], processes: [], sockets: [] };
  const own = values.trusted ? nothing : await watch(top, harmless, ['web.yaml', 'policy.yaml']);
  const seen = await watch(top, workspace, values.trusted ? ['web.yaml'] : OPENED);
  const product = resolve(values.product);
  const mayTouch = path =>
    isIn(path, workspace) ||
    isIn(workspace, path) ||
    isIn(path, product) ||
    (own.paths.includes(path) && !isIn(path, top)) ||
    path === join(top, 'notes') ||
    MALLOC_READS.includes(path);
  const report = {
    seenBy: values.strace ? 'strace' : 'hooks',
    answers: seen.answers,
    pathsInFolder: seen.paths.filter(it => isIn(it, workspace)).length,
    outside: seen.paths.filter(it => !mayTouch(it)).sort(),
    specials: seen.paths.filter(it => /^\/dev\/(?!null)/.test(it) && !own.paths.includes(it)),
    processes: seen.processes
      .map(it => it.replaceAll(product, 'PRODUCT').replaceAll(process.execPath, 'NODE'))
      .filter(it => !it.includes('dist/server.js')),
    sockets: seen.sockets.filter(it => !own.sockets.includes(it)),
    requests,
    hasProgramRun: existsSync(join(top, 'ran')),
  };
  console.log(JSON.stringify(report, null, 2));
  const isOwn = it => /policyProcess\.js/.test(it) && it.includes('PRODUCT');
  const isClean =
    report.outside.length + report.specials.length + report.sockets.length + requests.length === 0 &&
    report.processes.every(isOwn) &&
    !report.hasProgramRun;
  process.exitCode = isClean ? 0 : 1;
} finally {
  web.closeAllConnections();
  web.close();
  socket.close();
  rmSync(top, { recursive: true, force: true });
}
