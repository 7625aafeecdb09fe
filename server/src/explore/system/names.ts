import { followed, type SystemField } from './field';

/** A field of a mapping, as it is written. */
export function childOf(field: SystemField, name: string): SystemField | undefined {
  const { children } = field.node;
  const at = children.findIndex((it, i) => i % 2 === 0 && followed(it).text === name);
  const node = at < 0 ? undefined : children[at + 1];
  return node && { ...field, path: field.path.child(name), node: followed(node), key: children[at] };
}

/** The name of a process, step or property, where it has one; else the whole. */
export const nameFieldOf = (field: SystemField): SystemField => childOf(field, 'name') ?? field;
