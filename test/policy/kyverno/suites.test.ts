import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadKube } from '../../../server/src/kube/load';
import { kyvernoSuitesIn, runKyvernoSuite } from '../../../server/src/policy/kyverno/suite/suite';
import { runKyvernoSuites } from '../../../server/src/policy/kyverno/suite/tests';
import { readPack } from '../../support/packs';

const kube = loadKube('1.37', {}, readPack);
const folder = join(import.meta.dirname, 'suites');

describe.each(readdirSync(folder))('suite %s', name => {
  const uri = join(folder, name, 'kyverno-test.yaml');
  const read = (path: string) => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return undefined;
    }
  };
  const [suite] = kyvernoSuitesIn(uri, readFileSync(uri, 'utf8'));
  if (suite === undefined) throw new Error(`${uri} holds no suite`);
  const report = runKyvernoSuite(suite, read, kube);

  it('finds its files', () => expect(report.problems).toEqual([]));

  it.each(report.rows)('$policy/$rule: $kind $resource is $expected', row => {
    expect(row).toMatchObject({ verdict: 'passed', statuses: [row.expected] });
  });
});

describe('a suite', () => {
  const files: Readonly<Record<string, string>> = {
    'p.yaml': `
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: p }
spec:
  rules:
    - name: r
      match: { any: [{ resources: { kinds: [ConfigMap] } }] }
      context: [{ name: all, apiCall: { urlPath: /api/v1/namespaces } }]
      validate: { deny: { conditions: { any: [{ key: '{{ all.items }}', operator: Equals, value: [] }] } } }
    - name: s
      match: { any: [{ resources: { kinds: [ConfigMap] } }] }
      validate: { message: No data., pattern: { data: { a: '?*' } } }
`,
    'r.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }\n',
  };
  const run = (results: string) => {
    const text = `policies: [p.yaml]\nresources: [r.yaml, gone.yaml]\nresults:\n${results}`;
    const [suite] = kyvernoSuitesIn('t.yaml', text);
    return suite && runKyvernoSuite(suite, path => files[path], kube);
  };

  it('reports missing files, failures, and what is undecided', () => {
    const report = run(
      '  - { policy: p, rule: r, kind: ConfigMap, result: pass }\n  - { policy: p, rule: s, kind: ConfigMap, result: pass }',
    );
    expect(report?.problems).toEqual(['gone.yaml is not there']);
    expect(report?.rows).toMatchObject([
      { verdict: 'undecided', statuses: ['undecided'], message: 'context variable all asks for /api/v1/namespaces' },
      { verdict: 'failed', statuses: ['fail'], message: 'validation error: No data. rule s failed at path /data/' },
    ]);
  });
});

describe('a suite never passes what it does not evaluate', () => {
  const mutating = `
apiVersion: policies.kyverno.io/v1
kind: MutatingPolicy
metadata: { name: existing }
spec:
  evaluation: { mutateExisting: { enabled: true } }
  matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [secrets] }] }
  targetMatchConstraints: { expression: 'resource.get("v1", "configmaps", "prod", "c")' }
  mutations: [{ patchType: ApplyConfiguration, applyConfiguration: { expression: 'Object{metadata: Object.metadata{labels: {"a": "b"}}}' } }]
`;
  const calling = `
apiVersion: policies.kyverno.io/v1
kind: ValidatingPolicy
metadata: { name: calling }
spec:
  matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [secrets] }] }
  validations: [{ expression: 'http.Get("https://x.test/a").body.ok && globalContext.Get("g", "").size() == 1' }]
`;
  const files: Readonly<Record<string, string>> = {
    'vap.yaml':
      'apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: { name: vap }\nspec: {}\n',
    'm.yaml': mutating,
    'v.yaml': calling,
    's.yaml': 'apiVersion: v1\nkind: Secret\nmetadata: { name: s, namespace: prod }\n',
    'c.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c, namespace: prod }\n',
    'right.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c, namespace: prod, labels: { a: b } }\n',
    'wrong.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c, namespace: prod, labels: { a: c } }\n',
  };
  const rowsOf = (result: string, more = '') => {
    const text = `policies: [vap.yaml, m.yaml, v.yaml]\nresources: [s.yaml]\ntargetResources: [c.yaml]\n${more}results: [{ result: pass, ${result} }]`;
    const [suite] = kyvernoSuitesIn('t.yaml', text);
    return suite && runKyvernoSuite(suite, path => files[path], kube).rows;
  };

  it.each([
    ['policy: nobody, resources: [s]', 'failed', 'the suite has no policy nobody'],
    [
      'policy: vap, resources: [s]',
      'undecided',
      'suites of the Kyverno CLI are run here without ValidatingAdmissionPolicy',
    ],
    ['policy: calling, kind: Pod, resources: [s]', 'failed', 'the suite has no such resource'],
    [
      'policy: calling, resources: [s]',
      'undecided',
      'what https://x.test/a answers; nothing is asked over the network',
    ],
  ])('%s: %s', (result, verdict, message) => {
    expect(rowsOf(result)).toMatchObject([{ verdict, message }]);
  });

  it('mocks the calls of expressions', () => {
    const mocks = `apiCallResponses: [{ url: https://x.test/a, method: GET, response: { body: { ok: true } } }]
globalContextEntries: [{ name: g, resources: [{ a: b }] }]
`;
    expect(rowsOf('policy: calling, resources: [s]', mocks)).toMatchObject([{ verdict: 'passed', statuses: ['pass'] }]);
  });

  it('compares existing objects that a policy changes', () => {
    const target = 'policy: existing, resources: [prod/c]';
    expect(rowsOf(`${target}, patchedResources: right.yaml`)).toMatchObject([
      { verdict: 'passed', statuses: ['pass'] },
    ]);
    expect(rowsOf(`${target}, patchedResources: wrong.yaml`)).toMatchObject([
      { verdict: 'failed', message: expect.stringMatching(/^ConfigMap c is not as the suite expects it/) },
    ]);
  });
});

describe('the verb', () => {
  it.each([
    ['is no YAML', 'apiVersion: cli.kyverno.io/v1alpha1\nkind: Test\nresults: [', /^line 3: /],
    [
      'is something else',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n',
      /holds no Test of cli\.kyverno\.io/,
    ],
    ['is empty', '', /holds no Test of cli\.kyverno\.io/],
  ])('fails at a suite that %s', (_, text, message) => {
    const suites = runKyvernoSuites(new Map([['w/kyverno-test.yaml', text]]), kube, 0);
    expect(suites).toMatchObject([{ tests: [{ outcome: 'error', message: expect.stringMatching(message) }] }]);
  });

  it('lists a test for each resource of a result', () => {
    const text = readFileSync(join(folder, 'workloads/kyverno-test.yaml'), 'utf8').replace(
      'result: pass',
      'result: fail',
    );
    const beside = (name: string) => readFileSync(join(folder, 'workloads', name), 'utf8');
    const files = new Map([
      ['w/kyverno-test.yaml', text],
      ...['policies.yaml', 'resources.yaml', 'values.yaml'].map(it => [`w/${it}`, beside(it)] as const),
    ]);
    const [suite] = runKyvernoSuites(files, kube, 0);
    const bad = suite?.tests.filter(it => it.outcome !== 'pass');
    expect(bad).toEqual([
      { name: 'workloads', outcome: 'error', message: 'exceptions.yaml is not there' },
      {
        name: 'containers/memory Deployment prod/web',
        outcome: 'fail',
        message: "expected fail, but it is pass: validation rule 'autogen-memory' passed.",
      },
      {
        name: 'containers/memory Pod default/excepted',
        outcome: 'fail',
        message:
          'expected skip, but it is fail: validation error: Memory has a limit. rule memory failed at path /spec/containers/0/resources/',
      },
    ]);
    expect(suite).toMatchObject({ engine: 'kyverno', uri: 'w/kyverno-test.yaml' });
  });
});
