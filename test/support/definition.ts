interface Defined {
  readonly group?: string;
  readonly kind?: string;
  readonly scope?: 'Namespaced' | 'Cluster';
}

/** A CustomResourceDefinition of one version; `schema`: lines that follow the schema's `type: object`, 10 spaces deep. */
export function definitionOf(schema: string, of: Defined = {}): string {
  const { group = 'example.com', kind = 'Gadget', scope = 'Namespaced' } = of;
  const singular = kind.toLowerCase();
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${singular}s.${group} }
spec:
  group: ${group}
  scope: ${scope}
  names: { plural: ${singular}s, singular: ${singular}, kind: ${kind}, listKind: ${kind}List }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
${schema}`;
}
