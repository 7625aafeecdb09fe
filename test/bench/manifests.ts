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
