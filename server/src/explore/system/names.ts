import { followed, type SystemField } from './field';

/** The name of a process, step or property, where it has one; else the whole. */
export function nameFieldOf(field: SystemField): SystemField {
  const { children } = field.node;
  const at = children.findIndex((it, i) => i % 2 === 0 && followed(it).text === 'name');
  const node = at < 0 ? undefined : children[at + 1];
  return node === undefined
    ? field
    : { ...field, path: field.path.child('name'), node: followed(node), key: children[at] };
}
