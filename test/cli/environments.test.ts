import { describe, expect, it } from 'vitest';
import { type Files, run } from './world';

const pod = (name: string, more = ''): string => `apiVersion: v1
kind: Pod
metadata: { name: ${name} }
spec:
  ${more}
  containers: [{ name: web, image: nginx, envFrom: [{ configMapRef: { name: settings } }] }]
`;
const settings = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings }\n';
const berth = `environments:
  prod: { paths: [base, overlays/prod] }
  staging: { paths: [base, overlays/staging], completeSources: true }
`;
const files: Files = {
  'deploy/berth.yaml': berth,
  'deploy/base/web.yaml': pod('web'),
  'deploy/overlays/prod/settings.yaml': settings,
  'deploy/overlays/staging/job.yaml': pod('job'),
};

interface Answer {
  readonly error?: string;
  readonly kubernetesVersion?: string;
  readonly summary: { readonly files: number; readonly notRead?: number };
  readonly problems: readonly {
    readonly code: string;
    readonly severity: string;
    readonly path: string;
    readonly message: string;
    readonly environments?: readonly string[];
  }[];
}

async function check(args: readonly string[], given: Files = files) {
  const { code, out, err } = await run(['check', ...args, '--format', 'json'], given);
  return { code, err, answer: JSON.parse(out) as Answer };
}

const told = ({ problems }: Answer) =>
  problems.map(({ path, severity, environments }) => `${path} ${severity} ${environments?.join(',')}`);

describe('berth check with a berth.yaml', () => {
  it('holds a file against each environment that it belongs to, and says in which one a problem is', async () => {
    const { code, answer } = await check(['deploy']);
    expect(told(answer)).toEqual([
      'deploy/base/web.yaml error staging',
      'deploy/overlays/staging/job.yaml error staging',
    ]);
    expect(answer.problems[0]?.message).toMatch(/settings.* \(in the environment staging\)$/);
    expect(answer.problems[1]?.message).not.toContain('in the environment');
    expect([code, answer.summary.files]).toEqual([1, 3]);
  });

  it('speaks of one environment with --environment', async () => {
    expect(told((await check(['--environment', 'prod', 'deploy'])).answer)).toEqual([]);
    const staging = (await check(['--environment', 'staging', 'deploy'])).answer;
    expect([staging.summary.files, told(staging)]).toEqual([
      2,
      ['deploy/base/web.yaml error staging', 'deploy/overlays/staging/job.yaml error staging'],
    ]);
  });

  it('reads the rest of the environment of a file that is checked alone, and tells nothing of it', async () => {
    const alone = (await check(['deploy/base/web.yaml'])).answer;
    expect([alone.summary.files, told(alone)]).toEqual([1, ['deploy/base/web.yaml error staging']]);
  });

  it('takes all files of the environment where no path is given', async () => {
    const { answer } = await check(['--config', 'deploy/berth.yaml', '--environment', 'prod']);
    expect(answer.summary.files).toBe(2);
  });

  it('puts what an environment says above what the file says, and the command line above both', async () => {
    const given = {
      'berth.yaml': 'kubernetesVersion: "1.36"\nenvironments: { old: { paths: [old], kubernetesVersion: "1.31" } }\n',
      'old/pod.yaml': pod('a', 'resources: { requests: { cpu: 1 } }'),
      'new/pod.yaml': pod('a', 'resources: { requests: { cpu: 1 } }'),
    };
    const errors = ({ problems }: Answer) => problems.filter(it => it.severity === 'error').map(it => it.path);
    expect(errors((await check(['.'], given)).answer)).toEqual(['old/pod.yaml']);
    expect(errors((await check(['--kubernetes-version', '1.36', '.'], given)).answer)).toEqual([]);
  });

  it('takes a patch release as clouds write it, and says of an unknown one what it counts as', async () => {
    const versions = async (version: string) => {
      const { err, answer } = await check(['.'], {
        'berth.yaml': `kubernetesVersion: ${version}\n`,
        'a.yaml': pod('a'),
      });
      return [answer.kubernetesVersion, err];
    };
    expect(await versions('v1.33.4-eks-abc')).toEqual(['1.33.4', '']);
    const [counted, said] = await versions('1.33.999');
    expect(said).toMatch(/^berth: berth\.yaml, line 1: kubernetesVersion: Kubernetes 1\.33\.999 is newer .*\.\n$/);
    expect(said).toContain(`it counts as ${counted}.`);
  });

  it.each([
    ['cluster: kind:kind.yaml', '1.33.2', ['decode/unknown-kind']],
    ['cluster: kind:kind.yaml\nkubernetesVersion: auto', '1.33.2', ['decode/unknown-kind']],
    ['cluster: kind:kind.yaml\nkubernetesVersion: "1.37"', '1.37', []],
    ['cluster: snapshot:snapshot.yaml', '1.33.4', ['decode/unknown-kind']],
    ['cluster: snapshot:newer.yaml', '1.37', []],
    ['completeSources: false', '1.37', []],
  ])('%s checks against Kubernetes %s', async (configuration, version, codes) => {
    const snapshot = (told: string) =>
      `apiVersion: berth.dev/v1alpha1\nkind: ClusterSnapshot\nkubernetesVersion: ${told}\nkinds: []\n`;
    const { answer } = await check(['.'], {
      'berth.yaml': `${configuration}\n`,
      'kind.yaml':
        'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nnodes: [{ role: control-plane, image: "kindest/node:v1.33.2@sha256:00" }]\n',
      'snapshot.yaml': snapshot('v1.33.4-gke.1200'),
      'newer.yaml': snapshot('v1.99.0'),
      'class.yaml':
        'apiVersion: storage.k8s.io/v1\nkind: VolumeAttributesClass\nmetadata: { name: fast }\ndriverName: a\nparameters: { a: b }\n',
    });
    expect(answer.kubernetesVersion).toBe(version);
    expect(answer.problems.flatMap(it => (it.path === 'class.yaml' ? [it.code] : []))).toEqual(codes);
  });

  it.each([
    [
      'v1.29.1',
      /^berth: kind:kind\.yaml runs Kubernetes 1\.29\.1, which Berth does not know; it is treated as 1\.37\. Known: 1\.31, .*, 1\.37\.\n$/,
    ],
    ['v1.36.1', /^$/],
  ])('a cluster of %s is told once where its minor is not known', async (tag, said) => {
    const { err } = await check(['.'], {
      'berth.yaml': 'cluster: kind:kind.yaml\n',
      'kind.yaml': `kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nnodes: [{ image: "kindest/node:${tag}" }]\n`,
      'a.yaml': pod('a'),
      'b/b.yaml': pod('b'),
    });
    expect(err).toMatch(said);
  });

  it('counts the default namespace of an environment', async () => {
    const given = {
      'berth.yaml': 'environments: { shop: { paths: ["*"], namespace: shop } }\n',
      'pod.yaml': pod('web'),
      'settings.yaml': settings.replace('settings }', 'settings, namespace: shop }'),
    };
    expect(told((await check(['.'], given)).answer)).toEqual([]);
    const { problems } = (await check(['.'], { 'berth.yaml': 'namespace: other\n', 'pod.yaml': pod('web') })).answer;
    expect(problems[0]?.message).toContain('of namespace "other"');
  });

  it('knows by it that a name of another namespace is not meant', async () => {
    const elsewhere = {
      'pod.yaml': pod('web'),
      'settings.yaml': settings.replace('settings }', 'settings, namespace: b }'),
    };
    expect(told((await check(['.'], elsewhere)).answer)).toEqual([]);
    const sent = { ...elsewhere, 'berth.yaml': 'namespace: a\nkubernetesVersion: "1.36"\n' };
    const { answer } = await check(['.'], sent);
    expect(answer.problems.map(it => it.code)).toEqual(['references/config-map-missing']);
    expect(answer).toMatchObject({ kubernetesVersion: '1.36' });
  });

  it('follows the range of node ports that the API server is given', async () => {
    const service =
      'apiVersion: v1\nkind: Service\nmetadata: { name: web }\nspec: { type: NodePort, ports: [{ port: 80, nodePort: 20080 }] }\n';
    const codes = async (configuration: string): Promise<readonly string[]> => {
      const { answer } = await check(['.'], { 'berth.yaml': configuration, 'web.yaml': service });
      return answer.problems.map(it => it.code);
    };
    expect(await codes('namespace: shop\n')).toEqual(['registry/node-port-range']);
    expect(await codes('serviceNodePortRange: 20000-20999\n')).toEqual([]);
    expect(await codes('serviceNodePortRange: 20000+79\n')).toEqual(['registry/node-port-range']);
  });

  it.each([
    ['environments: { prod: { path: [base] } }', 'environments.prod needs paths: the files'],
    [
      'environments: { prod: { paths: [base, nowhere] } }',
      'berth.yaml names deploy/nowhere, but there is no such file',
    ],
    ['enviroments: {}', '"enviroments" is not one of: kubernetesVersion, '],
    ['enviroments: {}', 'did you mean "environments"?'],
    ['namespace: Shop', 'namespace is no name of a namespace: '],
    ['serviceNodePortRange: 32767-30000', 'serviceNodePortRange must be a range of ports such as '],
    [
      'environments: { prod: { paths: [base], severity: { decode/unknown-field: loud } } }',
      'environments.prod.severity.',
    ],
    ['featureGates: { NoSuchGateAtAll: true }', 'has no feature gate NoSuchGateAtAll'],
    ['kubernetesVersion: 1.99', 'kubernetesVersion "1.99" is not known to Berth'],
  ])('%s ends with exit code 2 and one sentence', async (text, sentence) => {
    const { code, err, answer } = await check(['deploy/base'], { ...files, 'deploy/berth.yaml': text });
    expect([code, err.trim().split('\n').length]).toEqual([2, 1]);
    expect(answer.error).toContain(sentence);
    expect(answer.error).toMatch(/[^.?][.?]$/);
  });

  it('tells of an environment that has no file, with the line of each of its paths', async () => {
    const text = 'environments:\n  prod: { paths: [base] }\n  dev:\n    paths:\n      - nowhere\n      - gone/*\n';
    const given = { ...files, 'deploy/berth.yaml': text };
    const { code, err } = await check(['deploy/base'], given);
    const told = (line: number, path: string): string =>
      `berth: deploy/berth.yaml, line ${line}: no manifest is at "${path}", seen from the folder of this file.\n`;
    expect([code, err]).toEqual([0, told(5, 'nowhere') + told(6, 'gone/*')]);
    const chosen = await check(['deploy/base', '--environment', 'dev'], given);
    expect([chosen.code, chosen.answer.error]).toEqual([
      2,
      'berth.yaml names deploy/nowhere, but there is no such file or folder.',
    ]);
  });

  it('tells everything that is wrong in a berth.yaml, and where', async () => {
    const wrong = 'enviroments: {}\nnamespace: Shop\n';
    const { answer } = await check(['deploy/base'], { ...files, 'deploy/berth.yaml': wrong });
    expect(answer.error).toMatch(/is not valid: line 1: "enviroments" is not one of: .*; line 2: namespace /);
  });

  it('lists the keys of a mapping once, however many are wrong', async () => {
    const { answer } = await check(['.'], { 'berth.yaml': 'apiVersion: v1\nkind: Berth\n', 'pod.yaml': pod('web') });
    expect(answer.error).toMatch(/line 1: "apiVersion" is not one of: [^;]*; line 2: "kind" is no key here\.$/);
  });

  it('names a code that nothing reports, and takes `off` without quotes', async () => {
    const severity = 'severity: { references/config-map-mising: error, references/config-map-missing: off }\n';
    const { code, err, answer } = await check(['.'], { 'berth.yaml': severity, 'pod.yaml': pod('web') });
    expect([code, answer.problems]).toEqual([0, []]);
    expect(err).toContain('did you mean "references/config-map-missing"?');
  });

  it('says of a file how many beside it were not read', async () => {
    const shop = { 'pod.yaml': pod('web'), 'settings.yaml': settings, 'notes.txt': '' };
    const ofFile = await check(['pod.yaml'], shop);
    expect(ofFile.answer.summary).toMatchObject({ files: 1, notRead: 1 });
    const both = await check(['pod.yaml', 'settings.yaml'], shop);
    expect([both.answer.problems, both.answer.summary.notRead]).toEqual([[], undefined]);
  });

  it('says which environments there are', async () => {
    const wrong = await check(['--environment', 'prd', 'deploy']);
    expect([wrong.code, wrong.answer.error]).toEqual([2, '--environment "prd" is not one of: prod, staging.']);
    const none = await check(['--environment', 'prod', 'deploy/base'], { 'deploy/base/web.yaml': pod('web') });
    expect(none.answer.error).toBe('--environment "prod" needs a berth.yaml that lists environments.');
  });

  it('has no environments where none are configured', async () => {
    const { answer } = await check(['.'], { 'berth.yaml': 'severity: {}\n', 'web.yaml': pod('web') });
    expect(told(answer)).toEqual(['web.yaml info undefined']);
  });
});

describe('berth place with a berth.yaml', () => {
  const node = (name: string): string =>
    `apiVersion: v1\nkind: Node\nmetadata: { name: ${name} }\nstatus: { allocatable: { cpu: 4, memory: 8Gi, pods: 10 } }\n`;
  const given: Files = {
    'berth.yaml': 'environments: { east: { paths: [apps, east] }, west: { paths: [apps, west] } }\n',
    'apps/web.yaml': pod('web')
      .replace(/, envFrom.*\]/, '}]')
      .replace('}]}]', '}]'),
    'east/node.yaml': node('e1'),
    'west/node.yaml': node('w1'),
  };

  it('places the Pods of an environment on its nodes', async () => {
    const { out, code, err } = await run(['place', '--environment', 'east', '--format', 'json'], given);
    expect([code, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toMatchObject({ scenario: 'east', placements: { 'default/web': 'e1' } });
  });

  it('says so where a folder of several environments is placed as one cluster', async () => {
    const { out, err } = await run(['place', '.'], given);
    expect(out).toContain('2 nodes');
    expect(err).toBe(
      'berth: . is placed as one cluster; --environment places what berth.yaml lists as one of: east, west.\n',
    );
  });

  it('places them in the namespace that the configuration sends them to', async () => {
    const sent = { ...given, 'berth.yaml': 'namespace: shop\n' };
    const { out } = await run(['place', '--format', 'json'], sent);
    expect(JSON.parse(out).placements).toHaveProperty('shop/web');
  });
});
