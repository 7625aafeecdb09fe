import { describe, expect, it } from 'vitest';
import { analysisOf } from './analyse';
import { deployment, TWO_ZONES } from './twoZones';

const uri = 'file:///ws/all.yaml';
const preview = (text: string) => analysisOf({ [uri]: TWO_ZONES + text }).preview({ uri, offset: 0 });
const workload = (
  name: string,
  replicas: number,
  { namespace = 'default', more = '' } = {},
): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: ${namespace} }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec: { containers: [{ name: main, image: nginx, resources: { requests: { cpu: "1" }${more} } }] }
---
`;

describe('Pods that are refused', () => {
  it('are none where everything comes into the cluster', () => {
    expect(preview(deployment('web', 2, '1')).refused).toEqual([]);
  });

  it('are those of an object that the API server refuses, and take no room', () => {
    const model = preview(workload('bad', 3, { more: ', limits: { cpu: 500m }' }) + workload('good', 1));
    expect(model.refused).toMatchObject(
      [
        {
          owner: 'Deployment/bad',
          pods: 3,
          by: 'apiServer',
          reason: /must be less than or equal to cpu limit of 500m/,
        },
      ].map(it => ({ ...it, reason: expect.stringMatching(it.reason) })),
    );
    expect(model.refused[0]?.source?.uri).toBe(uri);
    expect(model.pods.map(it => it.owner)).toEqual(['Deployment/good']);
    const used = model.nodes.flatMap(it => it.resources).filter(it => it.name === 'cpu');
    expect(used.reduce((sum, it) => sum + it.placed, 0)).toBe(1000);
  });

  it('take no room in lenses, hovers and problems either', () => {
    const text = TWO_ZONES + workload('bad', 20, { more: ', limits: { cpu: 500m }' }) + workload('good', 3);
    const analysis = analysisOf({ [uri]: text });
    const titles = analysis.codeLenses(uri).map(it => it.title);
    expect(titles[0]).toMatch(/^refused by the API server: /);
    expect(titles[1]).toMatch(/^3 Pods land on /);
    const hoverOf = (words: string): string | undefined => analysis.hover(uri, text.indexOf(words) + 6)?.markdown;
    expect(hoverOf('name: bad')).toContain('must be less than or equal to cpu limit of 500m');
    expect(hoverOf('name: good')).toContain('3 Pods land on');
    const codes = analysis.diagnostics(uri).map(it => it.code);
    expect(codes.filter(it => it.startsWith('placement/'))).toEqual([]);
    expect(codes).toContain('apiserver/refused');
  });

  it('come back as soon as what is missing is written', () => {
    const typed = `apiVersion: v1\nkind: Pod\nmetadata: { name: typed }\nspec: { containers: [{ name: c }] }\n`;
    const titleOf = (text: string): string | undefined =>
      analysisOf({ [uri]: TWO_ZONES + text }).codeLenses(uri)[0]?.title;
    expect(titleOf(typed)).toBe('refused by the API server: this container has no "image"');
    expect(titleOf(typed.replace('{ name: c }', '{ name: c, image: nginx }'))).toMatch(/^lands on /);
  });

  it('are all that a quota does not admit, with the words of the quota', () => {
    const quota = `apiVersion: v1
kind: ResourceQuota
metadata: { name: small }
spec: { hard: { pods: "2" } }
---
`;
    const model = preview(quota + workload('web', 5));
    expect(model.refused).toMatchObject([{ id: 'default/web-3', owner: 'Deployment/web', pods: 3, by: 'quota' }]);
    expect(model.refused[0]?.reason).toMatch(
      /^exceeded quota: small, requested: pods=1, used: pods=2, limited: pods=2/,
    );
    expect(model.refused[0]?.message).toMatch(/^Error creating: pods "web-.*" is forbidden: exceeded quota/);
    expect(model.pods).toHaveLength(2);
    expect(model.notes).toEqual([]);
  });

  it('are those that Pod Security does not let in', () => {
    const namespace = `apiVersion: v1
kind: Namespace
metadata: { name: safe, labels: { pod-security.kubernetes.io/enforce: restricted } }
---
`;
    const model = preview(namespace + workload('web', 2, { namespace: 'safe' }));
    expect(model.refused).toMatchObject([{ namespace: 'safe', owner: 'Deployment/web', pods: 2, by: 'podSecurity' }]);
    expect(model.refused[0]?.message).toMatch(
      /^violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false/,
    );
    expect(model.pods).toEqual([]);
  });

  it('stay out of what is tried, and of how it differs', () => {
    const analysis = analysisOf({
      [uri]: TWO_ZONES + workload('bad', 3, { more: ', limits: { cpu: 500m }' }) + workload('good', 1),
    });
    const model = analysis.preview({ uri, offset: 0, whatIf: { changes: [{ do: 'scaleBy', factor: 2 }] } });
    expect(model.tried?.difference).toMatchObject({
      placed: [expect.stringContaining('good')],
      removed: [],
      pending: [],
    });
    expect(model.refused).toMatchObject([{ pods: 3 }]);
  });

  it('can be chosen by the cursor', () => {
    const model = preview(workload('bad', 1, { more: ', limits: { cpu: 500m }' }));
    const text = TWO_ZONES + workload('bad', 1, { more: ', limits: { cpu: 500m }' });
    const chosen = analysisOf({ [uri]: text }).preview({ uri, offset: text.indexOf('name: bad') }).chosen;
    expect(chosen).toBe(model.refused[0]?.id);
  });
});
