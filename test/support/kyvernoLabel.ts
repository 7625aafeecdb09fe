/** A mutate rule of Kyverno that sets a label to a value, with variables. */
export const kyvernoLabel = (label: string, value: string): string => `
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: label }
spec:
  rules:
    - name: label
      match: { any: [{ resources: { kinds: [Pod] } }] }
      mutate: { patchStrategicMerge: { metadata: { labels: { ${label}: ${JSON.stringify(value)} } } } }
`;
