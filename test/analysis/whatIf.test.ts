import { describe, expect, it } from 'vitest';
import type { Analysis } from '../../server/src/analysis/analysis';
import type { Steps } from '../../server/src/base/steps';
import { applyEdits } from '../../server/src/text/span';
import { analysisOf } from './analyse';

const uri = 'file:///ws/web.yaml';

const NODES = `apiVersion: v1
kind: Node
metadata: { name: n1, labels: { disk: ssd } }
spec: { taints: [{ key: dedicated, value: gpu, effect: NoSchedule }] }
status: { allocatable: { cpu: "4", memory: 8Gi, pods: "10" } }
---
apiVersion: v1
kind: Node
metadata: { name: n2, labels: { disk: hdd } }
status: { allocatable: { cpu: "2", memory: 4Gi, pods: "10" } }
`;

const DEPLOYMENT = `# The shop.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - name: web
          image: web:1
          resources:
            requests:
              cpu: "3" # measured in May
`;

const ask = (text: string): Analysis => analysisOf({ 'file:///ws/nodes.yaml': NODES, [uri]: text });
const at = (text: string, what: string) => ({ uri, offset: text.indexOf(what) });

function countSteps(steps: Steps<undefined>): number {
  let count = 0;
  while (!steps.next().done) count += 1;
  return count;
}

describe('quick fixes of a workload whose Pods find no node', () => {
  it('are there in one of several environments, too', () => {
    const files = {
      'file:///ws/a/nodes.yaml': NODES,
      'file:///ws/a/web.yaml': DEPLOYMENT,
      'file:///ws/b/web.yaml': DEPLOYMENT,
    };
    const configuration = { 'file:///ws/berth.yaml': 'environments: { a: { paths: [a] }, b: { paths: [b] } }\n' };
    const apart = analysisOf({ ...files, ...configuration }, {}, [{ uri: 'file:///ws' }]);
    const titles = apart.fixes('file:///ws/a/web.yaml', { start: 0, end: DEPLOYMENT.length }).map(it => it.fix.title);
    expect(titles).toContain('Request 2 cpu instead of 3 (container web): the Pod lands on n2');
  });

  it('change the file whose Pods find no node, and not one of the same name beside other nodes', () => {
    const own = 'file:///ws/b/web.yaml';
    const beside = analysisOf({
      'file:///ws/a/nodes.yaml': NODES,
      'file:///ws/a/web.yaml': DEPLOYMENT,
      'file:///ws/b/nodes.yaml': NODES,
      [own]: DEPLOYMENT,
    });
    const fixes = beside.fixes(own, { start: 0, end: DEPLOYMENT.length }).map(it => it.fix);
    const [fix] = fixes.filter(it => it.title.startsWith('Request 2 cpu instead of 3'));
    expect(fix?.edits.map(it => it.uri)).toEqual([own]);
  });

  it('are tried out in steps, between which an editor can do something else', () => {
    const span = { start: 0, end: DEPLOYMENT.length };
    const apart = ask(DEPLOYMENT);
    const steps = countSteps(apart.tryingFixes(uri, span));
    expect(steps).toBeGreaterThan(10);
    expect(countSteps(apart.tryingFixes(uri, span))).toBe(0);
    expect(apart.fixes(uri, span)).toEqual(ask(DEPLOYMENT).fixes(uri, span));
  });

  const analysis = ask(DEPLOYMENT);
  const problem = analysis.diagnostics(uri).find(it => it.category === 'placement' && it.follows !== true);
  // Rules have fixes of their own.
  const fixes = analysis
    .fixes(uri, problem?.span ?? { start: 0, end: 0 })
    .map(it => it.fix)
    .filter(it => it.title.includes(': the Pod lands on'));

  it('are verified by the scheduler, and never applied in bulk', () => {
    expect(fixes.map(it => it.title)).toEqual([
      'Tolerate the taint dedicated=gpu:NoSchedule: the Pod lands on n1',
      'Request 2 cpu instead of 3 (container web): the Pod lands on n2',
    ]);
    expect(fixes.every(it => it.safety === 'unsafe')).toBe(true);
  });

  it('change the template, and keep comments and quotes', () => {
    const texts = fixes.map(it => applyEdits(DEPLOYMENT, it.edits));
    expect(texts[0]).toBe(
      `${DEPLOYMENT}      tolerations:
        - key: dedicated
          operator: Equal
          value: gpu
          effect: NoSchedule
`,
    );
    expect(texts[1]).toBe(DEPLOYMENT.replace('cpu: "3"', 'cpu: "2"'));
  });

  it.each([0, 1])('number %i, once applied, leaves no problem', i => {
    const after = applyEdits(DEPLOYMENT, fixes[i]?.edits ?? []);
    expect(
      ask(after)
        .diagnostics(uri)
        .filter(it => it.category === 'placement'),
    ).toEqual([]);
  });

  it('are none for a workload whose Pods have nodes', () => {
    const text = DEPLOYMENT.replace('"3"', '"1"');
    const titles = ask(text)
      .fixes(uri, { start: 0, end: text.length })
      .map(it => it.fix.title);
    expect(titles.filter(it => it.includes('the Pod lands on'))).toEqual([]);
  });
});

describe('counterfactuals and explanations of an analysis', () => {
  it('are found by an offset in the workload and by the name of a Pod', () => {
    const analysis = ask(DEPLOYMENT);
    const found = analysis.counterfactuals(at(DEPLOYMENT, 'containers'));
    expect(found?.pod).toBe('default/web-1');
    expect(found?.suggestions[0]).toMatchObject({
      changes: [{ kind: 'tolerateTaint', plugin: 'TaintToleration' }],
      edits: [{ fieldPath: 'spec.template.spec.tolerations', action: 'append' }],
      outcome: { node: 'n1', opens: ['n1'] },
    });
    expect(analysis.counterfactuals({ uri, offset: 0, pod: 'default/web-1' })).toEqual(found);
    expect(analysis.counterfactuals({ uri: 'file:///ws/nodes.yaml', offset: 0 })).toBeUndefined();
  });

  it('say what would make a Pod fit on a given node', () => {
    const text = DEPLOYMENT.replace('"3"', '"1"');
    const found = ask(text).counterfactuals({ ...at(text, 'containers'), node: 'n1' });
    expect(found?.suggestions.map(it => it.title)).toEqual(['Tolerate the taint dedicated=gpu:NoSchedule']);
  });

  it('say why a Pod is placed on its node', () => {
    const text = DEPLOYMENT.replace('"3"', '"1"');
    expect(ask(text).explanation(at(text, 'containers'))).toEqual({
      pod: 'default/web-1',
      summary: 'default/web-1 lands on n2.',
      steps: [
        {
          plugin: 'TaintToleration',
          sentence:
            'n1 is out: there are taints that the Pod does not tolerate: dedicated=gpu:NoSchedule (“node(s) had untolerated taint(s)”).',
          nodes: ['n1'],
        },
        {
          plugin: 'Scheduler',
          sentence: 'n2 is taken: it is the only node that is left, so that nothing is scored.',
          nodes: ['n2'],
        },
      ],
    });
  });
});

describe('changes of a text', () => {
  it('that an alias would carry elsewhere are no quick fixes', () => {
    const shared = `apiVersion: v1
kind: Pod
metadata: { name: a }
spec:
  containers:
    - { name: one, image: i, resources: { requests: &much { cpu: 1500m } } }
    - { name: two, image: i, resources: { requests: *much } }
`;
    const suggestions = ask(shared).counterfactuals(at(shared, 'name: a'))?.suggestions ?? [];
    const lowered = suggestions.filter(it => it.changes.some(change => change.kind === 'lowerRequest'));
    expect(lowered.map(it => it.fileEdits)).toEqual(lowered.map(() => undefined));
    expect(suggestions.length).toBeGreaterThan(lowered.length);
    expect(lowered.length).toBeGreaterThan(0);
  });
});

describe('the explanation of a decision by scores', () => {
  const nodes = ['a', 'b', 'c']
    .map(
      it =>
        `apiVersion: v1\nkind: Node\nmetadata: { name: ${it} }\nstatus: { allocatable: { cpu: "${it === 'c' ? 2 : 8}", memory: 8Gi, pods: "10" } }\n`,
    )
    .join('---\n');
  const pod = `apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [{ name: c, image: i, resources: { requests: { cpu: "1" } } }] }\n`;
  const explanation = analysisOf({ 'file:///ws/nodes.yaml': nodes, [uri]: pod }).explanation({ uri, offset: 0 });

  it('names ties, and the plugins that made the difference to other nodes', () => {
    const sentences = explanation?.steps.map(it => `${it.plugin}: ${it.sentence}`) ?? [];
    expect(sentences[0]).toMatch(
      /^Scheduler: 3 nodes \(a, b, c\) fit\. 2 of them share the highest score, \d+: a, b\. .*by chance/,
    );
    expect(sentences.join('\n')).toMatch(
      /NodeResourcesFit: It gives a \d+ points more than c \(\d+ and \d+\) for how much/,
    );
  });
});

describe('the explanation of a preemption', () => {
  const text = `apiVersion: v1
kind: Node
metadata: { name: n1 }
status: { allocatable: { cpu: "2", memory: 8Gi, pods: "10" } }
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: high }
value: 1000
---
apiVersion: v1
kind: Pod
metadata: { name: batch, namespace: default }
spec: { nodeName: n1, containers: [{ name: c, image: i, resources: { requests: { cpu: "2" } } }] }
---
apiVersion: v1
kind: Pod
metadata: { name: web }
spec: { priorityClassName: high, containers: [{ name: c, image: i, resources: { requests: { cpu: "1" } } }] }
`;

  it('names the victims with their priorities, and the second attempt', () => {
    const explanation = analysisOf({ [uri]: text }).explanation({ uri, offset: 0, pod: 'default/web' });
    expect(explanation?.summary).toBe('default/web lands on n1, once its victims have gone.');
    const sentences = explanation?.steps.map(it => it.sentence).join('\n') ?? '';
    expect(sentences).toContain('On n1 that makes enough room: default/batch (priority 0) has to go.');
    expect(sentences).toContain('It is tried again.');
    expect(sentences).toContain('n1 is taken: the node that it was promised fits now, so that nothing is scored.');
  });

  it('explains the eviction of the victim', () => {
    const explanation = analysisOf({ [uri]: text }).explanation({ uri, offset: 0, pod: 'default/batch' });
    expect(explanation?.summary).toBe('default/batch runs on n1 already.');
    expect(explanation?.steps.map(it => it.sentence)).toEqual(['Later it is evicted to make room for default/web.']);
  });
});

describe('quick fixes of a preference that the placement of a Pod does not meet', () => {
  const preferring = `${DEPLOYMENT.replace('"3"', '"1"')}      affinity:
        nodeAffinity:
          preferredDuringSchedulingIgnoredDuringExecution:
            - weight: 10
              preference: { matchExpressions: [{ key: disk, operator: In, values: [ssd] }] }
`;
  const titlesAt = (text: string, what: string): readonly string[] => {
    const start = text.indexOf(what);
    return ask(text)
      .fixes(uri, { start, end: start })
      .map(it => it.fix.title);
  };

  it('meet the preference, and belong to no problem', () => {
    expect(ask(preferring).diagnostics(uri)).toEqual([]);
    expect(titlesAt(preferring, 'weight')).toEqual([
      'Tolerate the taint dedicated=gpu:NoSchedule: the Pod lands on n1',
    ]);
  });

  it('are missing elsewhere, and where the placement meets the preference', () => {
    expect(titlesAt(preferring, 'image')).toEqual([]);
    expect(titlesAt(preferring.replace('[ssd]', '[hdd]'), 'weight')).toEqual([]);
  });
});
