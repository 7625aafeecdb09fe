import { describe, expect, it } from 'vitest';
import { sampled } from '../support/thorough';
import { analysisOf } from './analyse';
import { chosen, completeIn, labelsIn, shownIn } from './completing';

const pod = (spec: string): string => `apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec:\n${spec}`;
const container = (fields: string): string => pod(`  containers:\n    - name: web\n      image: nginx\n${fields}`);

describe('fields', () => {
  it.each(['|\n', '|\n\n', '|\n---\n'])('are offered on an empty first line: %j', text => {
    expect(labelsIn(text)).toEqual(labelsIn('|'));
  });

  it('are those of the schema, required ones first and deprecated ones last', () => {
    const labels = labelsIn(pod('  |\n'));
    expect(labels[0]).toBe('containers');
    expect(labels).toContain('tolerations');
    expect(labels.at(-1)).toBe('serviceAccount');
  });

  it('are offered once each', () => {
    const labels = labelsIn(container('      |\n'));
    expect(labels).toContain('resources');
    expect(labels).not.toContain('image');
    expect(labels).not.toContain('name');
  });

  it('name the feature gate that would drop them, and come last', () => {
    const items = shownIn(pod('  |'));
    const gated = items.find(it => it.label === 'evictionResponders');
    expect(gated?.detail).toContain('feature gate EvictionRequestAPI is off');
    expect(items.indexOf(gated!)).toBeGreaterThan(items.findIndex(it => it.label === 'volumes'));
    const on = shownIn(pod('  |'), { settings: { featureGates: { EvictionRequestAPI: true } } });
    expect(on.find(it => it.label === 'evictionResponders')?.detail).not.toContain('gate');
  });

  it('are those of the chosen minor', () => {
    expect(labelsIn(pod('  |'))).toContain('schedulingGroup');
    expect(labelsIn(pod('  |'), { settings: { kubernetesVersion: '1.31' } })).not.toContain('schedulingGroup');
  });

  it.each([
    ['a word half typed', container('      imagePu|\n'), 'imagePullPolicy'],
    ['a line between others', container('      |\n      ports: []\n'), 'resources'],
    ['the line of a dash', pod('  containers:\n    - |\n'), 'image'],
    ['a list without a dash', pod('  containers:\n    |\n'), '- image'],
    ['a key that is there already', container('      livenessPr|obe:\n        periodSeconds: 3\n'), 'livenessProbe'],
    ['braces', pod('  securityContext: { runAs| }\n'), 'runAsUser'],
    ['braces that nobody closed', pod('  securityContext: { runAsUser: 1, |\n  containers: []\n'), 'fsGroup'],
    ['braces over lines', pod('  securityContext: {\n    runAsUser: 1,\n    |\n  }\n'), 'fsGroup'],
    ['a document between others', `a: b\n---\n${pod('  |\n')}---\nc: d\n`, 'containers'],
    ['an item of a List', 'apiVersion: v1\nkind: List\nitems:\n  - apiVersion: v1\n    kind: Pod\n    |\n', 'spec'],
    ['text that is broken above', pod('  hostNetwork true\n  dnsPolicy: "a\n   nodeName: b: c\n  |\n'), 'containers'],
    ['text that is broken below', pod('  |\n  containers:\n  - name: "a\n     image nginx\n'), 'tolerations'],
    ['a template deep in a CronJob', cronJob('            |\n'), 'restartPolicy'],
    ['lines that end in CR LF', pod('  containers:\n    - name: a\n      |\n').replaceAll('\n', '\r\n'), 'image'],
    ['the line below one that only looks like an open list', pod('  hostname: a,\n  |\n'), 'containers'],
    ['the last line of a file without a line break', pod('  |'), 'containers'],
    ['quotes', pod('  "host|"\n'), 'hostNetwork'],
  ])('are offered in %s', (_, text, label) => {
    expect(labelsIn(text)).toContain(label);
  });

  it.each([
    ['a comment', pod('  # conta|\n')],
    ['the end of a value', pod('  restartPolicy: Always |\n')],
    [
      'a block of text',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata:\n  a: |-\n    x|\n'.replace('|-', '>-'),
    ],
    ['a separator', `${pod('  hostNetwork: true\n')}---|`],
    ['a file of another kind', 'services:\n  web:\n    image: nginx\n|\n'],
    ['a word behind a list of texts', pod('  containers:\n    - args:\n        - a |\n')],
    ['a kind that nobody knows', 'apiVersion: example.com/v1\nkind: Unknown\nspec:\n  |\n'],
  ])('are not offered in %s', (_, text) => {
    expect(labelsIn(text)).toEqual([]);
  });

  it('continue the item above a caret in the column of its dash, or begin another item', () => {
    const deeper = pod('  containers:\n    - name: web\n    ima|\n');
    expect(labelsIn(deeper)).toEqual(['image', 'imagePullPolicy', '- image', '- imagePullPolicy']);
    expect(chosen(deeper, 'image')).toBe(pod('  containers:\n    - name: web\n      image: ‹›\n'));
    expect(chosen(deeper, '- image')).toBe(pod('  containers:\n    - name: web\n    - image: ‹›\n'));
  });

  it('include those of the mapping around a list whose dashes are in their column', () => {
    const level = pod('  containers:\n  - name: web\n  |\n');
    expect(labelsIn(level)).toEqual(expect.arrayContaining(['volumes', 'image', '- image']));
    expect(chosen(level, 'image')).toBe(pod('  containers:\n  - name: web\n    image: ‹›\n'));
    const inItem = pod('  containers:\n  - args:\n    - a\n    |\n');
    expect(labelsIn(inItem)).toContain('image');
    expect(chosen(inItem, 'image')).toBe(pod('  containers:\n  - args:\n    - a\n    image: ‹›\n'));
    const texts = container('      args:\n      - a\n      |\n');
    expect(labelsIn(texts).filter(it => it.startsWith('- '))).toEqual([]);
  });
});

function cronJob(spec: string): string {
  return `apiVersion: batch/v1
kind: CronJob
metadata:
  name: nightly
spec:
  jobTemplate:
    spec:
      template:
        spec:
${spec.replace(/^ {12}/, ' '.repeat(10))}`;
}

describe('the inserted text of a field', () => {
  it('has the shape of its value and the required fields in it', () => {
    expect(chosen(pod('  |\n'), 'containers')).toBe(pod('  containers:\n    - name: ‹›\n'));
    expect(chosen(container('      |\n'), 'resources')).toBe(container('      resources:\n        ‹›\n'));
    expect(chosen(container('      |\n'), 'args')).toBe(container('      args:\n        - ‹›\n'));
    expect(chosen(container('      |\n'), 'stdin')).toBe(container('      stdin: ‹true,false›\n'));
    expect(chosen(pod('  |\n'), 'nodeSelector')).toBe(pod('  nodeSelector:\n    ‹›\n'));
    expect(chosen('apiVersion: v1\nkind: ConfigMap\n|\n', 'data')).toBe(
      'apiVersion: v1\nkind: ConfigMap\ndata:\n  ‹key›: ‹›\n',
    );
    expect(chosen(container('      |\n'), 'volumeMounts')).toBe(
      container('      volumeMounts:\n        - mountPath: ‹›\n          name: ‹›\n'),
    );
  });

  it('is aligned with a list item', () => {
    expect(chosen(pod('  containers:\n    - name: a\n    - |\n'), 'resources')).toBe(
      pod('  containers:\n    - name: a\n    - resources:\n        ‹›\n'),
    );
    expect(chosen(pod('  containers:\n    |\n'), '- name')).toBe(pod('  containers:\n    - name: ‹›\n'));
  });

  it("follows the author's own indentation", () => {
    const text = 'apiVersion: v1\nkind: Pod\nmetadata:\n    name: web\nspec:\n    tolerations:\n    - key: a\n    |\n';
    expect(chosen(text, 'containers')).toBe(text.replace('|', 'containers:\n    - name: ‹›'));
    expect(chosen(text, 'securityContext')).toBe(text.replace('|', 'securityContext:\n        ‹›'));
  });

  it('begins on a new line after the colon of a mapping or a list', () => {
    expect(chosen(container('      resources: |\n'), 'requests')).toBe(
      container('      resources:\n        requests:\n          ‹›\n'),
    );
    expect(chosen(pod('  containers: |\n'), '- name')).toBe(pod('  containers:\n    - name: ‹›\n'));
    expect(chosen(pod('  containers:\n    - securityContext: runAsU|\n'), 'runAsUser')).toBe(
      pod('  containers:\n    - securityContext:\n        runAsUser: ‹›\n'),
    );
    expect(chosen(pod('  nodeSelector: |\n'), 'kubernetes.io/arch')).toBe(
      pod('  nodeSelector:\n    kubernetes.io/arch: ‹›\n'),
    );
  });

  it('is only the key where a colon follows', () => {
    expect(chosen(pod('  restart|: Never\n'), 'restartPolicy')).toBe(pod('  restartPolicy: Never\n'));
  });

  it('is JSON in JSON, with and without quotes typed', () => {
    const json = (spec: string): string => `{"apiVersion": "v1", "kind": "Pod", "spec": {${spec}}}`;
    const at = { uri: 'file:///ws/typed.json' };
    expect(chosen(json('"hostn|"'), 'hostname', at)).toBe(json('"hostname": "‹›"'));
    expect(chosen(json('"nodeName": "a", ser|'), 'serviceAccountName', at)).toBe(
      json('"nodeName": "a", "serviceAccountName": "‹›"'),
    );
    expect(chosen(json('"con|"'), 'containers', at)).toBe(json('"containers": [{ "name": "‹›" }]'));
    expect(chosen(json('"rest|": "Never"'), 'restartPolicy', at)).toBe(json('"restartPolicy": "Never"'));
    expect(chosen(json('\n  "nodeName": "a",\n  |\n'), 'hostNetwork', at)).toBe(
      json('\n  "nodeName": "a",\n  "hostNetwork": ‹true,false›\n'),
    );
    expect(chosen(json('"restartPolicy": "|"'), 'Never', at)).toBe(json('"restartPolicy": "Never"'));
    expect(chosen(json('"hostNetwork": |'), 'true', at)).toBe(json('"hostNetwork": true'));
  });
});

describe('values', () => {
  it('are the ones of an enum, and true or false', () => {
    expect(labelsIn(pod('  restartPolicy: |\n'))).toEqual(['Always', 'Never', 'OnFailure']);
    expect(labelsIn(pod('  hostNetwork: t|\n'))).toEqual(['true']);
    expect(labelsIn(pod('  restartPolicy: "|"\n'))).toContain('Never');
    expect(chosen(pod('  restartPolicy: "N|"\n'), 'Never')).toBe(pod('  restartPolicy: "Never"\n'));
  });

  it('of a list leave out existing ones', () => {
    const claim = (modes: string): string =>
      `apiVersion: v1\nkind: PersistentVolumeClaim\nspec:\n  accessModes: ${modes}\n`;
    expect(labelsIn(claim('[ReadWriteOnce, |]'))).toEqual(['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod']);
    expect(chosen(claim('\n    |'), '- ReadWriteOnce')).toBe(claim('\n    - ReadWriteOnce'));
  });

  it('pair apiVersion and kind', () => {
    expect(labelsIn('apiVersion: |\nkind: Deployment\n')).toEqual(['apps/v1']);
    expect(labelsIn('apiVersion: batch/v1\nkind: |\n')).toEqual(['CronJob', 'Job']);
    expect(chosen('kind: StatefulS|\n', 'StatefulSet')).toBe('apiVersion: apps/v1\nkind: StatefulSet\n');
    const scaler =
      'apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nspec:\n  scaleTargetRef:\n    kind: Deployment\n';
    expect(labelsIn(`${scaler}    apiVersion: |\n`)).toEqual(['apps/v1']);
  });

  it('of quantities follow what is typed', () => {
    const request = (it: string): string => container(`      resources:\n        requests:\n          ${it}\n`);
    expect(labelsIn(request('memory: |'))).toContain('512Mi');
    expect(labelsIn(request('memory: 3|'))).toEqual(['3Mi', '3Gi', '3Ti', '3Ki']);
    expect(labelsIn(request('cpu: 250|'))).toEqual(['250m', '250']);
    expect(completeIn(request('cpu: 2|')).isIncomplete).toBe(true);
    expect(shownIn(request('memory: 1|')).find(it => it.label === '1Gi')?.detail).toContain('1,073,741,824');
    expect(labelsIn(request('cpu: 1\n          |'))).toEqual(expect.arrayContaining(['memory', 'nvidia.com/gpu']));
    expect(labelsIn(request('cpu: 1\n          |'))).not.toContain('cpu');
  });
});

const node = (name: string, labels: string, taints = '[]'): string =>
  `apiVersion: v1\nkind: Node\nmetadata: { name: ${name}, labels: ${labels} }\nspec: { taints: ${taints} }\n---\n`;
const nodes =
  node('n1', '{ disk: ssd, topology.kubernetes.io/zone: a }') +
  node('n2', '{ disk: nvme }', '[{ key: gpu, value: "yes", effect: NoSchedule }]');
const web = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, labels: { app: web } }
spec:
  template:
    metadata: { labels: { app: web, tier: front } }
    spec:
      containers:
        - name: server
          ports: [{ name: http, containerPort: 8080 }]
`;

describe('values from the cluster and the workspace', () => {
  const files = { 'file:///ws/nodes.yaml': nodes, 'file:///ws/web.yaml': web };
  const labels = (text: string): readonly string[] => labelsIn(text, { files });
  const requirement = (it: string): string =>
    pod(`  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms:
          - matchExpressions:
              - ${it}
`);

  it.each([
    ['keys of nodeSelector', pod('  nodeSelector:\n    |\n'), ['disk', 'topology.kubernetes.io/zone']],
    ['values of nodeSelector', pod('  nodeSelector:\n    disk: |\n'), ['nvme', 'ssd']],
    ['keys of node affinity', requirement('key: |'), ['disk', 'topology.kubernetes.io/zone']],
    ['operators of node affinity', requirement('operator: |'), ['DoesNotExist', 'Exists', 'Gt', 'In', 'Lt', 'NotIn']],
    ['values of node affinity', requirement('key: disk\n                values: [ssd, |]'), ['nvme']],
    ['taint keys', pod('  tolerations:\n    - key: |\n'), ['gpu']],
    ['taint values', pod('  tolerations:\n    - key: gpu\n      value: |\n'), ['yes']],
    [
      'topology keys',
      pod('  topologySpreadConstraints:\n    - topologyKey: |\n'),
      ['disk', 'topology.kubernetes.io/zone'],
    ],
    ['node names', pod('  nodeName: |\n'), ['n1', 'n2']],
    ['labels that others have', 'apiVersion: v1\nkind: Service\nspec:\n  selector:\n    |\n', ['app', 'tier']],
    ['their values', 'apiVersion: v1\nkind: Service\nspec:\n  selector:\n    tier: |\n', ['front']],
    [
      'ports of the Pods that a Service selects',
      'apiVersion: v1\nkind: Service\nspec:\n  selector: { app: web }\n  ports:\n    - targetPort: |\n',
      ['8080', 'http'],
    ],
  ])('%s', (_, text, wanted) => {
    expect([...labels(text)].toSorted()).toEqual(wanted);
  });

  it('quotes values that YAML would read as another type', () => {
    expect(chosen(pod('  tolerations:\n    - key: gpu\n      value: |\n'), 'yes', { files })).toContain('value: "yes"');
  });

  it('of the example cluster where there are no nodes', () => {
    expect(labelsIn(pod('  nodeSelector:\n    |\n'))).toContain('topology.kubernetes.io/zone');
  });
});

describe('names in references', () => {
  const files = {
    'file:///ws/others.yaml': `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: urgent }
value: 10
---
apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
data: { colour: red, size: big }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: elsewhere, namespace: other }
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
`,
  };
  const labels = (text: string): readonly string[] => labelsIn(text, { files });

  it.each([
    [
      'priority classes',
      pod('  priorityClassName: |\n'),
      ['system-cluster-critical', 'system-node-critical', 'urgent'],
    ],
    ['claims', pod('  volumes:\n    - name: a\n      persistentVolumeClaim:\n        claimName: |\n'), ['data']],
    ['ConfigMaps of the namespace', pod('  volumes:\n    - configMap:\n        name: |\n'), ['settings']],
    [
      'keys of a ConfigMap',
      container(
        '      env:\n        - valueFrom:\n            configMapKeyRef:\n              name: settings\n              key: |\n',
      ),
      ['colour', 'size'],
    ],
    [
      'volumes of the Pod',
      container('      volumeMounts:\n        - name: |\n  volumes:\n    - name: data\n    - name: logs\n'),
      ['data', 'logs'],
    ],
    [
      'ports of the container',
      container('      ports: [{ name: http, containerPort: 80 }]\n      livenessProbe: { httpGet: { port: | } }\n'),
      ['80', 'http'],
    ],
  ])('%s', (_, text, wanted) => {
    expect([...labels(text)].toSorted()).toEqual(wanted);
  });
});

describe('a new document', () => {
  it('begins with a whole object, or with the fields that every object has', () => {
    const labels = labelsIn('|');
    expect(labels.slice(0, 3)).toEqual(['apiVersion', 'kind', 'metadata']);
    for (const kind of ['Pod', 'Deployment', 'CronJob', 'ResourceClaimTemplate', 'Namespace'])
      expect(labels).toContain(kind);
    expect(labelsIn(`${pod('  {}\n')}---\nDep|\n`)).toContain('Deployment');
  });

  it.each(['1.31', '1.34', '1.37'])('is accepted unchanged by the API server of %s', kubernetesVersion => {
    const settings = { kubernetesVersion };
    const kinds = shownIn('|', { settings }).filter(it => it.kind === 'object');
    expect(kinds.length).toBeGreaterThan(14);
    const asked = kubernetesVersion === '1.37' ? kinds : sampled(kinds, 3);
    const wrong = asked.flatMap(({ label }) => {
      const text = chosen('|', label, { settings }).replace(/‹([^,›]*)[^›]*›/g, '$1');
      const problems = analysisOf({ 'file:///ws/new.yaml': text }, settings).diagnostics('file:///ws/new.yaml');
      return problems.filter(it => it.severity === 'error' || it.severity === 'warning').map(it => it.message);
    });
    expect(wrong).toEqual([]);
  });

  it('takes the API version that the minor serves', () => {
    const claim = (kubernetesVersion: string): string =>
      chosen('|', 'ResourceClaimTemplate', { settings: { kubernetesVersion } }).split('\n')[0]!;
    expect(claim('1.37')).toBe('apiVersion: resource.k8s.io/v1');
    expect(labelsIn('|', { settings: { kubernetesVersion: '1.31' } })).not.toContain('ResourceClaimTemplate');
  });

  it('continues with kind and the rest after an apiVersion', () => {
    expect(labelsIn('apiVersion: v1\n|\n')).toEqual(['kind', 'metadata']);
    expect(labelsIn('apiVersion: v1\nkind: ConfigMap\n|\n')).toContain('data');
  });
});
