import {
  CONFIG_MAP,
  CONTAINER,
  crd,
  DEPLOYMENT,
  filled,
  type HostileInput,
  type HostileWorkspace,
  inPod,
  inText,
  POD,
  repeated,
} from './hostileInput';
import { HOSTILE_OBJECTS } from './hostileObjects';

/** What YAML itself makes large. */
const ofText: readonly HostileInput[] = [
  inText('lines of \\r', repeated('a: 1\n', '\r')),
  inText('lines that end with \\r', repeated(CONFIG_MAP.replaceAll('\n', '\r'), '# a\r')),
  inText('lines of # berth-ignore', repeated('a: 1\n', '# berth-ignore apiserver/required: x\n')),
  inText(
    'lines of # berth-ignore in a Pod with unknown fields',
    filled(POD + CONTAINER, i => `      x${i}: 1 # berth-ignore decode/unknown-field: y\n`),
  ),
  inText('a: [,,,', repeated('a: [', ',')),
  inText('a: [{,{,', repeated('a: [', '{,')),
  inText('a: [[[', repeated('a: ', '[')),
  inText('a: {{{', repeated('a: ', '{')),
  inText('- - - -', repeated('', '- ')),
  inText('? ? ? ?', repeated('', '? ')),
  inText('deep mappings', size => {
    const depth = Math.floor(Math.sqrt(2 * size));
    return Array.from({ length: depth }, (_, i) => `${' '.repeat(i)}a:\n`).join('');
  }),
  inText(': : : :', repeated('', ': ')),
  inText('lines that are no YAML', repeated('a: 1\n', '}\n')),
  inText('quotes that do not end', repeated('', 'a: "\n')),
  inText('tabs', repeated('a:\n', '\t')),
  inText('percent directives', repeated('', '%YAML 1.2\n')),
  inText('empty documents', repeated('', '---\n')),
  inText(
    'small documents',
    filled('', i => `---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: a${i}, namespace: b }\n`),
  ),
  inText('the same document', repeated('', `---\n${CONFIG_MAP}`)),
  inText(
    'documents that are no objects',
    filled('', () => '---\n1\n'),
  ),
  inText(
    'anchors',
    filled('a:\n', i => `- &a${i} 1\n`),
  ),
  inText(
    'anchors and aliases',
    filled('a:\n- &a0 1\n', i => `- &a${i + 1} [*a${i}]\n`),
  ),
  inText('one anchor, many aliases', repeated('a: &a { b: 1 }\nc:\n', '- *a\n')),
  inText('an alias of a large list', size => {
    const half = filled('a: &a\n', () => '- 1\n')(size / 2);
    return filled(`${half}b:\n`, () => '- *a\n')(size);
  }),
  inText(
    'documents that aliases expand',
    filled(
      '',
      i =>
        `---\n${POD.replace('name: a,', `name: a${i},`)}  containers: [&c { name: c, image: "a:1", env: [${'{ name: A, value: b }, '.repeat(40)}] }, ${'*c , '.repeat(99)}]\n`,
    ),
  ),
  inText('unknown aliases', repeated('a:\n', '- *b\n')),
  inText(
    'merges',
    filled('a: &a { b: 1 }\nc:\n', i => `  k${i}: { <<: *a }\n`),
  ),
  inText(
    'merges of merges',
    filled('a0: &a0 { b: 1 }\n', i => `a${i + 1}: &a${i + 1} { <<: *a${i}, k${i}: 1 }\n`),
  ),
  inText('merges in one mapping', repeated('a: &a { b: 1 }\nc:\n', '  <<: *a\n')),
  inText('duplicate keys', repeated(`${CONFIG_MAP}data:\n`, '  a: b\n')),
  inText('one long line', repeated('a: ', 'b')),
  inText('one long key', repeated('', 'b', ': 1\n')),
  inText('one long comment', repeated('#', 'b')),
  inText('comments', repeated('', '# a\n')),
  inText('a block scalar', repeated('a: |\n', '  b\n')),
  inText('a folded scalar', repeated('a: >\n', '  b\n\n')),
  inText('a plain scalar of many lines', repeated('a: b\n', '  b\n')),
  inText('escapes', repeated('a: "', '\\n', '"\n')),
  inText('spaces', repeated('a: 1', ' ')),
  inText('blank lines', repeated('a: 1\n', '\n')),
  inText('a number of many digits', repeated(`${POD}  priority: `, '9', '\n')),
  inText('templates', repeated('a: 1\n', '{{ if }}\n')),
  inText('a template in a value', repeated('a: ', '{{ b }}', '\n')),
  inText('JSON of unclosed lists', repeated('', '['), 'file.json'),
  inText('JSON of unclosed objects', repeated('', '{"a":'), 'file.json'),
  inText(
    'JSON with a List of Pods',
    size =>
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'List',
        items: Array.from({ length: Math.ceil(size / 100) }, (_, i) => ({
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: `a${i}`, namespace: 'b' },
        })),
      }),
    'file.json',
  ),
  inText('a List of empty items', repeated('apiVersion: v1\nkind: List\nitems:\n', '- {}\n')),
  inText('a List of nulls', repeated('apiVersion: v1\nkind: List\nitems:\n', '-\n')),
  inText('brackets in annotations', repeated(`${CONFIG_MAP}data:\n  a: "`, '{', '"\n')),
];

const PORT = '      ports: [{ containerPort: 80 }]\n';

/** What validation and its neighbours make large. */
const ofObjects: readonly HostileInput[] = [
  inPod('containers of one name', '  containers:\n', () => `    - name: c\n      image: a:1\n${PORT}`),
  inPod(
    'containers of one name and host port',
    '  containers:\n',
    () => '    - { name: c, image: "a:1", ports: [{ containerPort: 80, hostPort: 80 }] }\n',
  ),
  inPod('containers of many names', '  containers:\n', i => `    - name: c${i}\n      image: a:1\n${PORT}`),
  inPod('init containers of one name', `${CONTAINER}  initContainers:\n`, () => '    - { name: d, image: "a:1" }\n'),
  inPod('empty containers', '  containers:\n', () => '    - {}\n'),
  inPod('containers of no object', '  containers:\n', () => '    - 1\n'),
  inPod('ports of one number', `${CONTAINER}      ports:\n`, () => '        - containerPort: 80\n'),
  inPod(
    'ports of one name',
    `${CONTAINER}      ports:\n`,
    i => `        - { name: a, containerPort: ${1 + (i % 65535)} }\n`,
  ),
  inPod('unknown fields', CONTAINER, i => `      unknown${i}: 1\n`),
  inText('unknown fields of a Pod of a long name', size =>
    filled(
      `${POD.replace('name: a,', `name: ${'a'.repeat(size / 2)},`)}${CONTAINER}`,
      i => `      unknown${i}: 1\n`,
    )(size),
  ),
  inText('wrong items below a long key', size =>
    filled(
      `${crd('          properties:\n            spec:\n              type: object\n              additionalProperties: { type: array, items: { type: integer, minimum: 5 } }\n')}---\napiVersion: b.example/v1\nkind: A\nmetadata: { name: a, namespace: b }\nspec:\n  ? ${'k'.repeat(size / 2)}\n  : [`,
      () => '1,',
      '1]\n',
    )(size),
  ),
  inPod('unknown fields of long names', CONTAINER, i => `      imagePullPolicyTerminationMessage${i}: 1\n`),
  inPod('volumes of one name', `${CONTAINER}  volumes:\n`, () => '    - { name: v, emptyDir: {} }\n'),
  inPod('volumes without a source', `${CONTAINER}  volumes:\n`, i => `    - { name: v${i} }\n`),
  inPod(
    'volumes of missing ConfigMaps',
    `${CONTAINER}  volumes:\n`,
    i => `    - { name: v${i}, configMap: { name: c${i} } }\n`,
  ),
  inPod(
    'mounts of missing volumes',
    `${CONTAINER}      volumeMounts:\n`,
    i => `        - { name: v${i}, mountPath: /a${i} }\n`,
  ),
  inPod(
    'mounts of one path',
    `${CONTAINER}      volumeMounts:\n`,
    () => '        - { name: v, mountPath: /a }\n',
    '  volumes: [{ name: v, emptyDir: {} }]\n',
  ),
  inPod('environment variables', `${CONTAINER}      env:\n`, i => `        - { name: A${i}, value: b }\n`),
  inPod('one environment variable', `${CONTAINER}      env:\n`, () => '        - { name: A, value: b }\n'),
  inPod('variables in variables', `${CONTAINER}      env:\n`, i => `        - { name: A${i}, value: $(A${i - 1}) }\n`),
  inPod(
    'variables that look into others',
    `${CONTAINER}      env:\n`,
    () => '        - { name: A, value: $(B)$(C)$(D) }\n',
  ),
  inPod(
    'variables of Secrets',
    `${CONTAINER}      env:\n`,
    i => `        - { name: A${i}, valueFrom: { secretKeyRef: { name: s${i}, key: k } } }\n`,
  ),
  inPod('tolerations', `${CONTAINER}  tolerations:\n`, i => `    - { key: a${i}, operator: Exists }\n`),
  inPod('one toleration', `${CONTAINER}  tolerations:\n`, () => '    - { key: a, operator: Exists }\n'),
  inPod(
    'tolerations that are wrong',
    `${CONTAINER}  tolerations:\n`,
    () => '    - { key: "a b", operator: Like, effect: No }\n',
  ),
  inPod('node selector', `${CONTAINER}  nodeSelector:\n`, i => `    a${i}: b\n`),
  inPod(
    'node affinity terms',
    `${CONTAINER}  affinity:\n    nodeAffinity:\n      requiredDuringSchedulingIgnoredDuringExecution:\n        nodeSelectorTerms:\n`,
    i => `          - { matchExpressions: [{ key: a${i}, operator: In, values: [b] }] }\n`,
  ),
  inPod(
    'values of one requirement',
    `${CONTAINER}  affinity:\n    nodeAffinity:\n      requiredDuringSchedulingIgnoredDuringExecution:\n        nodeSelectorTerms:\n          - matchExpressions:\n              - key: a\n                operator: In\n                values:\n`,
    i => `                  - b${i}\n`,
  ),
  inPod(
    'Pod affinity terms',
    `${CONTAINER}  affinity:\n    podAntiAffinity:\n      requiredDuringSchedulingIgnoredDuringExecution:\n`,
    i => `        - { topologyKey: a${i}, labelSelector: { matchLabels: { app: a${i} } } }\n`,
  ),
  inPod(
    'spread constraints',
    `${CONTAINER}  topologySpreadConstraints:\n`,
    i => `    - { maxSkew: 1, topologyKey: a${i}, whenUnsatisfiable: DoNotSchedule }\n`,
  ),
  inPod(
    'one spread constraint',
    `${CONTAINER}  topologySpreadConstraints:\n`,
    () => '    - { maxSkew: 1, topologyKey: a, whenUnsatisfiable: DoNotSchedule }\n',
  ),
  inPod('host aliases', `${CONTAINER}  hostAliases:\n`, () => '    - { ip: 1.2.3.4, hostnames: [a] }\n'),
  inPod('pull secrets', `${CONTAINER}  imagePullSecrets:\n`, i => `    - { name: s${i} }\n`),
  inPod('scheduling gates', `${CONTAINER}  schedulingGates:\n`, () => '    - { name: a }\n'),
  inPod('readiness gates', `${CONTAINER}  readinessGates:\n`, () => '    - { conditionType: a }\n'),
  inPod('resource claims', `${CONTAINER}  resourceClaims:\n`, () => '    - { name: a, resourceClaimName: b }\n'),
  inPod('claims of a container', `${CONTAINER}      resources:\n        claims:\n`, () => '          - { name: a }\n'),
  inPod('requests', `${CONTAINER}      resources:\n        requests:\n`, i => `          example.com/a${i}: 1\n`),
  inPod('sysctls', `${CONTAINER}  securityContext:\n    sysctls:\n`, () => '      - { name: a, value: b }\n'),
  inPod(
    'capabilities',
    `${CONTAINER}      securityContext:\n        capabilities:\n          add:\n`,
    () => '            - A\n',
  ),
  inPod('supplemental groups', `${CONTAINER}  securityContext:\n    supplementalGroups:\n`, () => '      - -1\n'),
  inPod('arguments', `${CONTAINER}      args:\n`, () => '        - $(A)\n'),
  inPod('one argument with variables', `${CONTAINER}      args: ["`, () => '$(A)', '"]\n'),
  inPod('long image', '  containers:\n    - name: c\n      image: "', () => 'a', '"\n'),
  inPod('long name of a container', '  containers:\n    - image: "a:1"\n      name: "', () => 'a', '"\n'),
  inPod('long image with slashes', '  containers:\n    - name: c\n      image: "', () => 'a/', '"\n'),
  inPod('long path', `${CONTAINER}      workingDir: "`, () => '../', '"\n'),
  inText(
    'openings of placeholders',
    size => `apiVersion: v1\nkind: Pod\nmetadata: { name: "${'${'.repeat(size / 2)}" }\n`,
  ),
  inText(
    'openings of templates',
    size => `apiVersion: v1\nkind: Pod\nmetadata: { name: "${'{{'.repeat(size / 2)}" }\n`,
  ),
  inPod('long IP', `${CONTAINER}  hostAliases: [{ hostnames: [a], ip: "`, () => '1:', '" }]\n'),
  inPod('long quantity', `${CONTAINER}      resources: { requests: { cpu: "`, () => '9', '" } }\n'),
  inPod('long exponent', `${CONTAINER}      resources: { requests: { cpu: "1e`, () => '9', '" } }\n'),
  inPod('long dotted label value', `${CONTAINER}  nodeSelector: { a: "`, () => 'a.', '!" }\n'),
  inText(
    'labels',
    filled('apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: b\n  labels:\n', i => `    a${i}: b\n`),
  ),
  inText(
    'labels that are wrong',
    filled(
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: b\n  labels:\n',
      i => `    "a ${i}": "b c"\n`,
    ),
  ),
  inText(
    'annotations',
    filled(
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: b\n  annotations:\n',
      i => `    a${i}: b\n`,
    ),
  ),
  inText(
    'an ignore annotation',
    filled(
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: b\n  annotations:\n    berth.dev/ignore: |\n',
      i => `      decode/unknown-field${i}: b\n`,
    ),
  ),
  inText(
    'finalizers',
    filled('apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: b\n  finalizers:\n', () => '    - a\n'),
  ),
  inText(
    'owner references',
    filled(
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: b\n  ownerReferences:\n',
      i => `    - { apiVersion: v1, kind: Pod, name: a${i}, uid: u, controller: true }\n`,
    ),
  ),
  inText(
    'managed fields',
    filled(
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: b\n  managedFields:\n',
      () => '    - { operation: Apply, fieldsType: FieldsV1, fieldsV1: {} }\n',
    ),
  ),
  inText(
    'data of a ConfigMap',
    filled(`${CONFIG_MAP}data:\n`, i => `  a${i}: b\n`),
  ),
  inText('data and binaryData of one key', size =>
    filled(
      `${filled(`${CONFIG_MAP}data:\n`, i => `  a${i}: b\n`)(size / 2)}binaryData:\n`,
      i => `  a${i}: YQ==\n`,
    )(size),
  ),
  inText('one value of a ConfigMap', repeated(`${CONFIG_MAP}data:\n  a: "`, 'b', '"\n')),
  inText(
    'one value of a Secret',
    repeated('apiVersion: v1\nkind: Secret\nmetadata: { name: a, namespace: b }\ndata:\n  a: ', 'YWFh', '\n'),
  ),
  inText(
    'one value of a Secret over lines',
    repeated(
      'apiVersion: v1\nkind: Secret\nmetadata: { name: a, namespace: b }\ndata:\n  a: |\n',
      `    ${'YWFh'.repeat(19)}\n`,
    ),
  ),
  inText(
    'base64 that is wrong',
    repeated('apiVersion: v1\nkind: Secret\nmetadata: { name: a, namespace: b }\ndata:\n  a: ', 'YWFh', '!\n'),
  ),
  inText(
    'values of a Secret that are no base64',
    filled('apiVersion: v1\nkind: Secret\nmetadata: { name: a, namespace: b }\ndata:\n', i => `  a${i}: "!"\n`),
  ),
  inText(
    'a docker configuration',
    repeated(
      "apiVersion: v1\nkind: Secret\ntype: kubernetes.io/dockerconfigjson\nmetadata: { name: a, namespace: b }\nstringData:\n  .dockerconfigjson: '",
      '[',
      "'\n",
    ),
  ),
  inText(
    'Service ports',
    filled(
      'apiVersion: v1\nkind: Service\nmetadata: { name: a, namespace: b }\nspec:\n  selector: { app: a }\n  ports:\n',
      i => `    - { name: p, port: ${1 + (i % 65535)} }\n`,
    ),
  ),
  inText(
    'Service ports of one number',
    filled(
      'apiVersion: v1\nkind: Service\nmetadata: { name: a, namespace: b }\nspec:\n  selector: { app: a }\n  ports:\n',
      i => `    - { name: p${i}, port: 80 }\n`,
    ),
  ),
  inText(
    'Services that select one Pod',
    filled(
      `${POD.replace('name: a,', 'name: a, labels: { app: a },')}${CONTAINER}`,
      i =>
        `---\napiVersion: v1\nkind: Service\nmetadata: { name: s${i}, namespace: b }\nspec: { selector: { app: a }, ports: [{ port: 80 }] }\n`,
    ),
  ),
  inText(
    'Services that select nothing',
    filled(
      '',
      i =>
        `---\napiVersion: v1\nkind: Service\nmetadata: { name: s${i}, namespace: b }\nspec: { selector: { app: a${i} }, ports: [{ port: 80 }] }\n`,
    ),
  ),
  inText(
    'budgets of one selector',
    filled(
      '',
      i =>
        `---\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: s${i}, namespace: b }\nspec: { selector: { matchLabels: { app: a } }, maxUnavailable: 1 }\n`,
    ),
  ),
  inText(
    'Deployments',
    filled(
      '',
      i => `---\n${DEPLOYMENT.replace('name: a,', `name: a${i},`)}      containers: [{ name: c, image: "a:1" }]\n`,
    ),
  ),
  inText(
    'Pods with one host port',
    filled(
      '',
      i =>
        `---\n${POD.replace('name: a,', `name: a${i},`)}  containers: [{ name: c, image: "a:1", ports: [{ containerPort: 80, hostPort: 80 }] }]\n`,
    ),
  ),
  inText(
    'Pods with missing references',
    filled(
      '',
      i =>
        `---\n${POD.replace('name: a,', `name: a${i},`)}  serviceAccountName: s${i}\n  containers: [{ name: c, image: "a:1" }]\n`,
    ),
  ),
  inText(
    'autoscalers of one target',
    filled(
      '',
      i =>
        `---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: { name: s${i}, namespace: b }\nspec: { maxReplicas: 2, scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: a } }\n`,
    ),
  ),
  inText(
    'metrics',
    filled(
      'apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: { name: s, namespace: b }\nspec:\n  maxReplicas: 2\n  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: a }\n  metrics:\n',
      () => '    - { type: Resource, resource: { name: cpu, target: { type: Utilization, averageUtilization: 1 } } }\n',
    ),
  ),
  inText(
    'Ingress rules',
    filled(
      'apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: { name: s, namespace: b }\nspec:\n  rules:\n',
      i =>
        `    - { host: h${i}.example, http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: s${i}, port: { number: 80 } } } }] } }\n`,
    ),
  ),
  inText(
    'Ingress paths',
    filled(
      'apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: { name: s, namespace: b }\nspec:\n  rules:\n    - http:\n        paths:\n',
      i =>
        `          - { path: "/a${i}/../", pathType: Prefix, backend: { service: { name: s, port: { number: 80 } } } }\n`,
    ),
  ),
  inText(
    'NetworkPolicy peers',
    filled(
      'apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: { name: s, namespace: b }\nspec:\n  podSelector: {}\n  ingress:\n    - from:\n',
      i => `        - { ipBlock: { cidr: 10.0.${i % 256}.0/24, except: [10.0.0.0/25] } }\n`,
    ),
  ),
  inText(
    'Role rules',
    filled(
      'apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: { name: s, namespace: b }\nrules:\n',
      () => '  - { apiGroups: [""], resources: [pods], verbs: [get] }\n',
    ),
  ),
  inText(
    'subjects',
    filled(
      'apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: { name: s, namespace: b }\nroleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: r }\nsubjects:\n',
      i => `  - { kind: ServiceAccount, name: s${i}, namespace: b }\n`,
    ),
  ),
  inText(
    'selector requirements',
    filled(
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: a, namespace: b }\nspec:\n  template: { metadata: { labels: { app: a } }, spec: { containers: [{ name: c, image: "a:1" }] } }\n  selector:\n    matchExpressions:\n',
      () => '      - { key: app, operator: In, values: [a] }\n',
    ),
  ),
  inText(
    'taints',
    filled(
      'apiVersion: v1\nkind: Node\nmetadata: { name: a }\nspec:\n  taints:\n',
      () => '    - { key: a, effect: NoSchedule }\n',
    ),
  ),
  inText(
    'Nodes',
    filled(
      '',
      i =>
        `---\napiVersion: v1\nkind: Node\nmetadata: { name: n${i} }\nstatus: { allocatable: { cpu: 1, pods: 10 } }\n`,
    ),
  ),
  inText(
    'properties of a CRD',
    filled(crd('          properties:\n'), i => `            a${i}: { type: string }\n`),
  ),
  inText(
    'rules of a CRD',
    filled(
      crd('          x-kubernetes-validations:\n'),
      () => '            - { rule: "self.metadata.name == \'a\'" }\n',
    ),
  ),
  inText(
    'a long rule of a CRD',
    repeated(crd('          x-kubernetes-validations:\n            - rule: "true'), ' || true', '"\n'),
  ),
  inText(
    'parentheses in a rule of a CRD',
    repeated(crd('          x-kubernetes-validations:\n            - rule: "'), '(', '"\n'),
  ),
  inText(
    'a long enum of a CRD',
    repeated(
      crd(
        '          properties:\n            a: { type: string, x-kubernetes-validations: [{ rule: "self != \'b\'" }], enum: [',
      ),
      'a,',
      'a] }\n',
    ),
  ),
  inText(
    'an enum of a CRD',
    filled(
      crd('          properties:\n            a:\n              type: string\n              enum:\n'),
      i => `                - a${i % 1000}\n`,
    ),
  ),
  inText(
    'required names of a CRD',
    filled(crd('          required:\n'), i => `            - a${i}\n`),
  ),
  inText(
    'a pattern of a CRD',
    repeated(crd('          properties:\n            a: { type: string, pattern: "'), '(a*)*', '" }\n'),
  ),
  inText('nested properties of a CRD', size =>
    crd(
      Array.from({ length: Math.floor(Math.sqrt(size / 3 + 100) - 10) }, (_, i) =>
        `${' '.repeat(10 + i * 2)}properties:\n${' '.repeat(10 + i * 2)}  a:\n${' '.repeat(12 + i * 2)}type: object\n`.replaceAll(
          /^/gm,
          '',
        ),
      ).join(''),
    ),
  ),
  inText(
    'versions of a CRD',
    filled(
      crd(''),
      i => `    - { name: v${i}, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }\n`,
    ),
  ),
  inText(
    'custom objects',
    filled(
      `${crd('          properties: { spec: { type: object, properties: { a: { type: string } } } }\n')}`,
      i => `---\napiVersion: b.example/v1\nkind: A\nmetadata: { name: a${i}, namespace: b }\nspec: { a: 1 }\n`,
    ),
  ),
  inText(
    'kinds of CRDs',
    filled(
      '',
      i =>
        `---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: { name: a${i}s.b.example }\nspec: { group: b.example, scope: Namespaced, names: { plural: a${i}s, kind: A${i} }, versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }] }\n`,
    ),
  ),
  inText(
    'validations of a policy',
    filled(
      'apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: { name: a }\nspec:\n  matchConstraints: { resourceRules: [{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods] }] }\n  validations:\n',
      () => '    - expression: "has(object.spec)"\n',
    ),
  ),
  inText(
    'variables of a policy',
    filled(
      'apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: { name: a }\nspec:\n  matchConstraints: { resourceRules: [{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods] }] }\n  validations: [{ expression: "true" }]\n  variables:\n',
      i => `    - { name: a${i}, expression: "1" }\n`,
    ),
  ),
  inText(
    'webhooks',
    filled(
      'apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: { name: a }\nwebhooks:\n',
      () =>
        '  - { name: a.b.c, sideEffects: None, admissionReviewVersions: [v1], clientConfig: { url: "https://a" } }\n',
    ),
  ),
  inText(
    'resources of a kustomization',
    filled('resources:\n', i => `  - r${i}.yaml\n`),
    'kustomization.yaml',
  ),
  inText(
    'patches of a kustomization',
    filled('patches:\n', i => `  - { target: { kind: Pod, name: a${i} }, patch: "[]" }\n`),
    'kustomization.yaml',
  ),
  inText(
    'a scheduler configuration',
    filled(
      'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n',
      () => '  - { schedulerName: a }\n',
    ),
  ),
  inText(
    'plugins of a scheduler configuration',
    filled(
      'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n  - schedulerName: a\n    plugins:\n      multiPoint:\n        enabled:\n',
      () => '          - { name: ImageLocality }\n',
    ),
  ),
  inText(
    'environments of berth.yaml',
    filled('environments:\n', i => `  e${i}: { paths: ["a${i}/**"] }\n`),
    'berth.yaml',
  ),
  inText('environments of berth.yaml that are wrong', repeated('environments:\n', '  - { name: a }\n'), 'berth.yaml'),
  inText(
    'topologies of a StorageClass',
    repeated(
      'apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: { name: a }\nprovisioner: p\nallowedTopologies:\n',
      '  - {}\n',
    ),
  ),
  inText(
    'device requests',
    filled(
      'apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: { name: a, namespace: b }\nspec:\n  devices:\n    requests:\n',
      () => '      - { name: a, exactly: { deviceClassName: c, selectors: [{ cel: { expression: "true" } }] } }\n',
    ),
  ),
  inText(
    'devices of a slice',
    filled(
      'apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: { name: a }\nspec:\n  driver: d.example\n  nodeName: n\n  pool: { name: p, generation: 1, resourceSliceCount: 1 }\n  devices:\n',
      () => '    - { name: a }\n',
    ),
  ),
  inText(
    'a schedule of a CronJob',
    repeated(
      'apiVersion: batch/v1\nkind: CronJob\nmetadata: { name: a, namespace: b }\nspec:\n  jobTemplate: { spec: { template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "a:1" }] } } } }\n  schedule: "',
      '1,',
      '* * * * *"\n',
    ),
  ),
  inText(
    'a Job with failure rules',
    filled(
      'apiVersion: batch/v1\nkind: Job\nmetadata: { name: a, namespace: b }\nspec:\n  template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "a:1" }] } }\n  podFailurePolicy:\n    rules:\n',
      () => '      - { action: Ignore, onExitCodes: { operator: In, values: [1] } }\n',
    ),
  ),
  inText(
    'values of one exit code rule',
    filled(
      'apiVersion: batch/v1\nkind: Job\nmetadata: { name: a, namespace: b }\nspec:\n  template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "a:1" }] } }\n  podFailurePolicy:\n    rules:\n      - action: Ignore\n        onExitCodes:\n          operator: In\n          values:\n',
      () => '            - 1\n',
    ),
  ),
  inText(
    'claim templates',
    filled(
      'apiVersion: apps/v1\nkind: StatefulSet\nmetadata: { name: a, namespace: b }\nspec:\n  serviceName: s\n  selector: { matchLabels: { app: a } }\n  template: { metadata: { labels: { app: a } }, spec: { containers: [{ name: c, image: "a:1" }] } }\n  volumeClaimTemplates:\n',
      () =>
        '    - { metadata: { name: v }, spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } } }\n',
    ),
  ),
  inText(
    'endpoints',
    filled(
      'apiVersion: discovery.k8s.io/v1\nkind: EndpointSlice\nmetadata: { name: a, namespace: b }\naddressType: IPv4\nendpoints:\n',
      () => '  - { addresses: [10.0.0.1] }\n',
    ),
  ),
  inText(
    'addresses of one endpoint',
    filled(
      'apiVersion: discovery.k8s.io/v1\nkind: EndpointSlice\nmetadata: { name: a, namespace: b }\naddressType: IPv4\nendpoints:\n  - addresses:\n',
      () => '      - 10.0.0.1\n',
    ),
  ),
];

const TESTS = 'apiVersion: berth.dev/v1alpha1\nkind: PlacementTest\nmetadata: { name: a }\ncluster: default\ntests:\n';
/** A test of a Deployment that the test itself brings. */
const TEST = `${TESTS}  - name: t
    changes:
      - apply: |
          ${DEPLOYMENT.replace('spec:\n', 'spec:\n  replicas: 1000\n').replaceAll('\n', '\n          ')}      containers: [{ name: c, image: "a:1" }]
`;
const inTest = (name: string, start: string, make: (i: number) => string): HostileInput =>
  inText(`${name} of placement tests`, filled(start, make), 'a.placement-test.yaml');

const ofPlacementTests: readonly HostileInput[] = [
  inTest('names', TESTS, i => `  - { name: t${i}, expect: [{ scheduled: all }] }\n`),
  inTest('mistakes', TESTS, i => `  - { x${i}: 1 }\n`),
  inTest(
    'changes',
    `${TEST}    expect: [{ scheduled: all }]\n  - name: u\n    expect: [{ scheduled: all }]\n    changes:\n`,
    () => '      - scaleBy: 1\n',
  ),
  inTest('expectations', `${TEST}    expect:\n`, () => '      - fits: withAnyNodeDown\n'),
  inTest('expressions', `${TEST}    expect:\n`, i => `      - holds: pods.all(p, p.name != 'x${i}')\n`),
  inTest(
    'manifests',
    `${TESTS}  - name: t\n    expect: [{ scheduled: all }]\n    changes:\n      - apply: |\n`,
    i =>
      `          ---\n          apiVersion: v1\n          kind: ConfigMap\n          metadata: { name: a${i}, namespace: b }\n`,
  ),
];

/** Every hostile file, by what it is full of. */
export const HOSTILE: readonly HostileInput[] = [...ofText, ...ofObjects, ...ofPlacementTests, ...HOSTILE_OBJECTS];

/** Scenarios that `berth place` must answer, or refuse in one sentence, whatever they ask for. */
export const SCENARIOS: readonly HostileInput[] = [
  inText('100 workloads of 10,000 replicas', () => nodes(500) + workloads(100, '10000', '10m'), 'scenario.yaml'),
  inText('100,000 nodes', () => nodes(100_000) + workloads(10, '10', '10m'), 'scenario.yaml'),
  inText(
    'quantities and numbers of 30 digits',
    () => nodes(3) + workloads(1, '3', '9'.repeat(30)) + workloads(1, '9'.repeat(30), '1', 'b'),
    'scenario.yaml',
  ),
  inText(
    'topology keys that are null',
    () =>
      `${nodes(3)}---\n${POD}  containers: [{ name: c, image: "a:1" }]
  topologySpreadConstraints: [{ maxSkew: 1, topologyKey: null, whenUnsatisfiable: DoNotSchedule, labelSelector: {} }]
  affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: null, labelSelector: {} }] } }
`,
    'scenario.yaml',
  ),
];

/** What `berth check` is given with several files. */
export const WORKSPACES: readonly HostileWorkspace[] = [
  {
    name: '1,000 environments of 1,000 Pods in 50 files',
    files: () => inEnvironments(1_000, 50),
  },
  {
    name: '1,000 environments below 1 MB of severities',
    files: () => ({
      'berth.yaml': `severity:\n${lines(30_000, i => `  a/some-code-${i}: off\n`)}environments:\n${lines(1_000, i => `  e${i}: { paths: [pod.yaml] }\n`)}`,
      'pod.yaml': POD + CONTAINER,
    }),
  },
  {
    name: '1,000 rules of berth.yaml on 5,000 Pods',
    files: () => ({
      'berth.yaml': `rules:\n${lines(1_000, i => `  - { name: r${i}, expression: "object.metadata.name != 'x${i}'" }\n`)}`,
      'pods.yaml': lines(5_000, i => `---\n${POD.replace('name: a,', `name: a${i},`)}${CONTAINER}`),
    }),
  },
  {
    name: 'a kustomization of 10,000 patches for 4,000 Deployments',
    files: () => ({
      'kustomization.yaml': `resources: [web.yaml]\npatches:\n${lines(10_000, i => `  - patch: |\n      apiVersion: apps/v1\n      kind: Deployment\n      metadata: { name: x${i} }\n`)}`,
      'web.yaml': lines(
        4_000,
        i =>
          `---\n${DEPLOYMENT.replace('name: a,', `name: a${i},`).replace('labels: { app: a }', 'labels: { app: b }')}      containers: [{ name: c }]\n`,
      ),
    }),
  },
  {
    name: 'an ignore file of stars and a deep folder',
    files: () => ({
      '.gitignore': `${'**/a/'.repeat(20)}b\n${lines(50_000, i => `pattern${i}\n`)}`,
      [`${'a/'.repeat(60)}pod.yaml`]: POD + CONTAINER,
    }),
  },
];

function lines(count: number, lineOf: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => lineOf(i)).join('');
}

/** Files of 20 Pods, which all environments have. */
function inEnvironments(count: number, files: number): Readonly<Record<string, string>> {
  const environments = Array.from({ length: count }, (_, i) => `  e${i}: { paths: [.] }\n`);
  const pod = (i: number): string => `${POD.replace('name: a,', `name: a${i},`)}${CONTAINER}`;
  const texts = Array.from({ length: files }, (_, i) => {
    const pods = Array.from({ length: 20 }, (_, j) => pod(i * 20 + j));
    return [`${i}.yaml`, pods.join('---\n')];
  });
  return { 'berth.yaml': `environments:\n${environments.join('')}`, ...Object.fromEntries(texts) };
}

function nodes(count: number): string {
  const node = (i: number): string =>
    `---\napiVersion: v1\nkind: Node\nmetadata: { name: n${i}, labels: { kubernetes.io/hostname: n${i}, topology.kubernetes.io/zone: z${i % 3} } }\nstatus: { allocatable: { cpu: "64", memory: 256Gi, pods: "110" } }\n`;
  return Array.from({ length: count }, (_, i) => node(i)).join('');
}

function workloads(count: number, replicas: string, cpu: string, name = 'a'): string {
  const workload = (i: number): string =>
    `---\n${DEPLOYMENT.replace('name: a,', `name: ${name}${i},`).replace('spec:\n', `spec:\n  replicas: ${replicas}\n`)}      containers: [{ name: c, image: "a:1", resources: { requests: { cpu: ${cpu}, memory: 1Mi } } }]\n`;
  return Array.from({ length: count }, (_, i) => workload(i)).join('');
}
