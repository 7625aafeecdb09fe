import { expect, it } from 'vitest';
import { sizedFor } from '../support/thorough';
import { describeWithOwnEngine, evaluated, withShortLimits, withSteps } from './withEngine';

const pod = 'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [{ name: web, image: web:1 }] }\n';
const rego = (body: string) => `package main\n\n${body}\n`;

const template = (name: string, code: string) => `
apiVersion: templates.gatekeeper.sh/v1
kind: ConstraintTemplate
metadata: { name: ${name.toLowerCase()} }
spec:
  crd: { spec: { names: { kind: ${name} } } }
  targets:
    - target: admission.k8s.gatekeeper.sh
      rego: |
        package ${name.toLowerCase()}
        ${code}
---
apiVersion: constraints.gatekeeper.sh/v1beta1
kind: ${name}
metadata: { name: all }
spec: { match: { kinds: [{ apiGroups: [""], kinds: [Pod] }] } }
`;

/** Berth's limit of a rule of Conftest. */
const MOST_STEPS = 300_000;

const endless = (a = 'numbers.range(1, 4000)[_]') => `x := ${a}; y := ${a}; x * y == -1`;

describeWithOwnEngine('A hostile policy', engine => {
  const conftest = (body: string, asked = engine) => evaluated(asked, { 'policy/p.rego': rego(body), 'pod.yaml': pod });

  it('that never ends is stopped at its rule, and the next one is evaluated', async () => {
    // 300,000 steps take a second and more.
    const most = sizedFor({ thorough: MOST_STEPS, quick: MOST_STEPS / 20 });
    const { engine: bounded, steps } = withSteps(engine, most);
    const { reported } = await conftest(`deny contains "x" if { ${endless()} }`, bounded);
    expect(reported).toEqual([
      expect.stringMatching(
        new RegExp(`^policy/p\\.rego:3:1 «deny .*» error conftest/deny .*the policy took more than ${most} steps$`),
      ),
    ]);
    expect(new Set(steps)).toEqual(new Set([MOST_STEPS]));
    expect((await conftest('deny contains "no Pods"')).reported).toEqual([
      expect.stringContaining('error conftest/deny no Pods'),
    ]);
  });

  it('that calls itself does not compile', async () => {
    const { reported } = await conftest('deny contains x if { some x in again(1) }\nagain(n) := again(n + 1)');
    expect(reported).toEqual([
      expect.stringMatching(/^policy\/p\.rego:4:1 .*rego_recursion_error: rule data\.main\.again is recursive/),
    ]);
  });

  it.each([
    ['http.send({"method": "get", "url": "http://example.org"})', 'http.send'],
    ['net.lookup_ip_addr("example.org")', 'net.lookup_ip_addr'],
    ['opa.runtime().env', 'opa.runtime'],
  ])('that would use %s to reach outside does not compile', async (call, name) => {
    const { reported } = await conftest(`deny contains x if { x := ${call} }`);
    expect(reported).toEqual([
      `policy/p.rego:3:27 «${name}» error conftest/rego_type_error rego_type_error: undefined function ${name}`,
    ]);
  });

  it('with a regular expression that backtracks elsewhere takes linear time', async () => {
    const long = pod.replace('name: web,', `name: ${'a'.repeat(5000)}!,`);
    const files = {
      'policy/p.rego': rego('deny contains "x" if regex.match("^(a+)+$", input.spec.containers[0].name)'),
    };
    expect((await evaluated(engine, { ...files, 'pod.yaml': long })).reported).toEqual([]);
  });

  it('that allocates gigabytes is stopped, and the engine starts again', async () => {
    const body =
      'deny contains x if { a := numbers.range(1, 2000000); b := [s | some i in a; s := sprintf("%0500d", [i])]; x := concat("", b) }';
    const { reported } = await conftest(body);
    expect(reported).toHaveLength(1);
    expect(reported[0]).toMatch(/^policy\/p\.rego:\d+:\d+ .* error conftest\//);
    expect(await engine.call({ op: 'version' })).toHaveProperty('versions');
  });

  it('with endless messages is cut short', async () => {
    const many = await conftest('deny contains x if { some i in numbers.range(1, 3000); x := sprintf("no %d", [i]) }');
    expect(many.reported).toHaveLength(501);
    expect(many.reported.some(it => it.endsWith('… and 2500 more'))).toBe(true);
    const { reported } = await conftest('deny contains sprintf("%0100000d", [1])');
    expect(reported).toHaveLength(1);
    expect(reported[0]?.length).toBeLessThan(4_300);
  });

  it('of Gatekeeper is found among others, reported at its template, and not evaluated again', async () => {
    const hot = template('Hot', `violation[{"msg": "x"}] { ${endless()} }`);
    const cold = template('Cold', 'violation[{"msg": "no Pods here"}] { input.review.object.kind == "Pod" }');
    const { reported } = await evaluated(withShortLimits(engine).engine, {
      'hot.yaml': hot,
      'cold.yaml': cold,
      'pod.yaml': pod,
    });
    expect(reported.map(it => it.replace(/:\d+:\d+ «.*?»/, ''))).toEqual([
      'hot.yaml error gatekeeper/Hot This policy was stopped and is no longer asked for the constraint all: it took longer than 300 ms.',
      'pod.yaml error gatekeeper/Cold no Pods here (constraint all)',
    ]);
  });

  it('in a template that would reach outside is reported at the call', async () => {
    const sending = template('Sends', 'violation[{"msg": m}] { m := http.send({"method": "get", "url": "http://x"}) }');
    const { reported } = await evaluated(engine, { 'sends.yaml': sending, 'pod.yaml': pod });
    expect(reported[0]).toMatch(
      /^sends\.yaml:11:38 «http\.send» error gatekeeper\/sends .*undefined function http\.send/,
    );
  });

  it('delays the calls of others, but does not lose them', async () => {
    const { handle } = (await engine.call({
      op: 'compileRego',
      modules: { 'p.rego': rego(`deny contains "x" if { ${endless()} }`) },
    })) as { readonly handle: number };
    const slow = engine.call(
      { op: 'evalRego', handle, query: 'value = data.main.deny', input: {}, limits: { maxSteps: 1e12 } },
      { milliseconds: 200, grace: 2_000 },
    );
    const next = engine.call({ op: 'version' });
    expect(await slow).toMatchObject({ errors: [{ message: 'the evaluation was cancelled' }] });
    expect(await next).toHaveProperty('versions');
  });
});
