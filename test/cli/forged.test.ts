import { describe, expect, it } from 'vitest';
import { type Files, run } from './world';

/** Ends the line, clears the screen, reorders what follows, and looks like a line of Berth's or a command of a runner. */
const PAYLOAD =
  'x\n::error file=a::FORGED\r\nFORGED 0 problems\u2028FORGED\u001b[2J\u009b1m\u202eevil##[error]FORGED##vso[task.complete]';
const quoted = JSON.stringify(PAYLOAD);

const pod = `apiVersion: v1
kind: Pod
metadata: { name: ${quoted}, labels: { ${quoted}: ${quoted} } }
spec:
  ${quoted}: 1
  nodeName: ""
  nodeSelector: { ${quoted}: ${quoted} }
  tolerations: [{ key: ${quoted}, operator: ${quoted} }]
  containers: [{ name: ${quoted}, image: ${quoted}, resources: { requests: { cpu: ${quoted}, ${quoted}: "1" } } }]
  volumes: [{ name: ${quoted}, configMap: { name: ${quoted} } }]
`;

const scenario = `apiVersion: v1
kind: Node
metadata: { name: ${quoted} }
spec: { taints: [{ key: ${quoted}, effect: PreferNoSchedule }] }
status: { allocatable: { cpu: "4", memory: 8Gi, pods: "20" } }
---
apiVersion: v1
kind: Node
metadata: { name: n1 }
spec: { taints: [{ key: ${quoted}, value: ${quoted}, effect: NoSchedule }] }
status: { allocatable: { cpu: "4", memory: 8Gi, pods: "20" } }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${quoted}, namespace: ${quoted} }
spec:
  replicas: 3
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: app, image: nginx, resources: { requests: { cpu: "3" } } }] }
`;

const system = (more: string): string => `apiVersion: berth.dev/v1alpha1
kind: System
metadata: { name: ${quoted} }
spec:
  variables: { v: 0 }
  processes:
    - name: ${quoted}
      copies: 2
      start: ${quoted}
      steps:
        - { name: ${quoted}, from: ${quoted}, to: t, set: { v: "1 - v" } }
        - { name: never, from: "lost" }
  properties: [{ name: ${quoted}, always: "v == 0" }]
${more}`;

const files: Files = {
  'pod.yaml': pod,
  'system.yaml': system(''),
  'wrong-system.yaml': system(`  ${quoted}: 1\n`),
  'saved.bin': PAYLOAD,
  'shard.json': JSON.stringify({ contract: 1, system: PAYLOAD, shard: { number: 0, of: 1 }, error: PAYLOAD }),
  [`upgrade/gone\n::error::FORGED\u001b[2J.yaml`]: `apiVersion: flowcontrol.apiserver.k8s.io/v1beta3
kind: FlowSchema
metadata: { name: ${quoted}, namespace: ${quoted} }
spec: { ${quoted}: ${quoted} }
`,
  'scenario.yaml': scenario,
  [`bad\n::error::FORGED\u001b[2J.yaml`]: `${pod}: : :\n\u001b[2J\u202e"`,
  'cluster/scenario.yaml': scenario,
  'policy.yaml': `apiVersion: descheduler/v1alpha2
kind: DeschedulerPolicy
profiles:
- name: ${quoted}
  pluginConfig: [{ name: RemovePodsViolatingNodeTaints, args: { includePreferNoSchedule: true } }]
  plugins: { deschedule: { enabled: [RemovePodsViolatingNodeTaints] } }
`,
  'broken-policy.yaml': `apiVersion: descheduler/v1alpha2
kind: DeschedulerPolicy
profiles: [{ name: tidy, plugins: { balance: { enabled: [${quoted}] } } }]
`,
  'cluster/vpa.yaml': `apiVersion: autoscaling.k8s.io/v1
kind: VerticalPodAutoscaler
metadata: { name: ${quoted}, namespace: ${quoted} }
spec: { targetRef: { apiVersion: apps/v1, kind: Deployment, name: ${quoted} } }
status: { recommendation: { containerRecommendations: [{ containerName: ${quoted}, target: { cpu: "3" } }] } }
`,
  't.placement-test.yaml': `apiVersion: berth.dev/v1alpha1
kind: PlacementTest
metadata: { name: t }
${quoted}: 1
cluster: workspace
manifests: [${quoted}]
tests: [{ name: ${quoted}, expect: [{ fits: ${quoted} }] }]
`,
};

const STEERING = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
const OWN_COLOURS = /\u001b\[(?:\d|3\d)m/g;

async function check(argv: readonly string[], colours: 'plain' | 'colours' = 'plain'): Promise<void> {
  const { code, out, err } = await run(argv, files, pod, undefined, undefined, undefined, colours);
  expect(code, err).not.toBe(undefined);
  // A command that says nothing could not be forged.
  expect(out + err).toContain('FORGED');
  const lines = `${out}\n${err}`.split('\n');
  const shown = colours === 'colours' ? lines.map(it => it.replace(OWN_COLOURS, '')) : lines;
  expect(shown.filter(it => STEERING.test(it))).toEqual([]);
  expect(shown.filter(it => /^\s*(?:FORGED|::error file=a::)/.test(it))).toEqual([]);
  expect(shown.filter(it => /##(?:vso)?\[/.test(it))).toEqual([]);
}

describe('what manifests and paths say cannot steer a terminal or forge a line', () => {
  it.each([
    ...['text', 'json', 'sarif', 'github'].map(it => ['check', '--format', it]),
    ['check', '--format', 'text', '-'],
    ['check', '--config', PAYLOAD],
    ...['text', 'json'].flatMap(it => [
      ['place', 'scenario.yaml', '--verbose', '--format', it],
      ['place', 'scenario.yaml', '--explain', PAYLOAD, '--format', it],
      ['place', 'scenario.yaml', '--suggest', '--compare', '--format', it],
      ['what-if', 'cluster', '--descheduler', 'policy.yaml', '--format', it],
      ['what-if', 'cluster', '--descheduler', 'broken-policy.yaml', '--format', it],
      ['what-if', 'cluster', '--format', it, '--vpa'],
    ]),
    ...['text', 'json', 'junit', 'tap'].map(it => ['test', '--format', it]),
    ...['text', 'json', 'junit', 'dot', 'mermaid', 'svg'].flatMap(it => [
      ['explore', 'system.yaml', '--format', it],
      ['explore', 'wrong-system.yaml', '--format', it],
    ]),
    ...['text', 'json', 'junit'].flatMap(it => [
      ['explore', 'scenario.yaml', '--format', it],
      ['explore', 'cluster', '--format', it],
    ]),
    ['explore', 'system.yaml', '--resume', 'saved.bin'],
    ['explore', 'system.yaml', '--save', PAYLOAD, '--max-states', '1'],
    ['explore', 'shard.json', '--merge', '--format', 'json'],
    ['explore', PAYLOAD],
    ['explore', 'system.yaml', '--resume', PAYLOAD],
    ...['text', 'json', 'markdown', 'sarif'].map(it => ['upgrade', 'upgrade', '--from', '1.31', '--format', it]),
    ['upgrade', 'upgrade', '--from', PAYLOAD],
    ['completion', PAYLOAD],
    ['explain', PAYLOAD],
    ['place', PAYLOAD],
    ['check', PAYLOAD],
    ['baseline', '--output', PAYLOAD],
    [PAYLOAD],
  ])('%j', async (...argv) => check(argv));

  it.each([
    ['check'],
    ['place', 'scenario.yaml'],
    ['what-if', 'cluster', '--descheduler', 'policy.yaml'],
    ['what-if', 'cluster', '--vpa'],
  ])('in colours: %j', async (...argv) => check(argv, 'colours'));

  it('a message of SARIF holds no link of a manifest', async () => {
    const link = '[the fix](https://evil.example)';
    const manifest = `apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nspec: { "${link}": 1, containers: [{ name: c, image: "${link}" }] }\n`;
    const { out } = await run(['check', '--format', 'sarif', 'a.yaml'], { 'a.yaml': manifest });
    const texts = JSON.parse(out).runs[0].results.map((it: { message: { text: string } }) => it.message.text);
    expect(texts.join('\n')).toContain('[the fix] (https://evil.example)');
    expect(texts.filter((it: string) => it.includes(']('))).toEqual([]);
  });

  it('a path does not begin a line as a command of GitHub does', async () => {
    const name = '::error file=a.yaml::FORGED.yaml';
    const manifest = 'apiVersion: v1\nkind: Pod\nmetadata: { name: A_ } # berth-ignore apiserver/required: no\n';
    const system =
      'apiVersion: berth.dev/v1alpha1\nkind: System\nmetadata: { name: a }\nspec: { processes: [{ name: p, start: s, steps: [] }] }\n';
    const argvs = [['check'], ['check', '--show-suppressed'], ['explore', './s']];
    for (const argv of argvs) {
      const { out } = await run(argv, { [name]: manifest, [`s/${name}`]: system });
      expect(out.split('\n').filter(it => /^\s*::/.test(it))).toEqual([]);
      expect(out).toContain(argv[0] === 'check' ? `./${name}:` : name);
    }
  });

  it('shows colours of its own in every text', async () => {
    const { out } = await run(
      ['what-if', 'cluster', '--descheduler', 'policy.yaml'],
      files,
      '',
      undefined,
      undefined,
      undefined,
      'colours',
    );
    expect(out).toMatch(OWN_COLOURS);
  });
});
