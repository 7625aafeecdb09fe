import { definitionOf } from '../support/definition';

/** Files that cost more than they should where work grows faster than the text. */
export interface HostileInput {
  readonly name: string;
  /** The file's name, which decides how it is read. */
  readonly file: string;
  /** A text of about that many characters. */
  readonly text: (size: number) => string;
}

/** Files that cost more together than each of them does. */
export interface HostileWorkspace {
  readonly name: string;
  /** Texts by the names of files. */
  readonly files: () => Readonly<Record<string, string>>;
}

/** The head, then as many lines as fit into the size, then the tail. */
export function filled(head: string, lineOf: (i: number) => string, tail = ''): (size: number) => string {
  return size => {
    const parts = [head];
    for (let i = 0, length = head.length + tail.length; length < size; i++) {
      const line = lineOf(i);
      parts.push(line);
      length += line.length;
    }
    parts.push(tail);
    return parts.join('');
  };
}

export const repeated = (head: string, part: string, tail = ''): ((size: number) => string) =>
  filled(head, () => part, tail);

export const POD = 'apiVersion: v1\nkind: Pod\nmetadata: { name: a, namespace: b }\nspec:\n';
export const CONTAINER = '  containers:\n    - name: c\n      image: a:1\n';
export const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: { name: a, namespace: b }
spec:
  selector: { matchLabels: { app: a } }
  template:
    metadata: { labels: { app: a } }
    spec:
`;
export const CONFIG_MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, namespace: b }\n';
export const crd = (schema: string): string => definitionOf(schema, { group: 'b.example', kind: 'A' });

export const inPod = (name: string, head: string, lineOf: (i: number) => string, tail = ''): HostileInput => ({
  name,
  file: 'pod.yaml',
  text: filled(POD + head, lineOf, tail),
});
export const inText = (name: string, text: (size: number) => string, file = 'file.yaml'): HostileInput => ({
  name,
  file,
  text,
});
