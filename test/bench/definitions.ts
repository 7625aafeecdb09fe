/** One CustomResourceDefinition of at least so many lines, as generators write them: objects, lists, maps and CEL rules. */
export function definition(lines: number, name: string): string {
  const head = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ${name}s.example.com
spec:
  group: example.com
  names:
    plural: ${name}s
    kind: ${name.charAt(0).toUpperCase()}${name.slice(1)}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
`;
  const length = part(0).split('\n').length;
  return head + Array.from({ length: Math.ceil((lines - 20) / length) }, (_, i) => part(i)).join('');
}

function part(i: number): string {
  const rules = `                x-kubernetes-validations:
                - rule: self.name != "n${i}" || has(self.mode)
                  message: needs a mode
`;
  return `              part${i}:
                type: object
                description: The part ${i} of the thing, with what it needs to run.
                required: [name]
${i % 10 === 0 ? rules : ''}                properties:
                  name:
                    type: string
                    maxLength: 63
                    pattern: '^[a-z]+$'
                  mode:
                    type: string
                    enum: [A, B]
                    default: A
                  count:
                    description: How many there are.
                    type: integer
                    format: int32
                    minimum: 0
                  conditions:
                    type: array
                    x-kubernetes-list-type: map
                    x-kubernetes-list-map-keys: [type]
                    items:
                      type: object
                      required: [type]
                      properties:
                        type:
                          description: What it says.
                          type: string
                        since:
                          type: string
                          format: date-time
                  ports:
                    type: array
                    maxItems: 10
                    items:
                      type: object
                      properties:
                        port:
                          description: A port that is opened.
                          type: integer
                          format: int32
                        target:
                          anyOf:
                          - type: integer
                          - type: string
                          x-kubernetes-int-or-string: true
                  labels:
                    type: object
                    additionalProperties:
                      type: string
`;
}
