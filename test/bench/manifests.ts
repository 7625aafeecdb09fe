/** A file of Deployments with Services, about `lines` lines long; `seed` makes the names of one file its own. */
export function deployments(lines: number, seed = 0): string {
  const one = (i: number): string => {
    const name = `app-${seed}-${i}`;
    return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  namespace: shop
  labels:
    app: ${name}
spec:
  replicas: ${1 + (i % 5)}
  selector:
    matchLabels:
      app: ${name}
  template:
    metadata:
      labels:
        app: ${name}
    spec:
      tolerations:
        - key: dedicated
          operator: Equal
          value: shop
          effect: NoSchedule
      containers:
        - name: main
          image: registry.example.com/${name}:1.${i}.0
          args: ["--port=8080", "--name=${name}"]
          env:
            - name: LOG_LEVEL
              value: info
          ports:
            - name: http
              containerPort: 8080
          resources:
            requests:
              cpu: ${100 + (i % 9) * 50}m
              memory: ${128 + (i % 7) * 64}Mi
            limits:
              memory: 1Gi
          readinessProbe:
            httpGet:
              path: /healthz
              port: http
---
apiVersion: v1
kind: Service
metadata:
  name: ${name}
  namespace: shop
spec:
  selector:
    app: ${name}
  ports:
    - name: http
      port: 80
      targetPort: http
`;
  };
  const size = one(0).split('\n').length;
  return Array.from({ length: Math.max(1, Math.round(lines / size)) }, (_, i) => one(i)).join('---\n');
}

/** A Pod of about 2 KB such as people write: affinity, spread constraints, probes, two containers, volumes. */
export const typicalPod = `apiVersion: v1
kind: Pod
metadata:
  name: orders-0
  namespace: shop
  labels: { app: orders, tier: backend }
spec:
  serviceAccountName: orders
  priorityClassName: business
  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms:
          - matchExpressions:
              - { key: kubernetes.io/arch, operator: In, values: [amd64, arm64] }
    podAntiAffinity:
      preferredDuringSchedulingIgnoredDuringExecution:
        - weight: 100
          podAffinityTerm:
            topologyKey: kubernetes.io/hostname
            labelSelector: { matchLabels: { app: orders } }
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: topology.kubernetes.io/zone
      whenUnsatisfiable: DoNotSchedule
      labelSelector: { matchLabels: { app: orders } }
  tolerations:
    - { key: dedicated, operator: Equal, value: shop, effect: NoSchedule }
  securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: RuntimeDefault } }
  containers:
    - name: orders
      image: registry.example.com/shop/orders:2.7.1
      ports: [{ name: http, containerPort: 8080 }]
      env:
        - { name: LOG_LEVEL, value: info }
        - { name: POD_NAME, valueFrom: { fieldRef: { fieldPath: metadata.name } } }
        - { name: TOKEN, valueFrom: { secretKeyRef: { name: orders, key: token } } }
      resources:
        requests: { cpu: 250m, memory: 256Mi }
        limits: { cpu: "1", memory: 512Mi }
      readinessProbe: { httpGet: { path: /ready, port: http }, periodSeconds: 5 }
      livenessProbe: { httpGet: { path: /live, port: http }, periodSeconds: 10 }
      volumeMounts:
        - { name: config, mountPath: /etc/orders, readOnly: true }
        - { name: cache, mountPath: /var/cache/orders }
    - name: proxy
      image: registry.example.com/mesh/proxy:1.30
      args: ["--upstream", "127.0.0.1:8080"]
      resources:
        requests: { cpu: 50m, memory: 64Mi }
        limits: { memory: 128Mi }
      securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: [ALL] } }
  volumes:
    - { name: config, configMap: { name: orders } }
    - { name: cache, emptyDir: { sizeLimit: 64Mi } }
`;
