import { describe, expect, it, vi } from 'vitest';
import { createPolicyEngine, PolicyStopped } from '../../server/src/policy/engine/engine';
import { engineThatAgrees } from '../support/policyEngine';
import { NOTHING_OUTSIDE, run, runIn } from './world';

const files = {
  'policy/p.rego': 'package main\ndeny contains "no" if input.kind == "Pod"\n',
  'pod.yaml':
    'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [{ name: web, image: web:1 }] }\n',
};

describe('policies, in a build without their engine', () => {
  it('are named once, and everything else is checked', async () => {
    const { code, err, out } = await run(['check', '.', '--format', 'json'], files);
    expect(err.trim()).toBe(
      'berth: The policies here (conftest) are not evaluated: this build has no policy engine. `npm run build` makes it, with Go 1.26 or newer or with a Go toolchain that it downloads.',
    );
    expect(code).toBe(0);
    const report = JSON.parse(out);
    expect(report.summary.files).toBe(2);
    expect(report.notEvaluated).toEqual([
      { policies: 'conftest', reason: expect.stringContaining('this build has no policy engine') },
    ]);
  });

  it.each([
    ['text', /nothing to say, policies not evaluated: conftest \(/],
    ['sarif', /"Policies of conftest were not evaluated: this build has no policy engine/],
    ['github', /^::warning title=policies not evaluated::conftest: this build has no policy engine/m],
  ])('are told in %s', async (format, expected) => {
    expect((await run(['check', '.', '--format', format], files)).out).toMatch(expected);
  });

  it('make the command fail where they are required', async () => {
    const { code, err, out } = await run(['check', '.', '--require', 'policies', '--format', 'json'], files);
    expect(code).toBe(2);
    expect(err).toContain('--require policies: some policies were not evaluated. conftest: this build has no');
    expect(JSON.parse(out).error).toContain('--require policies');
    const { 'pod.yaml': pod } = files;
    expect((await run(['check', '.', '--require', 'policies'], { 'pod.yaml': pod })).code).toBe(0);
    expect((await run(['check', '.', '--require', 'nonsense'], files)).err).toContain('is not one of: policies');
  });

  it.each([
    [
      'of an admission policy',
      'apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\n',
      [],
      1,
    ],
    ['of Gatekeeper', 'apiVersion: templates.gatekeeper.sh/v1\nkind: ConstraintTemplate\n', [], 1],
    ['of Kyverno, which need no engine', 'apiVersion: kyverno.io/v1\nkind: ClusterPolicy\n', [], 0],
    [
      'that nobody asks for',
      'apiVersion: templates.gatekeeper.sh/v1\nkind: ConstraintTemplate\n',
      ['--only', 'placement'],
      0,
    ],
  ] as const)('have their engine start while files are read: %s', async (_, text, args, starts) => {
    const { engine } = engineThatAgrees();
    const started = vi.fn();
    const world = { ...NOTHING_OUTSIDE, policyEngine: { ...engine, start: started } };
    await runIn(world, ['check', '.', ...args], { 'policy.yaml': text }, '');
    expect(started).toHaveBeenCalledTimes(starts);
  });

  it('are told when their engine fails while it is asked', async () => {
    const failing = createPolicyEngine({
      isBuilt: () => true,
      start: () => {
        throw new Error('it cannot start');
      },
      release: () => undefined,
    });
    const world = { ...NOTHING_OUTSIDE, policyEngine: failing };
    const { code, out } = await runIn(world, ['check', '.', '--require', 'policies', '--format', 'json'], files, '');
    expect(JSON.parse(out).notEvaluated).toEqual([{ policies: 'conftest', reason: 'it cannot start' }]);
    expect(code).toBe(2);
  });

  it('are no bug of Berth when the engine does not finish', async () => {
    const policyEngine = {
      isBuilt: () => true,
      start: () => undefined,
      call: async () => {
        throw new PolicyStopped('it took longer than 30000 ms');
      },
      generation: () => 0,
      dispose: () => undefined,
    };
    const policy = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: replicas }
spec:
  matchConstraints: { resourceRules: [{ apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments] }] }
  validations: [{ expression: object.spec.replicas > 1 }]
`;
    const { err, out } = await runIn({ ...NOTHING_OUTSIDE, policyEngine }, ['check', '.'], { 'p.yaml': policy }, '');
    expect(err).toBe('berth: policies of vap were stopped: it took longer than 30000 ms.\n');
    expect(out).toContain('policies not evaluated: vap');
  });

  it('are not mentioned where there are none, or where nobody asks for them', async () => {
    const { 'pod.yaml': pod } = files;
    expect((await run(['check', '.'], { 'pod.yaml': pod })).err).toBe('');
    expect((await run(['check', '.', '--only', 'apiserver'], files)).err).toBe('');
  });

  it('cannot be tested', async () => {
    const { code, err, out } = await run(['policy', 'test', '--format', 'json'], files);
    expect(code).toBe(2);
    expect(err).toContain('This build has no policy engine');
    expect(JSON.parse(out)).toMatchObject({ contract: 1, suites: [], error: expect.any(String) });
  });
});

it('tests of policies are not run without a file that cannot be read', async () => {
  const { code, err } = await run(['policy', 'test'], { 'a/kyverno-test.yaml': { trouble: 'denied' } });
  expect([code, err]).toEqual([2, 'berth: a/kyverno-test.yaml: The file cannot be read: permission denied.\n']);
});

it('tests of policies that are not there are missed', async () => {
  const { 'pod.yaml': pod } = files;
  const policyEngine = createPolicyEngine({
    isBuilt: () => true,
    start: () => {
      throw new Error('nothing is to be asked');
    },
    release: () => undefined,
  });
  const world = { ...NOTHING_OUTSIDE, policyEngine };
  const { code, err } = await runIn(world, ['policy', 'test', 'a'], { 'a/pod.yaml': pod }, '');
  expect(code).toBe(2);
  expect(err).toMatch(/^berth: There is no test of policies in a: neither a kyverno-test\.yaml, /);
});

it('a code of a policy is explained by where it comes from', async () => {
  const { code, out } = await run(['explain', 'vap/replicas']);
  expect(code).toBe(0);
  expect(out).toContain('ValidatingAdmissionPolicy');
});
