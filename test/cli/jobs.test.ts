import { describe, expect, it } from 'vitest';
import { type Files, NOTHING_OUTSIDE, run, runIn } from './world';

/** Text that is worth a thread and costs little to read. */
const PADDING = `# ${'x'.repeat(120_000)}\n`;

const deployment = (name: string, more = ''): string => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
spec:
  replicas: ${name.length % 2 === 0 ? '2' : '-2'}
  selector:
    matchLabels: { app: ${name} }
  template:
    metadata:
      labels: { app: ${name} }
    spec:
      containers:
        - name: main
          image: nginx:1.27
          envFrom:
            - configMapRef: { name: ${name}-settings }
${more}`;

const service = (name: string, app: string): string => `apiVersion: v1
kind: Service
metadata:
  name: ${name}
spec:
  selector: { app: ${app} }
  ports: [{ port: 80 }]
`;

const configMap = (name: string): string => `apiVersion: v1
kind: ConfigMap
metadata: { name: ${name}-settings }
`;

/** References across files, some to nothing, the same object twice, broken files, and silenced problems. */
const SHOP: Files = Object.fromEntries(
  Array.from({ length: 16 }, (_, i): readonly (readonly [string, string | Uint8Array])[] => [
    [`shop/${i}.yaml`, deployment(`app${i}`, i % 5 === 0 ? '          imagePulPolicy: Always\n' : '') + PADDING],
    [`shop/${i}-service.yaml`, service(`app${i % 7}`, `app${i + 3}`)],
    ...(i % 3 === 0 ? [[`shop/${i}-settings.yaml`, configMap(`app${i}`)] as const] : []),
    ...(i % 6 === 0 ? [[`shop/${i}-broken.yaml`, `kind: [Service\n  a: b\n`] as const] : []),
    ...(i % 8 === 0 ? [[`shop/${i}-latin.yaml`, new Uint8Array([0x61, 0x3a, 0x20, 0xe9, 0x0a])] as const] : []),
    ...(i % 9 === 0
      ? [
          [
            `shop/${i}-silent.yaml`,
            `# berth-ignore-file references/config-map-missing: made later\n${deployment(`b${i}`)}`,
          ] as const,
        ]
      : []),
  ]).flat(),
);

const ENVIRONMENTS: Files = {
  ...SHOP,
  'berth.yaml': `environments:
  test: { paths: [shop/*.yaml], kubernetesVersion: "1.34" }
  production: { paths: [shop/*-service.yaml, shop/1*.yaml], severity: { references/config-map-missing: error } }
rules:
  - name: small
    at: spec.replicas
    expression: object.kind != 'Deployment' || object.spec.replicas > 0
`,
};

/** What is said with so many jobs, which must start one thread less. */
async function told(jobs: number, argv: readonly string[], files: Files, end?: 'end early'): Promise<string> {
  const all = [...argv, '--jobs', String(jobs)];
  const { code, out, err, threads } = await runIn({ ...NOTHING_OUTSIDE, ...(end && { threads: end }) }, all, files, '');
  expect(threads).toBe(jobs - 1);
  return `${code}\n${err}\n${out}`;
}

describe('berth check --jobs', () => {
  it.each([
    ['text', SHOP, [2, 3]],
    ['json', SHOP, [3]],
    ['sarif', SHOP, [2]],
    ['github', ENVIRONMENTS, [3]],
    ['json', ENVIRONMENTS, [2]],
  ])('says the same in the same order with any number of threads, as %s', async (format, files, jobs) => {
    const check = ['check', '--format', format, '--show-suppressed', 'shop'];
    const alone = await told(1, check, files);
    expect(alone.startsWith('1\n')).toBe(true);
    expect(alone).toMatch(/app1-settings/);
    for (const it of jobs) expect(await told(it, check, files)).toBe(alone);
  });

  it('follows the flags in every thread', async () => {
    const flags = ['--kubernetes-version', '1.31', '--pod-security', 'restricted', '--only', 'apiserver,reference'];
    const check = ['check', '--format', 'json', ...flags, '--shard', '2/2', 'shop'];
    expect(await told(2, check, SHOP)).toBe(await told(1, check, SHOP));
  });

  it('finds what a thread that ended early took', async () => {
    const check = ['check', '--format', 'json', 'shop'];
    expect(await told(2, check, SHOP, 'end early')).toBe(await told(1, check, SHOP));
  });

  it.each([
    [
      'policies',
      {
        'shop/policy.yaml':
          'apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nmetadata: { name: p }\nspec: { rules: [] }\n',
      },
    ],
    ['Nodes', { 'shop/node.yaml': 'apiVersion: v1\nkind: Node\nmetadata: { name: n }\n' }],
  ])('starts no thread where there are %s', async (_, more: Files) => {
    const { threads, code } = await run(['check', '--jobs', '4', 'shop'], { ...SHOP, ...more });
    expect({ threads, code }).toEqual({ threads: 0, code: 1 });
  });
});
