import { describe, expect, it } from 'vitest';
import { runToEnd } from '../../../server/src/base/steps';
import { analysisOf } from '../analyse';
import { labelsIn } from '../completing';

const uri = 'file:///ws/web.placement-test.yaml';

describe('a file of placement tests in the editor', () => {
  it('has its mistakes underlined, and none of those of manifests', () => {
    const text = `apiVersion: berth.dev/v1alpha1
kind: PlacementTest
tests:
  - name: it
    expect:
      - scheduld: all
`;
    const told = analysisOf({ [uri]: text })
      .diagnostics(uri)
      .map(it => `${it.code} ${text.slice(it.span.start, it.span.end)}: ${it.message}`);
    expect(told).toEqual([
      'berth/placement-test scheduld: tests[0].expect[0] has no field "scheduld"; did you mean "scheduled"?',
    ]);
  });

  it('is completed and explained as a kind of Kubernetes is', () => {
    const text = `apiVersion: berth.dev/v1alpha1
kind: PlacementTest
tests:
  - name: it
    changes:
      - |
`;
    const labels = labelsIn(text, { uri });
    expect(labels).toContain('nodeDown');
    expect(labels).toContain('drain');
    const hover = analysisOf({ [uri]: text.replace('|', '') }).hover(uri, text.indexOf('changes') + 2);
    expect(hover?.markdown).toContain('What happens to the cluster first');
  });

  const kindUri = 'file:///ws/kind.yaml';
  const kind = `kind: Cluster
apiVersion: kind.x-k8s.io/v1alpha4
nodes: [{ role: control-plane, image: kindest/node:v1.33.4 }, { role: worker, image: kindest/node:v1.33.4 }]
`;
  // Served from 1.34 on.
  const deviceClass = `apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: { name: gpu }
`;
  const testOf = (head: string) => `apiVersion: berth.dev/v1alpha1
kind: PlacementTest
${head}manifests: [class.yaml]
tests:
  - name: it
    expect:
      - refused: { object: DeviceClass/gpu, code: decode/unknown-kind }
`;
  const failuresOf = async (head: string, kubernetesVersion?: string) => {
    const files = { [uri]: testOf(head), [kindUri]: kind, 'file:///ws/class.yaml': deviceClass };
    const analysis = analysisOf(files, kubernetesVersion === undefined ? {} : { kubernetesVersion });
    const { results, problem } = await analysis.runPlacementTests(uri, { finish: runToEnd, isOver: () => false });
    return { problem, failures: results.flatMap(it => it.failures.length), notes: results.flatMap(it => it.notes) };
  };
  const refused = { problem: undefined, failures: [0], notes: [] };
  const accepted = { problem: undefined, failures: [1], notes: [] };

  it('follows the version of its cluster, as the command line does', async () => {
    expect(await failuresOf('')).toEqual(accepted);
    expect(await failuresOf('cluster: kind:kind.yaml\n')).toEqual(refused);
    expect(await failuresOf('cluster: kind:kind.yaml\n', '1.36')).toEqual(refused);
  });

  it('has a version of its own above that of its cluster, and that of the workspace below', async () => {
    expect(await failuresOf('cluster: kind:kind.yaml\nkubernetesVersion: "1.36"\n')).toEqual(accepted);
    expect(await failuresOf('', '1.33')).toEqual(refused);
  });

  it('says that its version is not known', async () => {
    expect(await failuresOf('kubernetesVersion: "1.36.99"\n')).toMatchObject({
      notes: ['Kubernetes 1.36.99 is newer than the patch releases that Berth knows; it counts as 1.36.4.'],
    });
    expect((await failuresOf('kubernetesVersion: "1.99"\n')).problem).toContain('1.99');
  });
});
