import { CONTAINER, crd, DEPLOYMENT, filled, type HostileInput, inPod, inText, POD, repeated } from './hostileInput';

const doc =
  (lineOf: (i: number) => string): ((i: number) => string) =>
  i =>
    `---\n${lineOf(i)}`;
const half =
  (head: string, first: (i: number) => string, second: (i: number) => string) =>
  (size: number): string =>
    filled(filled(head, first)(size / 2), second)(size);

const custom = (spec: string): string =>
  `---\napiVersion: b.example/v1\nkind: A\nmetadata: { name: a, namespace: b }\nspec:\n${spec}`;
const schema = (spec: string): string =>
  crd(`          properties:\n            spec:\n              type: object\n${spec}`);
const LIST = (type: string): string =>
  schema(`              properties:\n                list:\n                  type: array\n${type}`);

const ofCustom: readonly HostileInput[] = [
  inText(
    'CEL rule over a long list',
    filled(
      `${LIST("                  maxItems: 100000\n                  items: { type: string, maxLength: 9 }\n                  x-kubernetes-validations: [{ rule: 'self.all(x, x.size() > 0)' }]\n")}${custom('  list:\n')}`,
      () => '    - a\n',
    ),
  ),
  inText(
    'CEL rule over a long list within itself',
    filled(
      `${LIST("                  maxItems: 100000\n                  items: { type: string, maxLength: 9 }\n                  x-kubernetes-validations: [{ rule: 'self.all(x, self.exists_one(y, x == y))' }]\n")}${custom('  list:\n')}`,
      i => `    - a${i}\n`,
    ),
  ),
  inText(
    'CEL rule for each item',
    filled(
      `${LIST("                  items: { type: string, x-kubernetes-validations: [{ rule: 'self.size() < 3' }] }\n")}${custom('  list:\n')}`,
      i => `    - a${i}\n`,
    ),
  ),
  inText(
    'CEL matches over a long text',
    repeated(
      `${schema('              properties: { t: { type: string, x-kubernetes-validations: [{ rule: \'self.matches("^(a+)+$")\' }] } }\n')}${custom('  t: "')}`,
      'a',
      '!"\n',
    ),
  ),
  inText(
    'a pattern over a long text',
    repeated(
      `${schema('              properties: { t: { type: string, pattern: "^(a+)+$" } }\n')}${custom('  t: "')}`,
      'a',
      '!"\n',
    ),
  ),
  inText(
    'items of a set',
    filled(
      `${LIST('                  items: { type: string }\n                  x-kubernetes-list-type: set\n')}${custom('  list:\n')}`,
      i => `    - a${i}\n`,
    ),
  ),
  inText(
    'equal items of a set',
    filled(
      `${LIST('                  items: { type: string }\n                  x-kubernetes-list-type: set\n')}${custom('  list:\n')}`,
      () => '    - a\n',
    ),
  ),
  inText(
    'items of a map list',
    filled(
      `${LIST('                  items: { type: object, required: [n], properties: { n: { type: string } } }\n                  x-kubernetes-list-type: map\n                  x-kubernetes-list-map-keys: [n]\n')}${custom('  list:\n')}`,
      i => `    - { n: a${i % 7} }\n`,
    ),
  ),
  inText(
    'unknown fields of a custom object',
    filled(`${LIST('                  items: { type: string }\n')}${custom('')}`, i => `  lists${i}: 1\n`),
  ),
  inText(
    'wrong items of a custom object',
    filled(
      `${LIST('                  items: { type: integer, minimum: 3, multipleOf: 2, enum: [4, 6] }\n')}${custom('  list:\n')}`,
      () => '    - 1\n',
    ),
  ),
  inText(
    'anyOf of a custom object',
    filled(
      `${LIST('                  items: { x-kubernetes-int-or-string: true, anyOf: [{ type: integer, minimum: 9 }, { type: string, pattern: "^b" }], not: { enum: [1] } }\n')}${custom('  list:\n')}`,
      () => '    - 1\n',
    ),
  ),
  inText(
    'defaults of a custom object',
    filled(
      `${LIST('                  items: { type: object, properties: { n: { type: object, default: {}, properties: { m: { type: string, default: x } } } } }\n')}${custom('  list:\n')}`,
      () => '    - {}\n',
    ),
  ),
  inText(
    'custom objects with a CEL rule',
    filled(
      schema(
        '              x-kubernetes-validations: [{ rule: \'self.a == "1"\' }]\n              properties: { a: { type: string } }\n',
      ),
      doc(i => `apiVersion: b.example/v1\nkind: A\nmetadata: { name: a${i}, namespace: b }\nspec: { a: "${i}" }\n`),
    ),
  ),
  inText(
    'CEL rules of a CRD that differ',
    filled(
      crd('          x-kubernetes-validations:\n'),
      i => `            - { rule: "self.metadata.name != 'a${i}'" }\n`,
    ),
  ),
  inText(
    'CEL rules that are wrong',
    filled(crd('          x-kubernetes-validations:\n'), i => `            - { rule: "self.nothing${i}.x(" }\n`),
  ),
  inText(
    'fields of a CRD with rules',
    filled(
      crd('          properties:\n'),
      i => `            a${i}: { type: string, maxLength: 9, x-kubernetes-validations: [{ rule: "self != 'a'" }] }\n`,
    ),
  ),
  inText(
    'printer columns of a CRD',
    filled(
      crd('          properties: { a: { type: string } }\n      additionalPrinterColumns:\n'),
      i => `        - { name: a${i}, type: string, jsonPath: .a }\n`,
    ),
  ),
  inText(
    'selectable fields of a CRD',
    filled(
      crd('          properties: { a: { type: string } }\n      selectableFields:\n'),
      () => '        - { jsonPath: .a }\n',
    ),
  ),
  inText(
    'required and missing properties of a CRD',
    half(
      crd('          required:\n'),
      i => `            - a${i}\n`,
      i => (i === 0 ? '          properties:\n' : `            b${i}: { type: string }\n`),
    ),
  ),
  inText(
    'defaults of a CRD and objects',
    half(
      schema('              properties:\n'),
      i => `                a${i}: { type: string, default: x }\n`,
      doc(i => `apiVersion: b.example/v1\nkind: A\nmetadata: { name: a${i}, namespace: b }\nspec: {}\n`),
    ),
  ),
  inText(
    'required names of a CRD and objects',
    half(
      schema('              required:\n'),
      i => `                - a${i}\n`,
      doc(i => `apiVersion: b.example/v1\nkind: A\nmetadata: { name: a${i}, namespace: b }\nspec: {}\n`),
    ),
  ),
  inText(
    'rules of a CRD and objects',
    half(
      schema(
        '              properties: { a: { type: string, maxLength: 5 } }\n              x-kubernetes-validations:\n',
      ),
      i => `                - { rule: "self.a != 'a${i}'" }\n`,
      doc(i => `apiVersion: b.example/v1\nkind: A\nmetadata: { name: a${i}, namespace: b }\nspec: { a: x }\n`),
    ),
  ),
  inText(
    'alternatives of a CRD and items',
    half(
      LIST('                  items:\n                    type: string\n                    anyOf:\n'),
      i => `                      - { pattern: "^b${i}" }\n`,
      i => (i === 0 ? custom('  list:\n') : '    - a\n'),
    ),
  ),
  inText(
    'misspelt fields of objects of a large CRD',
    half(
      schema('              properties:\n'),
      i => `                prop${i}: { type: string }\n`,
      doc(i => `apiVersion: b.example/v1\nkind: A\nmetadata: { name: a${i}, namespace: b }\nspec: { porp${i}: 1 }\n`),
    ),
  ),
  inText('enum values of a custom object', size => {
    const values = filled(
      LIST('                  items:\n                    type: string\n                    enum:\n'),
      i => `                      - a${i}\n`,
    )(size / 2);
    return filled(`${values}${custom('  list:\n')}`, i => `    - b${i}\n`)(size);
  }),
  inText(
    'stored versions of a CRD',
    half(
      crd(''),
      i => `    - { name: v${i}, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }\n`,
      i => (i === 0 ? 'status:\n  storedVersions:\n' : `    - w${i}\n`),
    ),
  ),
  inText(
    'conversion versions of a CRD',
    filled(
      crd('          type: object\n').replace(
        '  scope:',
        '  conversion:\n    strategy: Webhook\n    webhook:\n      clientConfig: { url: "https://a.b/c" }\n      conversionReviewVersions: [v1]\n  scope:',
      ),
      i => `    - { name: v${i}, served: true, storage: false, schema: { openAPIV3Schema: { type: object } } }\n`,
    ),
  ),
  inText(
    'short names of a CRD',
    filled(
      'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: { name: as.b.example }\nspec:\n  group: b.example\n  scope: Namespaced\n  versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }]\n  names:\n    plural: as\n    kind: A\n    shortNames:\n',
      i => `      - a${i}\n`,
    ),
  ),
  inText(
    'definitions of one kind',
    filled(
      '',
      doc(
        i =>
          `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: { name: as.b.example }\nspec: { group: b.example, scope: Namespaced, names: { plural: as, kind: A }, versions: [{ name: v${i}, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }] }\n`,
      ),
    ),
  ),
];

const NODE = `---\napiVersion: v1\nkind: Node\nmetadata: { name: node }\nstatus: { allocatable: { cpu: "9000", memory: 800Gi, pods: "100000" } }\n`;

const ofMany: readonly HostileInput[] = [
  inText(
    'ConfigMaps and Pods that misspell them',
    half(
      '',
      doc(i => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: config-map-${i}, namespace: b }\n`),
      doc(
        i =>
          `apiVersion: v1\nkind: Pod\nmetadata: { name: a${i}, namespace: b }\nspec: { containers: [{ name: c, image: "a:1", envFrom: [{ configMapRef: { name: confog-map-${i} } }] }] }\n`,
      ),
    ),
  ),
  inText(
    'Services that each select all Pods',
    half(
      '',
      doc(
        i =>
          `apiVersion: v1\nkind: Pod\nmetadata: { name: a${i}, namespace: b, labels: { app: a } }\nspec: { containers: [{ name: c, image: "a:1" }] }\n`,
      ),
      doc(
        i =>
          `apiVersion: v1\nkind: Service\nmetadata: { name: s${i}, namespace: b }\nspec: { selector: { app: a }, ports: [{ port: 80, targetPort: http }] }\n`,
      ),
    ),
  ),
  inText(
    'Services that select Deployments',
    half(
      '',
      doc(i => `${DEPLOYMENT.replace('name: a,', `name: a${i},`)}      containers: [{ name: c, image: "a:1" }]\n`),
      doc(
        i =>
          `apiVersion: v1\nkind: Service\nmetadata: { name: s${i}, namespace: b }\nspec: { selector: { app: a }, ports: [{ port: 80, targetPort: http }] }\n`,
      ),
    ),
  ),
  inText(
    'budgets that each select all Pods',
    half(
      '',
      doc(
        i =>
          `apiVersion: v1\nkind: Pod\nmetadata: { name: a${i}, namespace: b, labels: { app: a } }\nspec: { containers: [{ name: c, image: "a:1" }] }\n`,
      ),
      doc(
        i =>
          `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: s${i}, namespace: b }\nspec: { selector: { matchExpressions: [{ key: app, operator: Exists }] }, maxUnavailable: 1 }\n`,
      ),
    ),
  ),
  inText(
    'NetworkPolicies that each select all Pods',
    half(
      '',
      doc(
        i =>
          `apiVersion: v1\nkind: Pod\nmetadata: { name: a${i}, namespace: b, labels: { app: a } }\nspec: { containers: [{ name: c, image: "a:1" }] }\n`,
      ),
      doc(
        i =>
          `apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: { name: s${i}, namespace: b }\nspec: { podSelector: { matchExpressions: [{ key: app, operator: NotIn, values: [b] }] }, ingress: [{ from: [{ podSelector: {}, namespaceSelector: {} }] }] }\n`,
      ),
    ),
  ),
  inText(
    'quotas and Pods of one namespace',
    half(
      '',
      doc(
        i =>
          `apiVersion: v1\nkind: ResourceQuota\nmetadata: { name: q${i}, namespace: b }\nspec: { hard: { pods: "1", requests.cpu: "1" } }\n`,
      ),
      doc(
        i =>
          `apiVersion: v1\nkind: Pod\nmetadata: { name: a${i}, namespace: b }\nspec: { containers: [{ name: c, image: "a:1" }] }\n`,
      ),
    ),
  ),
  inText(
    'limit ranges and Pods of one namespace',
    half(
      '',
      doc(
        i =>
          `apiVersion: v1\nkind: LimitRange\nmetadata: { name: q${i}, namespace: b }\nspec: { limits: [{ type: Container, max: { cpu: "1" }, default: { cpu: "1" } }] }\n`,
      ),
      doc(
        i =>
          `apiVersion: v1\nkind: Pod\nmetadata: { name: a${i}, namespace: b }\nspec: { containers: [{ name: c, image: "a:1", resources: { requests: { cpu: "2" } } }] }\n`,
      ),
    ),
  ),
  inText(
    'quotas and Pods that a Node would take',
    half(
      NODE,
      doc(
        i =>
          `apiVersion: v1\nkind: ResourceQuota\nmetadata: { name: q${i}, namespace: b }\nspec: { hard: { pods: "100000", requests.cpu: "1000" } }\n`,
      ),
      doc(
        i =>
          `apiVersion: v1\nkind: Pod\nmetadata: { name: a${i}, namespace: b }\nspec: { containers: [{ name: c, image: "a:1", resources: { requests: { cpu: 1m } } }] }\n`,
      ),
    ),
  ),
  inText(
    'quotas that differ and Pods that a Node would take',
    half(
      NODE,
      doc(
        i =>
          `apiVersion: v1\nkind: ResourceQuota\nmetadata: { name: q${i}, namespace: b }\nspec: { hard: { pods: "100000", requests.example.com/a${i}: "1" } }\n`,
      ),
      doc(
        i =>
          `apiVersion: v1\nkind: Pod\nmetadata: { name: a${i}, namespace: b }\nspec: { containers: [{ name: c, image: "a:1" }] }\n`,
      ),
    ),
  ),
  inText(
    'quotas of priority classes and Pods that a Node would take',
    half(
      NODE,
      doc(
        i =>
          `apiVersion: v1\nkind: ResourceQuota\nmetadata: { name: q${i}, namespace: b }\nspec: { hard: { pods: "9" }, scopeSelector: { matchExpressions: [{ scopeName: PriorityClass, operator: NotIn, values: [p${i}] }] } }\n`,
      ),
      doc(
        i =>
          `apiVersion: v1\nkind: Pod\nmetadata: { name: a${i}, namespace: b }\nspec: { containers: [{ name: c, image: "a:1" }] }\n`,
      ),
    ),
  ),
  inText(
    'limit ranges and Pods that a Node would take',
    half(
      NODE,
      doc(
        i =>
          `apiVersion: v1\nkind: LimitRange\nmetadata: { name: q${i}, namespace: b }\nspec: { limits: [{ type: Container, max: { cpu: "1" }, default: { cpu: "1" } }] }\n`,
      ),
      doc(
        i =>
          `apiVersion: v1\nkind: Pod\nmetadata: { name: a${i}, namespace: b }\nspec: { containers: [{ name: c, image: "a:1", resources: { requests: { cpu: "${i % 3}" } } }] }\n`,
      ),
    ),
  ),
  inText(
    'budgets that each select all Deployments',
    half(
      '',
      doc(i => `${DEPLOYMENT.replace('name: a,', `name: a${i},`)}      containers: [{ name: c, image: "a:1" }]\n`),
      doc(
        i =>
          `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: s${i}, namespace: b }\nspec: { selector: { matchLabels: { app: a } }, maxUnavailable: 1 }\n`,
      ),
    ),
  ),
  inText(
    'webhooks and Pods',
    half(
      '',
      doc(
        i =>
          `apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: { name: w${i} }\nwebhooks: [{ name: a.b.c, sideEffects: None, admissionReviewVersions: [v1], clientConfig: { url: "https://a.b" }, rules: [{ apiGroups: [""], apiVersions: [v1], resources: [pods], operations: [CREATE] }] }]\n`,
      ),
      doc(
        i =>
          `apiVersion: v1\nkind: Pod\nmetadata: { name: a${i}, namespace: b }\nspec: { containers: [{ name: c, image: "a:1" }] }\n`,
      ),
    ),
  ),
  inText(
    'Namespaces',
    filled(
      '',
      doc(
        i =>
          `apiVersion: v1\nkind: Namespace\nmetadata: { name: n${i}, labels: { pod-security.kubernetes.io/enforce: restricted } }\n`,
      ),
    ),
  ),
  inText(
    'Pods of many namespaces',
    filled(
      '',
      doc(
        i =>
          `apiVersion: v1\nkind: Pod\nmetadata: { name: a, namespace: n${i} }\nspec: { containers: [{ name: c, image: "a:1" }] }\n`,
      ),
    ),
  ),
  inText(
    'priority classes that are all default',
    filled(
      '',
      doc(
        i =>
          `apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: p${i} }\nvalue: ${i}\nglobalDefault: true\n`,
      ),
    ),
  ),
  inText(
    'storage classes that are all default',
    filled(
      '',
      doc(
        i =>
          `apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: { name: p${i}, annotations: { storageclass.kubernetes.io/is-default-class: "true" } }\nprovisioner: p\n`,
      ),
    ),
  ),
  inText(
    'tolerations of a Pod and of its RuntimeClass',
    half(
      '',
      filled(
        'apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nspec:\n  runtimeClassName: c\n  containers: [{ name: a, image: b }]\n  tolerations:\n',
        i => `    - { key: a${i}, operator: Exists }\n`,
        '---\n',
      ),
      filled(
        'apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: { name: c }\nhandler: c\nscheduling:\n  tolerations:\n',
        i => `    - { key: b${i}, operator: Exists }\n`,
      ),
    ),
  ),
  inText(
    'claims and volumes',
    half(
      '',
      doc(
        i =>
          `apiVersion: v1\nkind: PersistentVolume\nmetadata: { name: v${i} }\nspec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], hostPath: { path: /a }, storageClassName: "" }\n`,
      ),
      doc(
        i =>
          `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: c${i}, namespace: b }\nspec: { accessModes: [ReadWriteOnce], storageClassName: "", resources: { requests: { storage: 2Gi } } }\n`,
      ),
    ),
  ),
  inText(
    'Ingresses of one host',
    filled(
      '',
      doc(
        i =>
          `apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: { name: i${i}, namespace: b }\nspec: { rules: [{ host: a.b, http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: s, port: { number: 80 } } } }] } }] }\n`,
      ),
    ),
  ),
  inText(
    'NodePort Services of one port',
    filled(
      '',
      doc(
        i =>
          `apiVersion: v1\nkind: Service\nmetadata: { name: s${i}, namespace: b }\nspec: { type: NodePort, clusterIP: 10.0.0.1, ports: [{ port: 80, nodePort: 30000 }] }\n`,
      ),
    ),
  ),
  inText(
    'bindings of misspelt roles',
    half(
      '',
      doc(i => `apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: { name: reader-${i} }\n`),
      doc(
        i =>
          `apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: { name: b${i} }\nroleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: raeder-${i} }\n`,
      ),
    ),
  ),
  inText(
    'Nodes and Pods',
    half(
      '',
      doc(
        i =>
          `apiVersion: v1\nkind: Node\nmetadata: { name: n${i}, labels: { kubernetes.io/hostname: n${i} } }\nstatus: { allocatable: { cpu: "4", memory: 8Gi, pods: "20" } }\n`,
      ),
      doc(
        i =>
          `apiVersion: v1\nkind: Pod\nmetadata: { name: a${i}, namespace: b, labels: { app: a } }\nspec: { containers: [{ name: c, image: "a:1", resources: { requests: { cpu: "1" } } }] }\n`,
      ),
    ),
  ),
  inText(
    'Nodes and Pods that repel each other',
    half(
      '',
      doc(
        i =>
          `apiVersion: v1\nkind: Node\nmetadata: { name: n${i}, labels: { kubernetes.io/hostname: n${i} } }\nstatus: { allocatable: { cpu: "4", memory: 8Gi, pods: "20" } }\n`,
      ),
      doc(
        i =>
          `apiVersion: v1\nkind: Pod\nmetadata: { name: a${i}, namespace: b, labels: { app: a } }\nspec: { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: kubernetes.io/hostname, labelSelector: { matchLabels: { app: a } } }] } }, containers: [{ name: c, image: "a:1", resources: { requests: { cpu: "5" } } }] }\n`,
      ),
    ),
  ),
  inText(
    'taints of a Node and Pods',
    half(
      'apiVersion: v1\nkind: Node\nmetadata: { name: node }\nstatus: { allocatable: { cpu: "4", memory: 8Gi, pods: "20" } }\nspec:\n  taints:\n',
      i => `    - { key: a${i}, effect: NoSchedule }\n`,
      doc(
        i =>
          `apiVersion: v1\nkind: Pod\nmetadata: { name: a${i}, namespace: b }\nspec: { tolerations: [{ key: b${i}, operator: Exists }], containers: [{ name: c, image: "a:1" }] }\n`,
      ),
    ),
  ),
  inText(
    'keys of a ConfigMap and references that misspell them',
    half(
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: s, namespace: b }\ndata:\n',
      i => `  key-${i}: x\n`,
      i =>
        i === 0
          ? `---\n${POD}${CONTAINER}      env:\n`
          : `        - { name: A${i}, valueFrom: { configMapKeyRef: { name: s, key: kye-${i} } } }\n`,
    ),
  ),
  inText(
    'keys of a Secret and references',
    half(
      'apiVersion: v1\nkind: Secret\nmetadata: { name: s, namespace: b }\ndata:\n',
      i => `  k${i}: /w==\n`,
      i =>
        i === 0
          ? `---\n${POD}${CONTAINER}      env:\n`
          : `        - { name: A${i}, valueFrom: { secretKeyRef: { name: s, key: k${i} } } }\n`,
    ),
  ),
  inText(
    'listeners of a Gateway and routes',
    half(
      'apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: { name: g, namespace: b }\nspec:\n  gatewayClassName: c\n  listeners:\n',
      i => `    - { name: l${i}, port: ${1 + (i % 60_000)}, protocol: HTTP }\n`,
      doc(
        i =>
          `apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: { name: r${i}, namespace: b }\nspec: { parentRefs: [{ name: g, sectionName: x${i} }], rules: [{ backendRefs: [{ name: s${i}, port: 80 }] }] }\n`,
      ),
    ),
  ),
  inText(
    'volumes of claims and their mounts',
    half(
      `${POD}  securityContext: { seLinuxOptions: { level: "s0:c1" } }\n  volumes:\n`,
      i => `    - { name: v${i}, persistentVolumeClaim: { claimName: c${i} } }\n`,
      i => (i === 0 ? `${CONTAINER}      volumeMounts:\n` : `        - { name: v${i}, mountPath: /m${i} }\n`),
    ),
  ),
  inText(
    'Nodes and a Pod of many affinity terms',
    half(
      '',
      doc(
        i =>
          `apiVersion: v1\nkind: Node\nmetadata: { name: n${i}, labels: { kubernetes.io/hostname: n${i} } }\nstatus: { allocatable: { cpu: "4", memory: 8Gi, pods: "20" } }\n`,
      ),
      i =>
        i === 0
          ? `---\n${POD}${CONTAINER}  affinity:\n    nodeAffinity:\n      requiredDuringSchedulingIgnoredDuringExecution:\n        nodeSelectorTerms:\n`
          : `          - { matchExpressions: [{ key: a${i}, operator: In, values: [b] }] }\n`,
    ),
  ),
  inText(
    'labels of a Node and a Pod that selects',
    half(
      'apiVersion: v1\nkind: Node\nmetadata:\n  name: n\n  labels:\n',
      i => `    key-${i}: a\n`,
      i => (i === 0 ? `---\n${POD}${CONTAINER}  nodeSelector:\n` : `    kye-${i}: a\n`),
    ),
  ),
  inText(
    'labels of a template and its selector',
    half(
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: a, namespace: b }\nspec:\n  template:\n    spec: { containers: [{ name: c, image: "a:1" }] }\n    metadata:\n      labels:\n',
      i => `        a${i}: b\n`,
      i => (i === 0 ? '  selector:\n    matchLabels:\n' : `      a${i}: c\n`),
    ),
  ),
  inText(
    'a selector of many keys',
    filled(
      'apiVersion: v1\nkind: Service\nmetadata: { name: s, namespace: b }\nspec:\n  ports: [{ port: 80 }]\n  selector:\n',
      i => `    a${i}: b\n`,
    ),
  ),
  inText(
    'a chain of owners',
    filled(
      '',
      doc(
        i =>
          `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a${i}, namespace: b, ownerReferences: [{ apiVersion: v1, kind: ConfigMap, name: a${i + 1}, uid: u }] }\n`,
      ),
    ),
  ),
  inText(
    'one name in many API versions',
    filled(
      '',
      doc(i => `apiVersion: a${i}.example/v1\nkind: K${i}\nmetadata: { name: a, namespace: b }\n`),
    ),
  ),
  inText(
    'kinds that are misspelt',
    filled(
      '',
      doc(i => `apiVersion: v1\nkind: Pdo${i % 10}\nmetadata: { name: a${i} }\n`),
    ),
  ),
  inText(
    'image names',
    inPod('', '  containers:\n', i => `    - { name: c${i}, image: "reg.example/a${i}@sha256:x" }\n`).text,
  ),
];

const ofForm: readonly HostileInput[] = [
  inText(
    'a Pod in JSON of one line',
    size =>
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'a', namespace: 'b' },
        spec: {
          containers: Array.from({ length: size / 60 }, (_, i) => ({
            name: `c${i}`,
            image: 'a:1',
            ports: [{ containerPort: 80 }],
          })),
        },
      }),
    'file.json',
  ),
  inText(
    'custom objects in JSON',
    size =>
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'List',
        items: Array.from({ length: size / 100 }, (_, i) => ({
          apiVersion: 'b.example/v1',
          kind: 'A',
          metadata: { name: `a${i}`, namespace: 'b' },
          spec: { a: i },
        })),
      }),
    'file.json',
  ),
  inText(
    'deep lists in JSON',
    size =>
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"x":${'['.repeat(size / 2)}${']'.repeat(size / 2)}}`,
    'file.json',
  ),
  inText('a deep flow list', size => `a: ${'['.repeat(size / 2)}${']'.repeat(size / 2)}\n`),
  inText(
    'keys of one JSON object',
    size =>
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{${Array.from({ length: size / 14 }, (_, i) => `"a${i}":"b"`).join(',')}}}`,
    'file.json',
  ),
  inText(
    'one JSON key many times',
    size =>
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{${Array.from({ length: size / 8 }, () => '"a":"b"').join(',')}}}`,
    'file.json',
  ),
  inText('Deployments with CRLF', size =>
    filled(
      '',
      doc(i => `${DEPLOYMENT.replace('name: a,', `name: a${i},`)}      containers: [{ name: c, image: "a:1" }]\n`),
    )(size).replaceAll('\n', '\r\n'),
  ),
  inText('byte order marks', repeated('', '---\n\ufeffa: 1\n')),
  inText(
    'surrogates',
    repeated('apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata:\n', '  "\\ud800": "\u{1f433}"\n'),
  ),
  inText('lone surrogates', repeated('a: "', '\ud800', '"\n')),
  inText('tabs between', repeated('a:\n', '\tb:\tc\n')),
  inText(
    'tabs in a Pod',
    filled(`${POD}${CONTAINER}      env:\n`, i => `        -\tname:\tA${i}\n`),
  ),
  inText('tagged values', repeated('a:\n', '- !!binary "YQ=="\n')),
  inText('unknown tags', repeated('a:\n', '- !x y\n')),
  inText('sets and pairs', repeated('a: !!set\n', '  ? b\n')),
  inText(
    'complex keys',
    filled('', i => `? [a, { b: ${i} }]\n: c\n`),
  ),
  inText('timestamps and numbers', repeated('a:\n', '- 0x1F\n- 1e400\n- 1_000\n- 2001-12-14t21:59:43.10-05:00\n')),
  inText('documents that end with dots', repeated('', 'a: 1\n...\n')),
  inText(
    'template lines in manifests',
    filled(
      '',
      doc(
        i =>
          `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: "{{ .Release.Name }}-${i}" }\n{{- if .Values.x }}\ndata: { a: {{ .Values.a | quote }} }\n{{- end }}\n`,
      ),
    ),
  ),
  inText(
    'a List of Lists',
    repeated(
      'apiVersion: v1\nkind: List\nitems:\n',
      '- { apiVersion: v1, kind: List, items: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: a } }] }\n',
    ),
  ),
  inText(
    'a List of Pods',
    filled(
      'apiVersion: v1\nkind: List\nitems:\n',
      i => `- apiVersion: v1\n  kind: Pod\n  metadata: { name: a${i}, namespace: b }\n`,
    ),
  ),
  inText(
    'a List of typed items',
    filled('apiVersion: v1\nkind: PodList\nitems:\n', i => `- metadata: { name: a${i}, namespace: b }\n`),
  ),
  inText(
    'anchors that expand',
    size =>
      Array.from(
        { length: 30 },
        (_, i) =>
          `a${i}: &a${i} [${
            i === 0
              ? 'x'
              : Array(9)
                  .fill(`*a${i - 1}`)
                  .join(', ')
          }]\n`,
      ).join('') + repeated('', '# a\n')(size),
  ),
];

const SYSTEM = 'apiVersion: berth.dev/v1alpha1\nkind: System\nmetadata: { name: a }\nspec:\n';
const VAP =
  'apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: { name: a }\nspec:\n  matchConstraints: { resourceRules: [{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods] }] }\n';
const BINDING =
  '---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\nmetadata: { name: a }\nspec: { policyName: a, validationActions: [Deny] }\n---\n';
const kyverno = (rules: string): string =>
  `apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nmetadata: { name: a }\nspec:\n  rules:\n${rules}`;
const kyvernoRule = (i: number): string =>
  `    - { name: r${i}, match: { any: [{ resources: { kinds: [Pod] } }] }, validate: { message: no, pattern: { metadata: { labels: { a: "?*" } } } } }\n`;
const podOf = (i: number): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: a${i}, namespace: b }\nspec: { containers: [{ name: c, image: "a:1" }] }\n`;

/** Texts that a pattern could divide in many ways, all of which it would try. */
const ofLongTexts: readonly HostileInput[] = [
  inText('blanks of a comment', repeated('# berth-ignore a/b', ' ', `x\u2028y\n${podOf(1)}`)),
  inText('escaped quotes behind JSON', repeated('{} {"a": "', '\\"'), 'file.json'),
  inText('blanks of a quantity', repeated(`${POD}${CONTAINER}      resources: { requests: { cpu: "1`, ' ', '!" } }\n')),
  inText(
    'slashes of the path of a file',
    repeated(
      `${POD}${CONTAINER}  volumes: [{ name: v, configMap: { name: m, items: [{ key: k, path: "`,
      '/',
      'a" }] } }]\n',
    ),
  ),
  inText(
    'digits of a duration of a custom object',
    repeated(
      `${schema('              properties: { a: { type: string, format: duration } }\n')}${custom('  a: "')}`,
      '1',
      '"\n',
    ),
  ),
  inText(
    'certificates that do not end',
    repeated(
      'apiVersion: certificates.k8s.io/v1beta1\nkind: ClusterTrustBundle\nmetadata: { name: a }\nspec:\n  trustBundle: "',
      '-----BEGIN CERTIFICATE-----\\n',
      '"\n',
    ),
  ),
  inText('a scheme of a plugin of a kustomization', repeated('transformers: ["a: ', 'a', '"]\n'), 'kustomization.yaml'),
];

const ofOwn: readonly HostileInput[] = [
  inText(
    'steps of a system',
    filled(
      `${SYSTEM}  variables: { v: 0 }\n  processes:\n    - name: p\n      start: s0\n      steps:\n`,
      i => `        - { name: t${i}, from: s${i}, to: s${i + 1}, when: "v == 0" }\n`,
    ),
  ),
  inText(
    'processes of a system',
    filled(`${SYSTEM}  processes:\n`, i => `    - { name: p${i}, start: s, halt: [s], steps: [] }\n`),
  ),
  inText(
    'processes of one name',
    filled(`${SYSTEM}  processes:\n`, () => '    - { name: p, start: s, steps: [{ name: a, from: s, to: t }] }\n'),
  ),
  inText(
    'variables of a system',
    filled(`${SYSTEM}  processes: [{ name: p, start: s, steps: [] }]\n  variables:\n`, i => `    v${i}: 0\n`),
  ),
  inText(
    'properties of a system',
    filled(
      `${SYSTEM}  variables: { v: 0 }\n  processes: [{ name: p, start: s, steps: [{ name: a, from: s, to: t, set: { v: 1 } }] }]\n  properties:\n`,
      i => `    - { name: q${i}, always: "v == 0" }\n`,
    ),
  ),
  inText(
    'misspelt variables of a system',
    filled(
      `${SYSTEM}  variables: { value: 0 }\n  processes:\n    - name: p\n      start: s\n      steps:\n`,
      i => `        - { name: t${i}, from: s, to: s, when: "vlaue${i % 10} == 0" }\n`,
    ),
  ),
  inText(
    'a long expression of a system',
    repeated(
      `${SYSTEM}  variables: { v: 0 }\n  processes: [{ name: p, start: s, steps: [{ name: a, from: s, to: s, when: "v == 0`,
      ' || v == 1',
      '" }] }]\n',
    ),
  ),
  inText(
    'parentheses of a system',
    repeated(
      `${SYSTEM}  variables: { v: 0 }\n  processes: [{ name: p, start: s, steps: [{ name: a, from: s, to: s, when: "`,
      '(',
      '" }] }]\n',
    ),
  ),
  inText(
    'a large array of a system',
    size =>
      `${SYSTEM}  variables: { v: { size: 2000000000, value: 0 } }\n  processes: [{ name: p, copies: 2000000000, start: s, steps: [] }]\n${'#'.repeat(size)}\n`,
  ),
  inText(
    'initial values of a system',
    filled(
      `${SYSTEM}  processes: [{ name: p, start: s, steps: [] }]\n  variables:\n    v:\n      size: 100000\n      values:\n`,
      () => '        - 1\n',
    ),
  ),
  inText(
    'tests of placement',
    filled(
      'apiVersion: berth.dev/v1alpha1\nkind: PlacementTest\nmetadata: { name: t }\ncluster: workspace\ntests:\n',
      i => `  - { name: t${i}, expect: [{ fits: a${i} }] }\n`,
    ),
    't.placement-test.yaml',
  ),
  inText(
    'expectations of a placement test',
    filled(
      'apiVersion: berth.dev/v1alpha1\nkind: PlacementTest\nmetadata: { name: t }\ncluster: workspace\ntests:\n  - name: t\n    expect:\n',
      i => `      - { fits: a${i} }\n`,
    ),
    't.placement-test.yaml',
  ),
  inText(
    'manifests of a placement test',
    filled(
      'apiVersion: berth.dev/v1alpha1\nkind: PlacementTest\nmetadata: { name: t }\ncluster: workspace\nmanifests:\n',
      i => `  - a${i}.yaml\n`,
    ),
    't.placement-test.yaml',
  ),
  inText(
    'a policy that asks each container of each container',
    filled(
      `${VAP}  validations: [{ expression: "object.spec.containers.all(c, object.spec.containers.all(d, c.name != d.name))" }]\n${BINDING}${POD}  containers:\n`,
      i => `    - { name: c${i}, image: "a:1" }\n`,
    ),
  ),
  inText(
    'Pods under a policy',
    filled(
      `${VAP}  validations: [{ expression: "object.spec.containers.all(c, has(c.resources))" }]\n${BINDING}`,
      doc(podOf),
    ),
  ),
  inText(
    'validations of a policy that differ',
    filled(
      `${VAP}  validations:\n`,
      i => `    - { expression: "object.metadata.name != 'a${i}'" }\n`,
      `${BINDING}${podOf(1)}`,
    ),
  ),
  inText(
    'policies and a Pod',
    filled(
      podOf(1),
      doc(i => `${VAP.replace('name: a }', `name: a${i} }`)}  validations: [{ expression: "has(object.spec)" }]\n`),
    ),
  ),
  inText(
    'bindings of one policy',
    filled(
      `${VAP}  validations: [{ expression: "false" }]\n---\n${podOf(1)}`,
      doc(
        i =>
          `apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\nmetadata: { name: a${i} }\nspec: { policyName: a, validationActions: [Deny] }\n`,
      ),
    ),
  ),
  inText('rules of a Kyverno policy', filled(kyverno(''), kyvernoRule)),
  inText('rules of a Kyverno policy and a Pod', filled(kyverno(''), kyvernoRule, `---\n${podOf(1)}`)),
  inText(
    'Kyverno policies and Pods',
    half(
      '',
      doc(i => kyverno(kyvernoRule(i)).replace('name: a }', `name: p${i} }`)),
      doc(podOf),
    ),
  ),
  inText(
    'Kyverno policies and Pods that meet them',
    half(
      '',
      doc(i =>
        kyverno(kyvernoRule(i).replace('labels: { a: "?*" }', 'name: "?*"')).replace('name: a }', `name: p${i} }`),
      ),
      doc(podOf),
    ),
  ),
  inText(
    'Kyverno policies of other kinds and Pods',
    half(
      '',
      doc(i =>
        kyverno(kyvernoRule(i).replace('kinds: [Pod]', 'kinds: [ConfigMap]')).replace('name: a }', `name: p${i} }`),
      ),
      doc(podOf),
    ),
  ),
  inText('a long query of a Kyverno policy and Pods', size =>
    filled(
      kyverno(
        `    - { name: r, match: { any: [{ resources: { kinds: [Pod] } }] }, validate: { message: no, deny: { conditions: { any: [{ key: "{{ ${'a.'.repeat(size / 4)}a }}", operator: Equals, value: x }] } } } }\n`,
      ),
      doc(podOf),
    )(size),
  ),
  inText('a long expression of a Kyverno policy and Pods', size =>
    filled(
      kyverno(
        `    - { name: r, match: { any: [{ resources: { kinds: [Pod] } }] }, validate: { cel: { expressions: [{ expression: "object.${'a.'.repeat(size / 4)}a == 'b'", message: no }] } } }\n`,
      ),
      doc(podOf),
    )(size),
  ),
  inText('Pods under a Kyverno policy', filled(kyverno(kyvernoRule(0)), doc(podOf))),
  inText(
    'names of a Kyverno policy and Pods',
    half(
      kyverno(
        '    - name: r\n      validate: { message: no, pattern: { metadata: { labels: { a: "?*" } } } }\n      match:\n        any:\n          - resources:\n              kinds: [Pod]\n              names:\n',
      ),
      i => `                - "x*${i}*y"\n`,
      doc(podOf),
    ),
  ),
  inText(
    'patterns of a Kyverno rule and Pods',
    half(
      kyverno(
        '    - name: r\n      match: { any: [{ resources: { kinds: [Pod] } }] }\n      validate:\n        message: no\n        anyPattern:\n',
      ),
      i => `          - { metadata: { labels: { a: "x${i}?*" } } }\n`,
      doc(podOf),
    ),
  ),
  inText(
    'conditions of a Kyverno rule and Pods',
    half(
      kyverno(
        '    - name: r\n      match: { any: [{ resources: { kinds: [Pod] } }] }\n      validate:\n        message: no\n        deny:\n          conditions:\n            any:\n',
      ),
      i => `              - { key: "{{ request.object.metadata.name }}", operator: Equals, value: x${i} }\n`,
      doc(podOf),
    ),
  ),
  inText(
    'exceptions of a Kyverno policy and Pods',
    half(
      `${kyverno(kyvernoRule(0))}`,
      doc(
        i =>
          `apiVersion: kyverno.io/v2\nkind: PolicyException\nmetadata: { name: e${i}, namespace: b }\nspec: { exceptions: [{ policyName: a, ruleNames: [r0] }], match: { any: [{ resources: { kinds: [Pod], names: ["x${i}*"] } }] } }\n`,
      ),
      doc(podOf),
    ),
  ),
  inText(
    'Kyverno policies that change Pods',
    half(
      '',
      doc(i =>
        kyverno(
          `    - { name: r, match: { any: [{ resources: { kinds: [Pod] } }] }, mutate: { patchStrategicMerge: { metadata: { labels: { a${i}: b } } } } }\n`,
        ).replace('name: a }', `name: p${i} }`),
      ),
      doc(podOf),
    ),
  ),
  inText(
    'Kyverno policies that generate from Pods',
    half(
      '',
      doc(i =>
        kyverno(
          `    - { name: r, match: { any: [{ resources: { kinds: [Pod] } }] }, generate: { apiVersion: v1, kind: ConfigMap, name: x, namespace: b, data: { data: { a: b } } } }\n`,
        ).replace('name: a }', `name: p${i} }`),
      ),
      doc(podOf),
    ),
  ),
  inText(
    'admission policies and Pods',
    half(
      '',
      doc(i =>
        `${VAP}  validations: [{ expression: "has(object.spec)" }]\n${BINDING}`
          .replace(/---\n$/, '')
          .replaceAll(/(name|policyName): a\b/g, `$1: a${i}`),
      ),
      doc(podOf),
    ),
  ),
  inText(
    'parameters of an admission policy and Pods',
    half(
      `${VAP}  paramKind: { apiVersion: v1, kind: ConfigMap }\n  validations: [{ expression: "params.data.a == 'b'" }]\n${BINDING.replace('validationActions', 'paramRef: { selector: {}, parameterNotFoundAction: Deny }, validationActions').replace(/---\n$/, '')}`,
      doc(i => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c${i}, namespace: b }\ndata: { a: c }\n`),
      doc(podOf),
    ),
  ),
  inText(
    'a Rego template',
    repeated(
      'apiVersion: templates.gatekeeper.sh/v1\nkind: ConstraintTemplate\nmetadata: { name: a }\nspec:\n  crd: { spec: { names: { kind: A } } }\n  targets:\n    - target: admission.k8s.gatekeeper.sh\n      rego: |\n        package a\n',
      '        violation[{"msg": "x"}] { input.review.object.kind == "Pod" }\n',
    ),
  ),
  inText(
    'Gatekeeper templates',
    filled(
      '',
      doc(
        i =>
          `apiVersion: templates.gatekeeper.sh/v1\nkind: ConstraintTemplate\nmetadata: { name: a${i} }\nspec: { crd: { spec: { names: { kind: A${i} } } }, targets: [{ target: admission.k8s.gatekeeper.sh, rego: "package a\\nviolation[{\\"msg\\": \\"x\\"}] { false }" }] }\n`,
      ),
    ),
  ),
  inText(
    'misspelt codes of berth.yaml',
    filled('severity:\n', i => `  decode/unknown-fild-${i}: off\n`),
    'berth.yaml',
  ),
  inText(
    'gates of berth.yaml',
    filled('featureGates:\n', i => `  SomeGate${i}: true\n`),
    'berth.yaml',
  ),
  inText(
    'unknown keys of berth.yaml',
    filled('', i => `environmenst${i}: 1\n`),
    'berth.yaml',
  ),
  inText(
    'unknown keys of a kustomization',
    filled('', i => `resuorces${i}: 1\n`),
    'kustomization.yaml',
  ),
  inText(
    'generators of a kustomization',
    filled('configMapGenerator:\n', i => `  - { name: a${i}, literals: [a=b] }\n`),
    'kustomization.yaml',
  ),
  inText(
    'images of a kustomization',
    filled('images:\n', i => `  - { name: a${i}, newTag: b }\n`),
    'kustomization.yaml',
  ),
  inText(
    'patches of a kustomization by path',
    filled('patches:\n', i => `  - { path: a${i}.yaml }\n`),
    'kustomization.yaml',
  ),
  inText(
    'replacements of a kustomization',
    filled(
      'replacements:\n',
      i => `  - { source: { kind: Pod, name: a${i} }, targets: [{ select: { kind: Pod }, fieldPaths: [spec.x] }] }\n`,
    ),
    'kustomization.yaml',
  ),
  inText('resources of one file', repeated('resources:\n', '  - a.yaml\n'), 'kustomization.yaml'),
  inText(
    'a descheduler policy',
    filled(
      'apiVersion: descheduler/v1alpha2\nkind: DeschedulerPolicy\nprofiles:\n',
      i => `  - { name: p${i}, plugins: { balance: { enabled: [RemoveDuplicatesX] } } }\n`,
    ),
  ),
  inText(
    'a chart',
    filled(
      'apiVersion: v2\nname: a\nversion: 1.0.0\ndependencies:\n',
      i => `  - { name: d${i}, version: 1.0.0, repository: "https://a.b" }\n`,
    ),
    'Chart.yaml',
  ),
  inText(
    'unknown feature gates of a kubelet',
    filled(
      'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nfeatureGates:\n',
      i => `  MemoryQso${i % 90}: true\n`,
    ),
  ),
];

export const HOSTILE_OBJECTS: readonly HostileInput[] = [...ofCustom, ...ofMany, ...ofForm, ...ofLongTexts, ...ofOwn];
