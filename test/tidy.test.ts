import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import * as ts from 'typescript/unstable/ast';
import { type Checker, SignatureKind, type Type } from 'typescript/unstable/sync';
import { afterAll, describe, expect, it } from 'vitest';
import { forgettable } from '../server/src/base/lazy';
import * as loading from '../server/src/kube/load';
import * as kindMetas from '../server/src/rules/apiserver/validate/kindMeta';
import * as allStrategies from '../server/src/rules/apiserver/validate/strategies';
import * as explaining from '../server/src/rules/engine/explain';
import * as issueVersions from '../server/src/rules/knownIssues/versions';
import { outdated } from '../tools/gen-rules.mjs';
import { describeStrings } from './client/strings';
import { openProjects } from './support/typescript';

const root = resolve(import.meta.dirname, '..');

/** What each room may import, a room or one file of a room: the last column of the table in docs/architecture.md. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  [...readFileSync(join(root, 'docs/architecture.md'), 'utf8').matchAll(/^\| `(\w+)\/` \|.*\|([^|]*)\|$/gm)].map(
    ([, room, names]) => [room!, [...names!.matchAll(/`([\w/]+)`/g)].map(([, name]) => name!)],
  ),
);

/** Files that touch the outside, each for its room; every other file is given what it needs. */
const TOUCHES_THE_WORLD = [
  'start/checking.ts',
  'start/cli.ts',
  'start/comparing.ts',
  'start/compileCache.ts',
  'start/launch.ts',
  'start/server.ts',
  'live/connect.ts',
  'live/main.ts',
  'explore/ahead/thread.ts',
  'explore/ahead/worker.ts',
  'explore/graphviz/thread.ts',
  'explore/graphviz/worker.ts',
  'policy/engine/process.ts',
  'policy/engine/processMain.ts',
  'policy/engine/thread.ts',
  'policy/engine/worker.ts',
  'workspace/rendered/process.ts',
  'lsp/main.ts',
  'disk/messages.ts',
  'disk/packs.ts',
  'disk/within.ts',
  'lsp/disk.ts',
  'lsp/files.ts',
  'lsp/comparing/thread.ts',
  'lsp/comparing/worker.ts',
  'cli/threads/checkingThread.ts',
  'cli/disk.ts',
  'cli/main.ts',
];
/** Files and folders of test/ that read a clock or set a timer, and why nothing else would do. */
const MAY_TELL_TIME: readonly (readonly [start: string, why: string])[] = [
  ['test/bench/', 'Benchmarks measure time; what tests take of them they do not compare.'],
  ['test/live-cluster/', 'Real servers are asked until they are up; no part of `npm test`.'],
  ['test/e2e/host.mjs', 'A suite that never ends fails.'],
  ['test/e2e/session.mjs', 'Tells how long a step took.'],
  ['test/e2e/until.mjs', 'Looks at files and processes until they are as wanted.'],
  ['test/fuzz/inputs/', 'A run of the fuzzer ends at a time that its user gives.'],
  ['test/fuzz/session/', 'The servers that are tried have clocks and pauses; real ones are asked until they rest.'],
  ['test/lsp/client.ts', 'The clock and the pauses that the server is given.'],
  ['test/policy/engine.test.ts', 'The clock is a fake one.'],
  ['test/vscode/until.ts', 'Looks at the editor until it is as wanted.'],
];
const PURE_MODULES = ['node:crypto', 'node:path', 'node:zlib'];
/** Where a library is loaded that is bundled, or a pure module, and must not run before it is needed. */
const LOADS_LATE = [
  'analysis/features/policies/yamlLibrary.ts',
  'explore/core/savedFile.ts',
  'kube/cel/library.ts',
  'kube/cel/regex.ts',
  'kube/load.ts',
  'policy/conftest/toml.ts',
  'policy/hashes.ts',
  'policy/kyverno/jmespath/query.ts',
  'rules/apiserver/validate/certificates/keys.ts',
  'rules/knownIssues/knownIssue.ts',
];
const WORLDLY_GLOBALS = ['process', 'console', 'fetch', 'require', 'performance'];

interface Source {
  readonly name: string;
  readonly room: string;
  readonly tree: ts.SourceFile;
}

const { projects, close } = openProjects('server', 'client', 'client/src/webview');
afterAll(close);
afterAll(() => trackedTexts.forget());

const sources: readonly Source[] = projects[0]!.files.map(({ name, tree }) => {
  const inServer = name.slice('server/src/'.length);
  return { name: inServer, room: inServer.split('/')[0]!, tree };
});

/** Every source file that ships, with the source files that it imports. */
const shipped: readonly { readonly file: string; readonly tree: ts.SourceFile; readonly imports: readonly string[] }[] =
  projects
    .flatMap(it => it.files)
    .filter(({ name }) => /^(?:server|client)\/src\//.test(name))
    .map(({ name, tree }) => ({
      file: name,
      tree,
      imports: importsOf(tree)
        .filter(it => it.startsWith('.'))
        .map(it => posix.join(posix.dirname(name), it))
        .flatMap(it => [`${it}.ts`, `${it}.tsx`].find(path => existsSync(join(root, path))) ?? []),
    }));

const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);

describe('server/src', () => {
  it('keeps to the rooms of the table', () => {
    expect(MAY_IMPORT.lsp).toContain('analysis');
    expect([...new Set(sources.map(it => it.room))].filter(it => !(it in MAY_IMPORT))).toEqual([]);
    const named = Object.values(MAY_IMPORT).flat();
    expect(named.filter(it => !(it in MAY_IMPORT) && !existsSync(join(root, `server/src/${it}.ts`)))).toEqual([]);
    const wrong = sources.flatMap(({ name, room, tree }) =>
      importsOf(tree)
        .filter(it => it.startsWith('.'))
        .map(it => posix.join(posix.dirname(name), it))
        .filter(to => !mayImport(room, to))
        .map(to => `${name} imports ${to}`),
    );
    expect(wrong).toEqual([]);
  });

  it('is asked by the CLI, the language server and the client through the files at the top of analysis/', () => {
    const outside = shipped.filter(it => /^(?:server\/src\/(?:cli|lsp)|client\/src)\//.test(it.file));
    const asked = outside.flatMap(({ file, imports }) =>
      imports.filter(it => it.startsWith('server/src/analysis/')).map(to => ({ file, to })),
    );
    expect(new Set(asked.map(it => it.file.split('/')[0]))).toEqual(new Set(['server', 'client']));
    const wrong = asked.filter(it => posix.dirname(it.to) !== 'server/src/analysis');
    expect(wrong.map(it => `${it.file} imports ${it.to}`)).toEqual([]);
  });

  it('has no import circle, type imports counted, of files or of the folders of a room', () => {
    expect(shipped.length).toBeGreaterThan(sources.length);
    const graph = new Map(shipped.map(({ file, imports }) => [file, imports]));
    expect(circlesOf(graph)).toEqual([]);
    for (const parent of new Set(shipped.flatMap(({ file }) => parentsOf(file)))) {
      expect(circlesOf(foldersIn(parent, graph)), parent).toEqual([]);
    }
  });

  it('has no two exported types of one name', () => {
    const files = new Map<string, string[]>();
    for (const { file, tree } of shipped) {
      for (const it of tree.statements) {
        const isType = ts.isInterfaceDeclaration(it) || ts.isTypeAliasDeclaration(it) || ts.isClassDeclaration(it);
        if (!isType || it.name === undefined || !isExported(it)) continue;
        files.set(it.name.text, [...(files.get(it.name.text) ?? []), file]);
      }
    }
    expect(files.size).toBeGreaterThan(1000);
    expect([...files].filter(([, its]) => its.length > 1)).toEqual([]);
  });

  it('has a folder for each engine of policies, and none imports another', () => {
    const folderOf = (name: string) => /^policy\/(?!engine\/|admission\/)([^/]+)\//.exec(name)?.[1];
    const wrong = sources.flatMap(({ name, tree }) =>
      importsOf(tree)
        .map(it => posix.join(posix.dirname(name), it))
        .filter(to => folderOf(name) !== undefined && ![undefined, folderOf(name)].includes(folderOf(to)))
        .map(to => `${name} imports ${to}`),
    );
    expect(wrong).toEqual([]);
  });

  it('translates through base/l10n only', () => {
    const users = sources.filter(({ tree }) => importsOf(tree).includes('@vscode/l10n'));
    expect(users.map(it => it.name)).toEqual(['base/l10n.ts']);
  });

  it('touches files, processes and the network in its entries only, and vscode nowhere', () => {
    const wrong = sources.flatMap(({ name, tree }) =>
      [
        ...importsOf(tree).filter(it => it === 'vscode' || (isWorldly(it) && !TOUCHES_THE_WORLD.includes(name))),
        ...(TOUCHES_THE_WORLD.includes(name) ? [] : globalsOf(tree)).filter(
          it => !(it === 'require' && LOADS_LATE.includes(name)),
        ),
      ].map(it => `${name} uses ${it}`),
    );
    expect(wrong).toEqual([]);
  });

  it('has no any and no state of a module', () => {
    const wrong = sources.flatMap(({ name, tree }) => [
      ...(tree.text.includes('any') ? descendants(tree) : [])
        .filter(it => it.kind === ts.SyntaxKind.AnyKeyword)
        .map(it => `${name}:${lineOf(tree, it)} says any`),
      ...tree.statements
        .filter(it => ts.isVariableStatement(it) && (it.declarationList.flags & ts.NodeFlags.Const) === 0)
        .map(it => `${name}:${lineOf(tree, it)} is a variable of the module`),
    ]);
    expect(wrong).toEqual([]);
  });
});

describe('server/src and client/src', () => {
  it('never read the name or the text of a function, which minifying changes', () => {
    const read = projects.map(({ files, checker }) => {
      const all = files.flatMap(({ name, tree }) =>
        (TEXTS_OF_FUNCTIONS.some(it => tree.text.includes(it)) ? descendants(tree) : []).flatMap(node => {
          const owner = ownerOfText(node);
          return owner ? [{ owner, what: `${name}:${lineOf(tree, node)} reads ${node.getText()} of a function` }] : [];
        }),
      );
      const isFunction = functionsOf(checker);
      // Asked for at once: each question goes to the compiler's process and back.
      const types = checker.getTypeAtLocation(all.map(it => it.owner));
      return { all, wrong: all.filter((_, at) => isFunction(types[at]!)) };
    });
    expect(read.filter(it => it.all.length === 0)).toEqual([]);
    expect(read.flatMap(it => it.wrong.map(({ what }) => what))).toEqual([]);
  });
});

describeStrings({ server: projects[0]!, client: projects[1]! });

describe('what is scaffolded', () => {
  it('has no placeholder left: no TODO in what ships, in its docs, fixtures and scenarios', () => {
    const kept = /^(?:server\/src|client\/src|docs|test\/fixtures|test\/scheduler)\//;
    const wrong = [...textFiles(), ...untracked()].filter(it => kept.test(it.name) && /\bTODO\b/.test(it.text));
    expect(wrong.map(it => it.name)).toEqual([]);
  });
});

describe('generated files are current', () => {
  it('tools/gen-rules.mjs', async () => {
    // As they are loaded here: the registry that they have is one of the files that are compared.
    const sources = { ...explaining, ...issueVersions, ...allStrategies, ...kindMetas, ...loading };
    expect(await outdated(() => sources)).toEqual([]);
  });

  it('tools/kube-facts/pack.mjs', () => {
    execFileSync(process.execPath, ['tools/kube-facts/pack.mjs', '--check'], { cwd: root, stdio: 'pipe' });
  });
});

describe('tests', () => {
  it('take no pause and try nothing twice: they wait for a state', () => {
    const own = textFiles().filter(it => /^test\/.*\.test\.ts$|^vitest\..*config\.mts$/.test(it.name));
    expect(own.length).toBeGreaterThan(0);
    const wrong = own.filter(it => it.name !== 'test/tidy.test.ts' && /\bretry: (?:\d|process)/.test(it.text));
    expect(wrong.map(it => it.name)).toEqual([]);
  });

  it('read no clock and set no timer, but where no state tells', () => {
    const isTimed =
      /\b(?:setTimeout|setInterval|waitForTimeout)\(|\b(?:Date|performance)\.now\b|\bhrtime\b|timers\/promises/;
    const timed = textFiles()
      .filter(it => /^test\/.*\.(?:[cm]?js|tsx?)$/.test(it.name) && it.name !== 'test/tidy.test.ts')
      .filter(it => isTimed.test(it.text))
      .map(it => it.name);
    const isAllowed = (name: string) => MAY_TELL_TIME.some(([allowed]) => name.startsWith(allowed));
    expect(timed.filter(it => !isAllowed(it))).toEqual([]);
    expect(MAY_TELL_TIME.filter(([allowed]) => !timed.some(it => it.startsWith(allowed)))).toEqual([]);
  });
});

describe('tracked files', () => {
  it('name no path of a machine', () => {
    const isMachinePath = /(?:^|[^\w.-])\/(?:work|farm)\/|\/(?:Users|home)\/(?!ada\b)[a-z]\w*\//;
    const wrong = textFiles().filter(({ text }) => text.includes(`${root}/`) || isMachinePath.test(text));
    expect(wrong.map(it => it.name)).toEqual([]);
  });

  it('lock packages without download addresses', () => {
    const locks = textFiles().filter(it => it.name.endsWith('package-lock.json'));
    expect(locks.length).toBeGreaterThan(0);
    expect(locks.filter(it => it.text.includes('"resolved": "http')).map(it => it.name)).toEqual([]);
  });
});

/** Files that fetch something, or ask a server of this machine, and what makes sure that it is what is meant. */
const FETCHES: Readonly<Record<string, string>> = {
  'tools/go-toolchain.mjs': 'SUMS, by the h1: sum of each zip',
  'test/e2e/desktop.mjs': 'a named version, which VS Code’s server sums; for tests on systems without the web editor',
  'test/live-cluster/controlPlane.mjs': 'asks the API server that it has started itself',
};
/** Go checks each module against the checksum database; those of a go.mod against go.sum first. */
const FETCHES_MODULES = [
  'test/live-cluster/build.mjs',
  'tools/gen-policy-schemas.mjs',
  'tools/kube-facts/build.sh',
  'tools/policy-engine.mjs',
];

describe('what is fetched is pinned', () => {
  it('an action of CI by its commit, an image by its digest, also in what the docs tell others to write', () => {
    const wrong = textFiles()
      .filter(it => /\.(?:ya?ml|md)$/.test(it.name))
      .flatMap(({ name, text }) => unpinnedUses(text).map(it => `${name} uses ${it}`));
    expect(wrong).toEqual([]);
    expect(unpinnedUses('- uses: a/b@v3\n- uses: ./own\n  uses: docker://x:1\n- uses: "a/b@main" # x')).toEqual([
      'a/b@v3',
      'docker://x:1',
      'a/b@main',
    ]);
  });

  it('CI installs what is locked, and fetches nothing by itself', () => {
    const ci = textFiles().filter(it => /^\.(?:ci|github)\//.test(it.name));
    expect(ci.length).toBeGreaterThan(0);
    const wrong = ci.filter(it =>
      /\b(?:curl|wget|npx|npm (?:i|install|exec)|pip3? install|go (?:install|run) \S+@)\b/.test(it.text),
    );
    expect(wrong.map(it => it.name)).toEqual([]);
  });

  it('a download of tools and tests has a sum', () => {
    const own = textFiles().filter(it => /^(?:tools|test|\.ci)\/.*\.(?:[cm]?[jt]s|sh|py)$|^\.ci\//.test(it.name));
    const fetches = own.filter(
      it =>
        !it.name.endsWith('.test.ts') &&
        /\bfetch\(|from 'node:https'|\b(?:curl|wget) |from '@vscode\/test-electron'/.test(it.text),
    );
    expect(fetches.map(it => it.name).toSorted()).toEqual(Object.keys(FETCHES).toSorted());
    const modules = own.filter(
      it => /'mod', 'download'|go mod download/.test(it.text) && it.name !== 'test/tidy.test.ts',
    );
    expect(modules.map(it => it.name).toSorted()).toEqual(FETCHES_MODULES);
    const weakened = own.filter(it => /GONOSUMDB|GONOSUMCHECK|GOFLAGS=-insecure|GOINSECURE|GOSUMDB/.test(it.text));
    expect(weakened.map(it => it.name).filter(it => it !== 'test/tidy.test.ts')).toEqual([]);
  });

  it('an npm package by its sum', () => {
    for (const { name, text } of textFiles().filter(it => it.name.endsWith('package-lock.json'))) {
      const { packages } = JSON.parse(text) as { packages: Record<string, { integrity?: string; link?: boolean }> };
      const unpinned = Object.entries(packages).filter(
        ([path, it]) => path !== '' && !it.link && !it.integrity?.startsWith('sha512-'),
      );
      expect(
        unpinned.map(([path]) => path),
        name,
      ).toEqual([]);
    }
  });

  it('a Go module of the policy engine by its sum', () => {
    const read = (name: string): string => readFileSync(join(root, 'server/policyEngine', name), 'utf8');
    const required = [...read('go.mod').matchAll(/^\t(\S+ v\S+)/gm)].map(([, it]) => it as string);
    expect(required.length).toBeGreaterThan(80);
    const sums = new Set([...read('go.sum').matchAll(/^(\S+ \S+) h1:\S+$/gm)].map(([, it]) => it as string));
    expect(required.filter(it => !sums.has(it) && !sums.has(`${it}/go.mod`))).toEqual([]);
  });

  it('the docs review each direct dependency in its version', () => {
    const page = readFileSync(join(root, 'docs/dependencies.md'), 'utf8');
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      dependencies: Readonly<Record<string, string>>;
    };
    const [, direct = ''] =
      /^require \(([^)]*)\)/m.exec(readFileSync(join(root, 'server/policyEngine/go.mod'), 'utf8')) ?? [];
    const modules = [...direct.matchAll(/^\t(\S+) (\S+)$/gm)].map(([, name, version]) => [name, version]);
    const wanted = [...Object.entries(dependencies), ...modules].map(
      ([name, version]) => `| \`${name}\` | ${version} |`,
    );
    expect(wanted.length).toBeGreaterThan(20);
    expect(wanted.filter(it => !page.includes(it))).toEqual([]);
  });

  it('the extension and the npm package hold the same files', () => {
    expect(readFileSync(join(root, '.npmignore'), 'utf8')).toBe(readFileSync(join(root, '.vscodeignore'), 'utf8'));
  });
});

/** What `uses:` names without a commit or a digest. */
function unpinnedUses(text: string): readonly string[] {
  return [...text.matchAll(/^\s*(?:-\s+)?uses:\s*["']?([^\s"'#]+)/gm)]
    .map(([, used]) => used as string)
    .filter(it => !it.startsWith('./') && !/@(?:[0-9a-f]{40}|sha256:[0-9a-f]{64})$/.test(it));
}

interface TextFile {
  readonly name: string;
  readonly text: string;
}

const trackedTexts = forgettable(() => textsOf(tracked));
const textFiles = (): readonly TextFile[] => trackedTexts.get();

/** Files that are new and that git does not ignore. */
function untracked(): readonly TextFile[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  return textsOf(listed.split('\0').filter(Boolean));
}

function textsOf(names: readonly string[]): readonly TextFile[] {
  return names
    .filter(it => existsSync(join(root, it)) && !/\.(br|gz|png|ttf|woff2?|ico|wasm)$/.test(it))
    .map(name => ({ name, text: readFileSync(join(root, name), 'utf8') }));
}

function mayImport(room: string, to: string): boolean {
  return to.startsWith(`${room}/`) || (MAY_IMPORT[room] ?? []).some(it => it === to || it === to.split('/')[0]);
}

const isExported = ({ modifiers }: ts.InterfaceDeclaration | ts.TypeAliasDeclaration | ts.ClassDeclaration): boolean =>
  modifiers?.some(it => it.kind === ts.SyntaxKind.ExportKeyword) === true;

type Graph = ReadonlyMap<string, readonly string[]>;

/** The strongly connected parts of a graph that have more than one member. Tarjan 1972. */
function circlesOf(graph: Graph): readonly (readonly string[])[] {
  const seen = new Map<string, { readonly index: number; low: number }>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (name: string): { readonly index: number; low: number } => {
    const own = { index: seen.size, low: seen.size };
    seen.set(name, own);
    stack.push(name);
    for (const to of graph.get(name) ?? []) {
      const known = seen.get(to);
      if (known === undefined) own.low = Math.min(own.low, visit(to).low);
      else if (stack.includes(to)) own.low = Math.min(own.low, known.index);
    }
    if (own.low === own.index) {
      const circle = stack.splice(stack.indexOf(name));
      if (circle.length > 1) circles.push(circle.toSorted());
    }
    return own;
  };
  for (const name of graph.keys()) if (!seen.has(name)) visit(name);
  return circles;
}

/** Every folder above a file, from `server/src` or `client/src` on. */
function parentsOf(file: string): readonly string[] {
  const steps = file.split('/').slice(0, -1);
  return steps.slice(1).map((_, i) => steps.slice(0, i + 2).join('/'));
}

/** Which folders right below `parent` import which; files that lie in `parent` itself do not count. */
function foldersIn(parent: string, graph: Graph): Graph {
  const folderOf = (file: string): string | undefined =>
    file.startsWith(`${parent}/`) ? /^([^/]+)\//.exec(file.slice(parent.length + 1))?.[1] : undefined;
  const folders = new Map<string, Set<string>>();
  for (const [file, imports] of graph) {
    const from = folderOf(file);
    if (from === undefined) continue;
    const found = folders.get(from) ?? new Set();
    for (const to of imports) found.add(folderOf(to) ?? from);
    folders.set(from, found);
  }
  return new Map([...folders].map(([from, to]) => [from, [...to].filter(it => it !== from)]));
}

function isWorldly(specifier: string): boolean {
  return specifier.startsWith('node:') && !PURE_MODULES.includes(specifier);
}

function importsOf(tree: ts.SourceFile): readonly string[] {
  return tree.statements.flatMap(it => {
    if (!ts.isImportDeclaration(it) && !ts.isExportDeclaration(it)) return [];
    return it.moduleSpecifier && ts.isStringLiteral(it.moduleSpecifier) ? [it.moduleSpecifier.text] : [];
  });
}

/** Worldly globals that are used as such: called, or asked for a property. */
function globalsOf(tree: ts.SourceFile): readonly string[] {
  if (!WORLDLY_GLOBALS.some(it => tree.text.includes(it))) return [];
  return descendants(tree).flatMap(it => {
    const used = ts.isPropertyAccessExpression(it) || ts.isCallExpression(it) ? it.expression : undefined;
    return used && ts.isIdentifier(used) && WORLDLY_GLOBALS.includes(used.text) ? [used.text] : [];
  });
}

const TEXTS_OF_FUNCTIONS: readonly string[] = ['name', 'toString'];

/** What a node reads `name` or `toString` of, by a dot, by an index or by taking it apart. */
function ownerOfText(node: ts.Node): ts.Node | undefined {
  const reads = (it: ts.Node): boolean =>
    (ts.isIdentifier(it) || ts.isStringLiteralLikeNode(it)) && TEXTS_OF_FUNCTIONS.includes(it.text);
  if (ts.isPropertyAccessExpression(node)) return reads(node.name) ? node.expression : undefined;
  if (ts.isElementAccessExpression(node)) return reads(node.argumentExpression) ? node.expression : undefined;
  if (!ts.isBindingElement(node) || !ts.isObjectBindingPattern(node.parent)) return undefined;
  const name = node.propertyName ?? node.name;
  return name && reads(name) ? node.parent : undefined;
}

/** Tells types with a function among them; also `Function` itself, as which `constructor` is typed. */
function functionsOf(checker: Checker): (type: Type) => boolean {
  const known = new Map<Type, boolean>();
  const isFunction = (type: Type): boolean =>
    type.isUnionType()
      ? type.getTypes().some(tell)
      : [SignatureKind.Call, SignatureKind.Construct].some(it => checker.getSignaturesOfType(type, it).length > 0) ||
        type.getSymbol()?.name === 'Function';
  const tell = (type: Type): boolean => {
    const told = known.get(type) ?? isFunction(type);
    known.set(type, told);
    return told;
  };
  return tell;
}

function descendants(node: ts.Node): readonly ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (it: ts.Node): void => {
    found.push(it);
    it.forEachChild(visit);
  };
  visit(node);
  return found;
}

const lineOf = (tree: ts.SourceFile, node: ts.Node): number =>
  tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
