/** A node that belongs to a zone, as a document of a file. */
export const node = (name: string, zone: string, cpu = 4): string => `apiVersion: v1
kind: Node
metadata: {name: ${name}, labels: {kubernetes.io/hostname: ${name}, topology.kubernetes.io/zone: ${zone}}}
status: {allocatable: {cpu: "${cpu}", memory: 8Gi, pods: "10"}}
---
`;

/** A Deployment whose Pods may land anywhere, as a document of a file. */
export const deployment = (name: string, replicas: number, cpu: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec: {containers: [{name: main, image: nginx, resources: {requests: {cpu: ${cpu}, memory: 1Gi}}}]}
---
`;

/** One node in each of two zones. */
export const TWO_ZONES = node('a1', 'a') + node('b1', 'b');
