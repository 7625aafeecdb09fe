import { describe, expect, it } from 'vitest';
import { type Files, run } from './world';

const CODE = 'known-issue/env-dollar-multibyte-invalid-utf8';
const pod = (comment = ''): string => `apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  containers:
    - name: web
      image: nginx
      ${comment}args: ["5$é"]
`;
const node = (name: string, kubelet: string): string => `apiVersion: v1
kind: Node
metadata: { name: ${name} }
status: { nodeInfo: { kubeletVersion: ${kubelet} } }
`;

async function told(files: Files, ...args: readonly string[]): Promise<readonly string[]> {
  const { out } = await run(['check', '--only', 'known-issue', '--format', 'json', ...args, '.'], files);
  const { problems } = JSON.parse(out) as {
    readonly problems: readonly { readonly code: string; readonly severity: string; readonly message: string }[];
  };
  return problems.map(({ code, severity, message }) => `${severity} ${code} ${/\((.*?);/.exec(message)?.[1] ?? ''}`);
}

describe('a known issue', () => {
  it.each([
    ['v1.34.3-gke.1200', [`warning ${CODE} kubelet 1.34.3`]],
    ['1.34.4', []],
    ['1.34', []],
    ['1.33', [`warning ${CODE} kubelet 1.33.13`]],
    ['1.33.999', [`warning ${CODE} kubelet 1.33.13`]],
  ])('is told by the patch release: %s', async (version, problems) => {
    expect(await told({ 'pod.yaml': pod() }, '--kubernetes-version', version)).toEqual(problems);
  });

  it('of the kubelet follows the nodes, where they tell what they run', async () => {
    const at = (version: string, ...nodes: readonly string[]) =>
      told({ 'pod.yaml': pod(), 'nodes.yaml': nodes.join('---\n') }, '--kubernetes-version', version);
    const mixed = [node('a', 'v1.34.3'), node('b', 'v1.36.1+k3s1'), node('c', 'v1.33.4-eks-abc')];
    expect(await at('1.37', ...mixed)).toEqual([`warning ${CODE} kubelet 1.34.3, 1.33.4`]);
    expect(await at('1.34.3', node('a', 'v1.36.1'))).toEqual([]);
    expect(await at('1.34.3', node('a', '""'))).toEqual([`warning ${CODE} kubelet 1.34.3`]);
  });

  it('of the kubelet follows the nodes of the cluster that is chosen', async () => {
    const files = {
      'pod.yaml': pod(),
      'kind.yaml':
        'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nnodes: [{ role: control-plane, image: "kindest/node:v1.34.3" }]\n',
    };
    expect(await told(files, '--cluster', 'kind:kind.yaml')).toEqual([`warning ${CODE} kubelet 1.34.3`]);
  });

  it('of the control plane follows the cluster that is chosen, unless a patch release is named', async () => {
    const image = (version: string) => ({
      'pod.yaml': pod().replace('args: ["5$é"]', 'lifecycle: { postStart: { sleep: { seconds: 1 } } }'),
      'kind.yaml': `kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nnodes: [{ role: control-plane, image: "kindest/node:${version}" }]\n`,
    });
    const told132 = ['warning known-issue/poststart-sleep-nil-panic kube-apiserver 1.32.2'];
    const at = (version: string, files: Files) =>
      told(files, '--cluster', 'kind:kind.yaml', '--kubernetes-version', version);
    expect(await at('1.32', image('v1.32.2'))).toEqual(told132);
    expect(await at('1.32', image('v1.32.3'))).toEqual([]);
    expect(await at('1.32.2', image('v1.32.3'))).toEqual(told132);
    expect(await at('1.33', image('v1.32.2'))).toEqual([]);
  });

  it('is silenced and graded as any other problem', async () => {
    const version = ['--kubernetes-version', '1.34.3'];
    const ignored = `# berth-ignore ${CODE}: the cluster is upgraded first\n      `;
    expect(await told({ 'pod.yaml': pod(ignored) }, ...version)).toEqual([]);
    const graded = (severity: string) =>
      told({ 'pod.yaml': pod(), 'berth.yaml': `severity: { ${CODE}: ${severity} }\n` }, ...version);
    expect(await graded('error')).toEqual([`error ${CODE} kubelet 1.34.3`]);
    expect(await graded('off')).toEqual([]);
  });

  it('is explained with its releases and links', async () => {
    const { code, out } = await run(['explain', CODE], {});
    expect(code).toBe(0);
    expect(out).toContain('Affected: kubelet up to 1.34.3, 1.35.0');
    expect(out).toContain('https://github.com/kubernetes/kubernetes/issues/136323');
  });
});
