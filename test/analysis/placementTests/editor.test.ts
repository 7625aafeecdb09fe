import { describe, expect, it } from 'vitest';
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
});
