import { expect, it } from 'vitest';
import { runPolicyTests } from '../../server/src/analysis/policyTests';
import { iterateToEnd } from '../../server/src/base/asyncIterables';
import { sizedFor } from '../support/thorough';
import { describeWithOwnEngine, evaluated, reportedBy, withShortLimits } from './withEngine';

const pod = 'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\n';

type Hostile = readonly [name: string, body: string, reason: RegExp];

const GRAPH =
  'g := {n: [m | m := numbers.range(1, 40)[_]; m > n] | n := numbers.range(1, 40)[_]}; count(graph.reachable_paths(g, {1})) > 0';

/** Rego that would use all memory or time within one step. */
const DOUBLING: Hostile = [
  'a text that doubles',
  `s0 := "0123456789abcdef"; ${Array.from({ length: 36 }, (_, i) => `s${i + 1} := concat("", [s${i}, s${i}])`).join('; ')}; count(s36) > 0`,
  /memory|longer than/,
];
const WAYS: Hostile = ['all ways through a graph', GRAPH, /memory|longer than/];
/** Asked of Gatekeeper, whose engine evaluates Rego as that of Conftest does. */
const UNCOUNTED: readonly Hostile[] = sizedFor({ thorough: [DOUBLING, WAYS], quick: [WAYS] });

const HOSTILE: readonly Hostile[] = [
  [
    'comprehensions within comprehensions',
    'x := [[a, b, c] | a := numbers.range(1, 900)[_]; b := numbers.range(1, 900)[_]; c := numbers.range(1, 900)[_]]; count(x) > 0',
    /300000 steps|longer than|memory/,
  ],
  ['all addresses of a network', 'count(net.cidr_expand("0.0.0.0/0")) > 0', /300000 steps|memory|longer than/],
  DOUBLING,
];

describeWithOwnEngine('Rego that never ends', patient => {
  it.each(HOSTILE)('in Conftest is told at its rule, which is asked no more: %s', async (_, body, reason) => {
    const { engine, calls } = withShortLimits(patient);
    const policy = `package main\n\ndeny contains "x" if { ${body} }\n`;
    const { reported, host } = await evaluated(engine, { 'policy/p.rego': policy, 'pod.yaml': pod });
    expect(reported).toEqual([expect.stringMatching(/^policy\/p\.rego:3:1 «deny .*» error conftest\/deny /)]);
    expect(reported[0]).toMatch(reason);
    const before = calls.length;
    host.apply({ files: [{ uri: 'pod.yaml', text: pod.replace('web', 'db') }] });
    await iterateToEnd(host.evaluatePolicies([]));
    expect(reportedBy(host)).toEqual(reported);
    expect(calls.slice(before)).toEqual([]);
  });

  it('in Conftest does not affect the next rule: all ways through a graph', async () => {
    const policy = `package main\n\nwarn contains "w"\n\ndeny contains "x" if { ${GRAPH} }\n`;
    const { reported } = await evaluated(withShortLimits(patient).engine, {
      'policy/p.rego': policy,
      'pod.yaml': pod,
    });
    expect(reported).toEqual([
      'pod.yaml:2:7 «Pod» warning conftest/warn w',
      expect.stringMatching(
        /^policy\/p\.rego:5:1 «deny .*» error conftest\/deny .*no longer asked.*(?:memory|longer than)/,
      ),
    ]);
  });

  it.each(UNCOUNTED)('in a template of Gatekeeper is told there: %s', async (_, body, reason) => {
    const template = `apiVersion: templates.gatekeeper.sh/v1
kind: ConstraintTemplate
metadata: { name: hot }
spec:
  crd: { spec: { names: { kind: Hot } } }
  targets:
    - target: admission.k8s.gatekeeper.sh
      rego: |
        package hot
        violation[{"msg": "x"}] { ${body} }
---
apiVersion: constraints.gatekeeper.sh/v1beta1
kind: Hot
metadata: { name: all }
spec: { match: { kinds: [{ apiGroups: [""], kinds: [Pod] }] } }
`;
    const { engine, calls } = withShortLimits(patient);
    const { reported } = await evaluated(engine, { 'hot.yaml': template, 'pod.yaml': pod });
    // With no constraint left, the engine is not started again.
    expect(calls).toEqual(['loadGatekeeper', 'reviewGatekeeper']);
    expect(reported).toEqual([expect.stringMatching(/^hot\.yaml:\d+:\d+ .* error gatekeeper\/Hot /)]);
    expect(reported[0]).toMatch(reason);
  });

  it("has Conftest's functions only in Conftest", async () => {
    const template = `apiVersion: templates.gatekeeper.sh/v1
kind: ConstraintTemplate
metadata: { name: reads }
spec:
  crd: { spec: { names: { kind: Reads } } }
  targets:
    - target: admission.k8s.gatekeeper.sh
      rego: |
        package reads
        violation[{"msg": "x"}] { parse_config_file("/etc/hosts.yaml") }
`;
    const { reported } = await evaluated(patient, { 'reads.yaml': template, 'pod.yaml': pod });
    expect(reported[0]).toMatch(/^reads\.yaml:10:\d+ «parse_config_file» error .*undefined function parse_config_file/);
  });

  it('in a test of Rego is reported as an error', async () => {
    const files = new Map([
      ['policy/p.rego', 'package main\ndeny contains "x" if input.x\n'],
      ['policy/p_test.rego', `package main\ntest_endless if { ${GRAPH} }\n`],
    ]);
    const [suite] = await runPolicyTests(files, withShortLimits(patient).engine);
    expect(suite?.tests.map(it => it.outcome)).toEqual(['error']);
    expect(suite?.tests[0]?.message).toMatch(/memory|longer than/);
  });

  it('can read no file, whatever path it uses', async () => {
    const policy = `package main
deny contains "read" if parse_config_file("/etc/passwd")
deny_proc contains "read" if parse_config_file("../../../../proc/self/environ.json")
deny_all contains "read" if parse_combined_config_files(["/etc/hosts.yaml"])
`;
    const { reported } = await evaluated(patient, { 'policy/p.rego': policy, 'pod.yaml': pod });
    expect(reported.filter(it => it.includes(' error '))).toEqual([]);
    expect(reported.filter(it => it.includes('conftest/reads-files')).length).toBe(2);
  });
});
