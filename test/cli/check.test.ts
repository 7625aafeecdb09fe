import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import sarifSchema from './sarif-subset.schema.json';
import { type Files, run } from './world';

const pod = (fields = ''): string =>
  `apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec:\n  containers:\n    - name: main\n      image: nginx\n${fields}`;
const TYPO = pod('      imagePullPolcy: Always\n');
const good = { 'deploy/web.yaml': pod() };
const bad = { 'deploy/web.yaml': TYPO };
const json = async (args: readonly string[], files: Files, input?: string) => {
  const done = await run(['check', '--format', 'json', ...args], files, input);
  return { ...done, answer: JSON.parse(done.out) };
};

describe('berth check', () => {
  it('says nothing and exits with 0 for a good manifest', async () => {
    const { code, answer } = await json(['deploy'], good);
    expect(code).toBe(0);
    expect(answer).toEqual({
      contract: 1,
      kubernetesVersion: '1.37',
      summary: { files: 1, documents: 1, errors: 0, warnings: 0, milliseconds: 0 },
      problems: [],
    });
  });

  it('reports a problem in the words of the contract', async () => {
    const { code, answer } = await json(['deploy'], bad);
    expect(code).toBe(1);
    expect(answer.problems).toHaveLength(1);
    expect(answer.problems[0]).toMatchObject({
      code: 'decode/unknown-field',
      category: 'decode',
      severity: 'error',
      errorType: 'UnknownField',
      fieldPath: 'spec.containers[0].imagePullPolcy',
      path: 'deploy/web.yaml',
      document: 0,
      object: { apiVersion: 'v1', kind: 'Pod', name: 'web' },
      range: { start: { line: 8, character: 6 }, end: { line: 8, character: 20 } },
      related: [],
    });
    expect(answer.problems[0].fixes.map((it: { title: string }) => it.title)).toContain('Rename to imagePullPolicy');
  });

  it('counts documents, empty ones too', async () => {
    const { answer } = await json(['-'], {}, `${pod()}---\n---\n${TYPO}`);
    expect(answer.summary).toMatchObject({ files: 1, documents: 3, errors: 1 });
    expect(answer.problems[0]).toMatchObject({ path: '-', document: 2 });
  });

  it.each([
    ['error', 1],
    ['warning', 1],
    ['info', 1],
    ['never', 0],
  ])('exits with --fail-on %s with %i for an error', async (limit, code) => {
    expect((await run(['check', '--fail-on', limit, 'deploy'], bad)).code).toBe(code);
  });

  it('shows only the categories asked for', async () => {
    expect((await json(['--only', 'apiserver,dropped', 'deploy'], bad)).answer.problems).toEqual([]);
    expect((await json(['--only', 'decode', 'deploy'], bad)).answer.problems).toHaveLength(1);
  });

  it('divides the files among shards, each file in one of them', async () => {
    const files = { 'a.yaml': TYPO, 'b.yaml': TYPO, 'c.yml': TYPO, 'd.json': '{}' };
    const paths = async (shard: string): Promise<string[]> =>
      (await json(['--only', 'decode', '--shard', shard], files)).answer.problems.map(
        (it: { path: string }) => it.path,
      );
    expect(await paths('1/2')).toEqual(['a.yaml', 'c.yml']);
    expect(await paths('2/2')).toEqual(['b.yaml']);
  });
});

describe('which files are checked', () => {
  it.each<[string, readonly string[], Files, readonly string[]]>([
    [
      'all manifests below, by name',
      ['.'],
      { 'b.yml': '', 'a.yaml': '', 'c/d.json': '{}', 'x.txt': '' },
      ['a.yaml', 'b.yml', 'c/d.json'],
    ],
    [
      'nothing of node_modules and .git',
      ['.'],
      { 'node_modules/a.yaml': '', '.git/b.yaml': '', 'c.yaml': '' },
      ['c.yaml'],
    ],
    [
      'nothing that Go keeps in vendor, but what others keep there, and what is named',
      ['.', 'b/vendor'],
      {
        'a/vendor/modules.txt': '',
        'a/vendor/a.yaml': '',
        'b/vendor/modules.txt': '',
        'b/vendor/b.yaml': '',
        'vendor/c.yaml': '',
      },
      ['vendor/c.yaml', 'b/vendor/b.yaml'],
    ],
    [
      '.gitignore',
      ['.'],
      { '.git/HEAD': '', '.gitignore': 'out/\n/c.yaml\n', 'out/a.yaml': '', 'b.yaml': '', 'c.yaml': '' },
      ['b.yaml'],
    ],
    ['.berthignore', ['.'], { '.berthignore': '*.tpl.yaml\n', 'a.tpl.yaml': '', 'b.yaml': '' }, ['b.yaml']],
    [
      'a nearer ignore file wins',
      ['.'],
      { '.gitignore': '*.yaml\n', 'a/.gitignore': '!b.yaml\n', 'a/b.yaml': '', 'c.yaml': '' },
      ['a/b.yaml'],
    ],
    [
      'ignore files of the repository above',
      ['a'],
      { '.git/HEAD': '', '.gitignore': '*.s.yaml\n', 'a/b.s.yaml': '', 'a/c.yaml': '' },
      ['a/c.yaml'],
    ],
    [
      'an ignored folder that is named',
      ['out'],
      { '.git/HEAD': '', '.gitignore': 'out/\n', 'out/a.yaml': '' },
      ['out/a.yaml'],
    ],
    ['an ignored file that is named', ['a.yaml'], { '.gitignore': '*.yaml\n', 'a.yaml': '' }, ['a.yaml']],
    ['a file once', ['a.yaml', '.', './a.yaml'], { 'a.yaml': '', 'b.yaml': '' }, ['a.yaml', 'b.yaml']],
  ])('%s', async (_, paths, files, expected) => {
    const { read } = await run(['check', ...paths], files);
    expect(read.filter(it => !it.includes('ignore'))).toEqual(expected);
  });
});

describe('input that cannot be read', () => {
  it.each<[string, readonly string[], Files, string]>([
    ['a path that does not exist', ['nowhere'], {}, 'nowhere: There is no such file or folder.'],
    [
      'a file that may not be read',
      ['a.yaml'],
      { 'a.yaml': { trouble: 'denied' } },
      'a.yaml: The file cannot be read: permission denied.',
    ],
    [
      'a file that went away',
      ['a.yaml'],
      { 'a.yaml': { trouble: 'gone' } },
      'a.yaml: The file cannot be read: it does not exist any more.',
    ],
    [
      'a file of 100 MiB',
      ['a.yaml'],
      { 'a.yaml': { trouble: 'huge' } },
      'a.yaml: The file was not read: it has 100 MiB, and the limit is 32 MiB.',
    ],
    [
      'a folder that may not be read',
      ['sub'],
      { sub: { trouble: 'folder-denied' } },
      'sub: The folder cannot be read: permission denied.',
    ],
  ])('%s: one sentence, a problem, and the others are answered', async (_, paths, files, sentence) => {
    const { code, err, answer } = await json([...paths, 'good/web.yaml'], { ...files, 'good/web.yaml': TYPO });
    expect(code).toBe(2);
    expect(err).toBe(`berth: ${sentence}\n`);
    expect(answer.error).toBe(sentence);
    expect(answer.problems.map((it: { code: string }) => it.code)).toEqual([
      'syntax/unreadable',
      'decode/unknown-field',
    ]);
  });

  it('does not read the bytes of a file that is too large', async () => {
    expect((await run(['check', 'a.yaml'], { 'a.yaml': { trouble: 'huge' } })).read).toEqual([]);
  });

  it.each<[string, Uint8Array | string]>([
    ['bytes that are no text', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 0xff, 0xfe, 0])],
    ['Latin-1', new Uint8Array([...new TextEncoder().encode('a: '), 0xe4, 0x0a])],
    ['text with a NUL', 'kind: Pod\0\n'],
    ['broken YAML', 'kind: [1\nb: }\n'],
    ['JSON with a comma too many', '{"kind": "Pod",,}'],
    ['deep nesting', `kind: ${'['.repeat(20_000)}`],
  ])('%s: a syntax problem of that file, and the others are answered', async (_, content) => {
    const { code, answer } = await json(['.'], { 'a.json': content, 'b.yaml': TYPO });
    expect(code).toBe(1);
    const of = (path: string): string[] =>
      answer.problems.filter((it: { path: string }) => it.path === path).map((it: { category: string }) => it.category);
    expect(of('a.json')).toContain('syntax');
    expect(of('b.yaml')).toEqual(['decode']);
  });

  it('reads UTF-16 with a byte order mark', async () => {
    const text = `\ufeff${TYPO}`;
    const bytes = new Uint8Array(new Uint16Array([...text].map(it => it.charCodeAt(0))).buffer);
    const { answer } = await json(['-'], {}, bytes as unknown as string);
    expect(answer.problems.map((it: { code: string }) => it.code)).toEqual(['decode/unknown-field']);
  });
});

describe('a patch release', () => {
  it.each([
    ['1.34', '1.34', ''],
    ['v1.34.2-gke.1200', '1.34.2', ''],
    ['v1.31.9+k3s1', '1.31.9', ''],
    [
      '1.34.999',
      '1.34.999',
      'Kubernetes 1.34.999 is newer than the patch releases that Berth knows; it counts as 1.34.',
    ],
  ])('%s is taken for the facts of its minor', async (version, reported, said) => {
    const { code, err, answer } = await json(['--kubernetes-version', version, 'deploy'], bad);
    expect([code, answer.kubernetesVersion]).toEqual([1, reported]);
    expect(answer.problems.map((it: { code: string }) => it.code)).toEqual(['decode/unknown-field']);
    expect(err).toContain(said);
    expect(err.split('\n').filter(it => it !== '')).toHaveLength(said === '' ? 0 : 1);
  });
});

describe('a gate whose default a patch release changed', () => {
  const files = {
    'set.yaml': `apiVersion: apps/v1
kind: StatefulSet
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  updateStrategy: { rollingUpdate: { maxUnavailable: 2 } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: nginx }] }
`,
  };

  it.each([
    ['1.35.3', []],
    ['1.35.4', ['dropped/field']],
    ['1.35', ['dropped/field']],
    ['1.34.3', ['dropped/field']],
  ])('has the default of %s', async (version, codes) => {
    const { answer } = await json(['--kubernetes-version', version, '--only', 'dropped', '.'], files);
    expect(answer.problems.map((it: { code: string }) => it.code)).toEqual(codes);
  });
});

describe('bad arguments', () => {
  it.each<[readonly string[], RegExp]>([
    [['--format', 'xml'], /--format "xml" is not one of: text, json, sarif, github\./],
    [['--fail-on', 'hint'], /--fail-on "hint" is not one of/],
    [['--only', 'apisrver'], /--only "apisrver" is not one of/],
    [['--only', ''], /--only names no category; it may name /],
    [['--only', ' , '], /--only names no category; it may name /],
    [['--kubernetes-version', '1.2'], /Kubernetes "1\.2" is not known to Berth; it knows .*1\.37\./],
    [['--kubernetes-version', '1.37-latest'], /Kubernetes "1\.37-latest" is not known to Berth/],
    [['--feature-gates', 'A=maybe'], /must look like NAME=true/],
    [['--feature-gates', 'NoSuchGateAtAll=true'], /NoSuchGateAtAll/],
    [['--shard', '3/2'], /--shard "3\/2"/],
    [['--jobs', '0'], /--jobs "0"/],
    [['--config', 'nowhere.yaml'], /The configuration nowhere\.yaml cannot be read/],
    [['--no-such-option'], /[Uu]nknown option/],
  ])('%j', async (args, sentence) => {
    const { code, err, out } = await run(['check', ...args, 'deploy'], good);
    expect(code).toBe(2);
    expect(err).toMatch(sentence);
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(out).toBe('');
    const isFormat = args[0] === '--format';
    const asJson = await run(['check', 'deploy', ...(isFormat ? ['--fail-on', 'x'] : args), '--format', 'json'], good);
    expect(asJson.code).toBe(2);
    expect(JSON.parse(asJson.out).error).toMatch(isFormat ? /--fail-on "x"/ : sentence);
  });

  it.each([
    ['kubernetesVersion: "1.36"\n', undefined],
    ['severity: { decode/unknown-field: loud }\n', 'severity.decode/unknown-field must be one of'],
    ['featureGates: [A]\n', 'featureGates must be true or false'],
    ['colour: red\n', '"colour" is not one of'],
    ['- a\n', 'it must be a mapping'],
    ['a: [\n', 'is not YAML'],
  ])('configuration %j', async (text, wrong) => {
    const { code, answer } = await json(['--config', 'berth.yaml', '.'], { ...good, 'berth.yaml': text });
    expect(code).toBe(wrong === undefined ? 0 : 2);
    if (wrong === undefined) expect(answer.kubernetesVersion).toBe('1.36');
    else expect(answer.error).toContain(wrong);
  });

  it('takes severities from the configuration', async () => {
    const files = { ...bad, 'c.yaml': 'severity: { decode/unknown-field: warning }\n' };
    const { code, answer } = await json(['--config', 'c.yaml', 'deploy'], files);
    expect(code).toBe(0);
    expect(answer.summary).toMatchObject({ errors: 0, warnings: 1 });
  });
});

describe('formats', () => {
  it('text: place, code, source line, underline and help', async () => {
    const { out } = await run(['check', 'deploy'], bad);
    expect(out).toBe(
      [
        'deploy/web.yaml:9:7: error decode/unknown-field unknown field "spec.containers[0].imagePullPolcy"; did you mean "imagePullPolicy"?',
        '  in Pod default/web, spec.containers[0].imagePullPolcy',
        '   |',
        ' 9 |       imagePullPolcy: Always',
        '   |       ^^^^^^^^^^^^^^',
        '  help Rename to imagePullPolicy',
        '',
        '1 file, 1 document, Kubernetes 1.37: 1 error (0 ms)',
        '',
      ].join('\n'),
    );
  });

  it('text: control characters of a manifest do not reach the terminal', async () => {
    const { out } = await run(['check', '-'], {}, pod('      "\\u001b[2Jx": 1\n'));
    expect(out).toContain('error');
    expect(out).not.toContain('\u001b');
  });

  it('github: one workflow command a problem', async () => {
    const { out } = await run(['check', '--format', 'github', 'deploy'], bad);
    expect(out).toBe(
      '::error file=deploy/web.yaml,line=9,endLine=9,col=7,endColumn=21,title=decode/unknown-field::unknown field "spec.containers[0].imagePullPolcy"; did you mean "imagePullPolicy"?\n',
    );
  });

  it.each<[string, readonly string[], Files]>([
    ['a problem', ['deploy'], bad],
    ['no problem', ['deploy'], good],
    ['a file that cannot be read', ['nowhere'], {}],
    ['related places', ['-'], {}],
    ['a path with spaces', ['a b.yaml'], { 'a b.yaml': TYPO }],
  ])('sarif: valid for %s', async (_, paths, files) => {
    const { out } = await run(['check', '--format', 'sarif', ...paths], files, 'a: 1\na: 2\n');
    const validate = addFormats(new Ajv({ allErrors: true })).compile(sarifSchema);
    const log = JSON.parse(out);
    validate(log);
    expect(validate.errors).toBeNull();
    for (const result of log.runs[0].results) {
      expect(log.runs[0].tool.driver.rules[result.ruleIndex].id).toBe(result.ruleId);
    }
  });
});
